// chapters/07_block/program/by_hand.cpp · the lesson's example for pencil and paper: two tokens through a block
#include "chapters/07_block/program/sections.hpp"

#include <fmt/ostream.h>

#include <string>

namespace tfs {

namespace {

// Attention with equal scores, a causal mask and W_v = W_o = 1; a network of 2 ReLU(x). No learned numbers in the norms.
TransformerBlock block_by_hand(NormPosition position) {
    const BlockConfig config{.d_model = 2,
                             .num_heads = 1,
                             .d_ff = 2,
                             .norm_position = position,
                             .norm_eps = 0.0f,
                             .activation = Activation::relu,
                             .attention_bias = AttentionBias::none,
                             .feed_forward_bias = Bias::no};
    Rng none = Rng::zeros();
    TransformerBlock block(config, none);
    const Array one = Tensor::from({2, 2}, {1, 0, 0, 1}).array();
    for (NamedTensor parameter : block.parameters()) {
        if (parameter.name == "attention.w_v.weight" || parameter.name == "attention.w_o.weight" ||
            parameter.name == "feed_forward.up.weight")
            parameter.tensor.mutable_array() = one;
        if (parameter.name == "feed_forward.down.weight") parameter.tensor.mutable_array() = one * 2.0f;
    }
    return block;
}

std::string pair(const Tensor& x, std::size_t token) {
    // A rounding error below 0 would be written as -0.
    return fmt::format("({:.0f}, {:.0f})", x.at({0, token, 0}) + 0.0f, x.at({0, token, 1}) + 0.0f);
}

void print_tokens(Show& show, const char* name, const Tensor& x, const char* remark = "") {
    const std::string behind = *remark == '\0' ? "" : std::string("   ") + remark;
    fmt::print(show.out, "  {:<16}{:>10}{:>10}{}\n", name, pair(x, 0), pair(x, 1), behind);
}

}  // namespace

void show_block_by_hand(Show& show) {
    const NoGrad no_grad;
    const Tensor x = Tensor::from({1, 2, 2}, {4, 0, 0, 2});
    const Mask causal = causal_mask(2);
    const TransformerBlock pre = block_by_hand(NormPosition::pre), post = block_by_hand(NormPosition::post);
    fmt::print(show.out, "  {:<16}{:>10}{:>10}\n", "", "token 1", "token 2");
    print_tokens(show, "x", x);
    const Tensor normed = pre.attention.norm(x);
    print_tokens(show, "norm(x)", normed);
    const Tensor attended = pre.attention.attend(normed, pre.attention.keys_values(normed), causal).output;
    print_tokens(show, "attention", attended, "the mean of the tokens so far");
    const Tensor h = x + attended;
    print_tokens(show, "h", h, "x + attention");
    const Tensor again = pre.feed_forward.norm(h);
    print_tokens(show, "norm(h)", again);
    print_tokens(show, "network", pre.feed_forward.network.output(pre.feed_forward.network.hidden(again)),
                 "2 ReLU");
    print_tokens(show, "pre-norm gives", pre(x, causal).output, "h + network");
    print_tokens(show, "post-norm gives", post(x, causal).output, "the same parts, each norm after a sum");
}

}  // namespace tfs

// chapters/07_block/program/by_hand.cpp · the lesson's example for pencil and paper: two tokens through a block
#include <fmt/format.h>

#include "chapters/07_block/program/options.hpp"

namespace tfs {

namespace {

// Attention with equal scores, a causal mask and W_v = W_o = 1; a network of 2 ReLU(x). No learned numbers in the norms.
TransformerBlock block_of(NormPosition position) {
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
    return fmt::format("({}, {})", format(x.at({0, token, 0}), whole()),
                       format(x.at({0, token, 1}), whole()));
}

void add_tokens(Table& table, const char* name, const Tensor& x, const char* remark = "") {
    table.add({name, pair(x, 0), pair(x, 1), remark});
}

Report show_block_by_hand(const Request&) {
    const NoGrad no_grad;
    const Tensor x = Tensor::from({1, 2, 2}, {4, 0, 0, 2});
    const Mask causal = causal_mask(2);
    const TransformerBlock pre = block_of(NormPosition::pre), post = block_of(NormPosition::post);
    Table table{.columns = {{""}, {"token 1", whole()}, {"token 2", whole()}, {""}}};
    add_tokens(table, "x", x);
    const Tensor normed = pre.attention.norm(x);
    add_tokens(table, "norm(x)", normed);
    const Tensor attended = pre.attention.attend(normed, pre.attention.keys_values(normed), causal).output;
    add_tokens(table, "attention", attended, "the mean of the tokens so far");
    const Tensor h = x + attended;
    add_tokens(table, "h", h, "x + attention");
    const Tensor again = pre.feed_forward.norm(h);
    add_tokens(table, "norm(h)", again);
    const Tensor network = pre.feed_forward.network.output(pre.feed_forward.network.hidden(again));
    add_tokens(table, "network", network, "2 ReLU");
    add_tokens(table, "pre-norm gives", pre(x, causal).output, "h + network");
    add_tokens(table, "post-norm gives", post(x, causal).output, "the same parts, each norm after a sum");
    Report report;
    report.add(table);
    return report;
}

}  // namespace

Section block_by_hand() {
    return {.id = "by-hand",
            .title = "By hand: two tokens, two features, a causal mask",
            .run = show_block_by_hand};
}

}  // namespace tfs

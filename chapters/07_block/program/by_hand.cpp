// chapters/07_block/program/by_hand.cpp · the lesson's example for pencil and paper: two tokens through a block
#include <fmt/format.h>

#include "chapters/07_block/program/options.hpp"

namespace tfs {

namespace {

// Attention with equal scores, a causal mask and W_v = W_o = 1; a network of 3 ReLU(x) with its two features exchanged. No
// learned numbers in the norms.
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
    const Array one = Tensor::from({2, 2}, {1, 0, 0, 1}).array(),
                exchange = Tensor::from({2, 2}, {0, 3, 3, 0}).array();
    for (NamedTensor parameter : block.parameters()) {
        if (parameter.name == "attention.w_v.weight" || parameter.name == "attention.w_o.weight" ||
            parameter.name == "feed_forward.up.weight")
            parameter.tensor.mutable_array() = one;
        if (parameter.name == "feed_forward.down.weight") parameter.tensor.mutable_array() = exchange;
    }
    return block;
}

std::string pair(const Tensor& x, std::size_t token) {
    return fmt::format("({}, {})", format(x.at({0, token, 0}), whole()),
                       format(x.at({0, token, 1}), whole()));
}

// A step of the example: the vectors of both tokens, which the next step works on.
Tensor added_to(Table& table, const char* name, const Tensor& x, const char* remark = "") {
    table.add({name, pair(x, 0), pair(x, 1), remark});
    return x;
}

Tensor attention_of(const TransformerBlock& block, const Tensor& x) {
    return block.attention.attend(x, block.attention.keys_values(x), causal_mask(2)).output;
}

Tensor network_of(const TransformerBlock& block, const Tensor& x) {
    return block.feed_forward.network.output(block.feed_forward.network.hidden(x));
}

Report show_block_by_hand(const Request&) {
    const NoGrad no_grad;
    const Tensor x = Tensor::from({1, 2, 2}, {8, 0, 0, 2});
    const TransformerBlock pre = block_of(NormPosition::pre), post = block_of(NormPosition::post);
    const Norm& norm = pre.attention.norm;
    Table table{.columns = {{""}, {"token 1", whole()}, {"token 2", whole()}, {""}}};
    added_to(table, "x", x);
    const Tensor normed = added_to(table, "norm(x)", norm(x));
    const Tensor read =
        added_to(table, "attention", attention_of(pre, normed), "the mean of the tokens so far");
    const Tensor h = added_to(table, "h", x + read, "x + attention");
    const Tensor again = added_to(table, "norm(h)", norm(h));
    const Tensor made = added_to(table, "network", network_of(pre, again), "3 ReLU, exchanged");
    const Tensor y = added_to(table, "pre-norm gives", h + made, "h + network");

    const Tensor raw = added_to(table, "attention", attention_of(post, x), "post-norm: of x as it is");
    const Tensor sum = added_to(table, "x + attention", x + raw);
    const Tensor post_h = added_to(table, "h", norm(sum), "norm(x + attention)");
    const Tensor post_made = added_to(table, "network", network_of(post, post_h));
    const Tensor post_y = added_to(table, "post-norm gives", norm(post_h + post_made), "norm(h + network)");
    Report report;
    report.add(table);
    const auto same = [](const Tensor& steps, const Tensor& block) {
        return largest_difference(steps.array(), block.array()) < 1e-5;
    };
    const bool equal = same(y, pre(x, causal_mask(2)).output) && same(post_y, post(x, causal_mask(2)).output);
    report.note(fmt::format("check  the blocks give the same: {}", equal ? "yes" : "NO"));
    return report;
}

}  // namespace

Sections by_hand_sections() {
    return {{"by-hand", "By hand: two tokens, two features, a causal mask", show_block_by_hand}};
}

}  // namespace tfs

// chapters/07_block/program/one_block.cpp · a block step by step: two tokens by hand, and a sentence through a pre-norm block
#include <fmt/format.h>

#include <tuple>

#include "chapters/07_block/program/options.hpp"

namespace tfs {

namespace {

bool are_equal(const Tensor& steps, const Tensor& block) {
    return largest_difference(steps.array(), block.array()) < 1e-5;
}

// --- by hand

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
    const bool equal =
        are_equal(y, pre(x, causal_mask(2)).output) && are_equal(post_y, post(x, causal_mask(2)).output);
    report.note(fmt::format("check  the blocks give the same: {}", equal ? "yes" : "NO"));
    return report;
}

// --- a sentence

// Random vectors for the words, and for their positions: (1, seq, d_model).
Tensor embed_sentence(const Request& request) {
    Rng rng(request[options::seed]);
    const Tokens tokens = request.words(options::text);
    const Vocabulary vocabulary = build_vocabulary(tokens);
    const std::size_t d_model = request[options::d_model];
    const Tensor words = Embedding(vocabulary.words.size(), d_model, rng)(vocabulary.ids);
    return words + Embedding(tokens.size(), d_model, rng).weight * 0.3f;
}

Report trace_pre_norm(const Request& request) {
    const NoGrad no_grad;
    Report report;
    const std::vector<std::string> rows{"batch", "seq", "d_model"};
    const Tensor x = embed_sentence(request);
    Rng weights_rng(request[options::seed] + 1);
    const TransformerBlock block(sentence_config(request), weights_rng);
    const auto& [attention, network] = std::tie(block.attention, block.feed_forward);
    report.step("x", x, rows, "token + position");
    const Tensor normed = attention.norm(x);
    report.step("norm(x)", normed, rows, "mean 0, variance 1");
    const auto [changed, weights] =
        attention.attend(normed, attention.keys_values(normed), std::nullopt, with_weights);
    report.step("weights", weights, {"batch", "heads", "query", "key"}, "q, k, v of norm(x)");
    report.step("attention", changed, rows);
    const Tensor attended = x + changed;
    report.step("x + attention", attended, rows, "x itself, not norm(x)");
    const Tensor again = network.norm(attended);
    report.step("norm", again, rows, "another norm, of the sum");
    const Tensor hidden = network.network.hidden(again);
    report.step("hidden layer", hidden, {"batch", "seq", "d_ff"}, "GELU");
    const Tensor output = network.network.output(hidden);
    report.step("network", output, rows);
    report.step("sum + network", attended + output, rows, "no norm at the end");
    report.check_rows_sum_to_one("weights", weights);
    report.note(fmt::format("check  block(x) gives what the steps gave: {}",
                            are_equal(attended + output, block(x).output) ? "yes" : "NO"));
    return report;
}

Report show_pre_norm(const Request& request) {
    Report report = part_or_gap([&] { return trace_pre_norm(request); });  // the figures need no step
    report.add(flow_figure(request));
    report.add(pass_figure());
    report.add(grouped_figure());
    return report;
}

}  // namespace

Sections one_block_sections() {
    return {{"by-hand", "By hand: two tokens, two features, a causal mask", show_block_by_hand},
            {"pre-norm",
             "A pre-norm block, step by step (untrained)",
             show_pre_norm,
             {options::text, options::heads, options::d_model, options::seed}}};
}

}  // namespace tfs

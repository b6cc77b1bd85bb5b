// chapters/01_attention/program/attention_maps.cpp · attention on a sentence: every shape, and a map for each head
#include "chapters/01_attention/program/sections.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace tfs {

namespace {

// The same heads as a list of SelfAttention, each with its slice of the weights (the form of the source notes).
Tensor list_of_heads(const Tensor& x, const MultiHeadAttention& attention) {
    const std::size_t d_model = x.size(-1), d_k = d_model / attention.num_heads;
    Rng unused(0);
    std::vector<Tensor> outputs;
    for (std::size_t h = 0; h < attention.num_heads; ++h) {
        SelfAttention head(d_model, d_k, d_k, unused);
        const auto take = [&](Linear& part, const Linear& whole) {
            part.weight = slice(whole.weight, 0, h * d_k, (h + 1) * d_k);
            part.bias = slice(*whole.bias, 0, h * d_k, (h + 1) * d_k);
        };
        take(head.w_q, attention.w_q);
        take(head.w_k, attention.w_k);
        take(head.w_v, attention.w_v);
        outputs.push_back(head(x).output);
    }
    return attention.w_o(concat(outputs, -1));
}

std::vector<View> heads_figure(const Show& show, const Tensor& weights) {
    const HeatMapFigure frame{
        .name = "heads",
        .title = fmt::format("Attention weights of {} heads, untrained, d_model {}", weights.size(1),
                             show.options.d_model),
        .caption =
            "Every head has its own queries and keys, so it has its own map. A row is a query and sums to "
            "1. Numbers under .05 are not written. The weights are untrained, so these patterns mean "
            "nothing."};
    return attention_views(frame, {{"", weights, show.tokens, show.tokens}});
}

}  // namespace

HeatMapFigure show_one_head(Show& show, const Tensor& x) {
    const std::size_t d_model = show.options.d_model, d_k = d_model / show.options.heads;
    Rng rng(show.options.seed + 1);
    const SelfAttention head(d_model, d_k, d_k, rng);
    Trace& trace = show.trace;
    const Tensor q = head.w_q(x), k = head.w_k(x), v = head.w_v(x);
    trace.step("q", q, {"batch", "query", "d_k"}, "what a token looks for");
    trace.step("k", k, {"batch", "key", "d_k"}, "what it offers");
    trace.step("v", v, {"batch", "key", "d_v"}, "what it passes on");
    const Tensor scores = matmul(q, k, Transpose::b);
    trace.step("scores", scores, {"batch", "query", "key"}, "q k^T");
    const Tensor scaled = scores / std::sqrt(static_cast<float>(d_k));
    trace.step("scaled", scaled, {"batch", "query", "key"}, fmt::format("x 1/sqrt({})", d_k));
    const AttentionOutput result = scaled_dot_product_attention(q, k, v);
    trace.step("weights", result.weights, {"batch", "query", "key"}, "softmax over the keys");
    trace.step("output", result.output, {"batch", "query", "d_v"}, "weights x v");
    trace.check_rows_sum_to_one("weights", result.weights);

    const Tokens& tokens = show.tokens;
    const auto panel = [&](const std::string& title, const Tensor& t, ColourScale scale) {
        return HeatMapPanel{title, reshape(t, {t.size(-2), t.size(-1)}).array(), tokens, tokens, {}, scale};
    };
    const HeatMapPanel weights = panel("weights = softmax(scaled)", result.weights, ColourScale::probability);
    show.out << '\n';
    print_heat_map(show.out, weights.values,
                   {.title = "weights of one head", .rows = tokens, .columns = tokens}, show.style);
    return {
        .name = "stages",
        .title = "One head, untrained: from scores to weights",
        .panels = {panel("scores q kᵀ", scores, ColourScale::diverging),
                   panel(fmt::format("scaled by 1/sqrt({})", d_k), scaled, ColourScale::diverging), weights},
        .panels_per_row = 3,
        .caption =
            "Scaling divides every score by the same number. The softmax then turns each row into weights "
            "that sum to 1, and the largest score of a row becomes its largest weight. Left, brown is a high "
            "score; right, dark blue is a high weight. The head is untrained: the patterns mean nothing."};
}

std::vector<View> show_heads(Show& show, const Tensor& x, const MultiHeadAttention& attention) {
    const std::size_t heads = attention.num_heads;
    const Tensor q = split_heads(attention.w_q(x), heads);
    show.trace.step("q, split", q, {"batch", "heads", "query", "d_k"}, "each head: a slice");
    const AttentionOutput result = attention(x, x, x);
    show.trace.step("weights", result.weights, {"batch", "heads", "query", "key"}, "one map per head");
    show.trace.step("output", result.output, {"batch", "seq", "d_model"}, "heads merged, then w_o");
    show.trace.check_rows_sum_to_one("weights", result.weights);
    std::string entropies;
    for (std::size_t h = 0; h < heads; ++h) {
        entropies += fmt::format(" {:.2f}", mean_entropy(slice(result.weights, 1, h, h + 1)));
    }
    const double difference = largest_difference(result.output.array(), list_of_heads(x, attention).array());
    show.trace.note(
        fmt::format("mean entropy of each head, nats:{}; single heads give the same output to 1e-5: {}",
                    entropies, difference < 1e-5 ? "yes" : "NO"));
    return heads_figure(show, result.weights);
}

void show_cross_attention(Show& show, const Tensor& x, const MultiHeadAttention& attention) {
    const Tensor last = slice(x, 1, x.size(1) - std::min<std::size_t>(3, x.size(1)), x.size(1));
    const AttentionOutput cross = attention(last, x, x);
    show.trace.step("weights", cross.weights, {"batch", "heads", "query", "key"}, "a row for each query");
    show.trace.step("output", cross.output, {"batch", "query", "d_model"}, "as many rows as queries");
}

}  // namespace tfs

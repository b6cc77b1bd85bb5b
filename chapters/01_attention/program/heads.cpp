// chapters/01_attention/program/heads.cpp · several heads side by side: shapes, slices, and the same heads one by one
#include <fmt/format.h>

#include <numeric>

#include "chapters/01_attention/program/options.hpp"

namespace tfs {

namespace {

// The same attention as a list of single heads.
Tensor list_of_heads(const Tensor& x, const MultiHeadAttention& attention) {
    std::vector<Tensor> outputs;
    for (std::size_t h = 0; h < attention.num_heads; ++h)
        outputs.push_back(single_head(attention, h)(x).output);
    return attention.w_o(concat(outputs, -1));
}

// For each number of x (position, width), numbered 0, 1, 2 …: the head (counted from 1) that has it in
// `split` (1, heads, position, d).
Array owners(const Tensor& split, std::size_t positions, std::size_t width) {
    Array heads = Array::from_shape({positions, width});
    const std::size_t per_head = split.size() / split.size(1);
    for (std::size_t i = 0; i < split.size(); ++i)
        heads.data()[static_cast<std::size_t>(split.values()[i])] = static_cast<float>(1 + i / per_head);
    return heads;
}

PlaneFigure head_slices() {
    constexpr std::size_t positions = 4, heads = 3, d = 2;
    std::vector<float> numbers(positions * heads * d);
    std::iota(numbers.begin(), numbers.end(), 0.0f);
    const Tensor x = Tensor::from({1, positions, heads * d}, numbers);
    const std::vector<std::string> words{"the", "cat", "was", "tired"};
    const auto panel = [&](const std::string& title, const Tensor& split) {
        const Array owner = owners(split, positions, heads * d);
        PlanePanel drawn{.title = title, .low_x = -1.1, .high_x = 6.0, .low_y = -4.0, .high_y = 0.0};
        for (std::size_t row = 0; row < positions; ++row) {
            const double y = -static_cast<double>(row);
            drawn.text(-0.55, y - 0.5, words[row]);
            for (std::size_t column = 0; column < heads * d; ++column) {
                const double x = static_cast<double>(column);
                const bool first = owner(row, column) == 1.0f;
                drawn
                    .rectangle(x + 0.04, y - 0.04, x + 0.96, y - 0.96, first ? Hue::attention : Hue::other,
                               fmt::format("head {}", owner(row, column)))
                    .light = !first;
            }
        }
        return drawn;
    };
    return {.name = "slices",
            .title = "A reshape alone gives the heads the wrong numbers: head 1 gets nothing of “tired”",
            .panels = {panel("correct: cut the width, then transpose", split_heads(x, heads)),
                       panel("wrong: one reshape", reshape(x, {1, heads, positions, d}))},
            .caption =
                "The numbers of q: a row for each word; each cell says which of 3 heads gets the number. "
                "Both results have the same shape. On the wrong side head 1 compares pieces of \"the\" and "
                "\"cat\"."};
}

Report show_heads(const Request& request) {
    Rng rng(request[options::seed]);
    const Vocabulary vocabulary = build_vocabulary(request.words(options::text));
    const Tensor x = Embedding(vocabulary.words.size(), request[options::d_model], rng)(vocabulary.ids);
    const MultiHeadAttention attention(request[options::d_model], request[options::heads], rng);
    Report report;
    const Tensor projected = attention.w_q(x);
    report.step("w_q(x)", projected, {"batch", "seq", "d_model"}, "all heads in one product");
    report.step("q, split", split_heads(projected, attention.num_heads), {"batch", "heads", "query", "d_k"},
                "each head: a slice");
    const AttentionOutput result = attention(x, x, x);
    report.step("weights", result.weights, {"batch", "heads", "query", "key"}, "one map for each head");
    report.step("output", result.output, {"batch", "seq", "d_model"}, "heads merged, then w_o");
    const double difference = largest_difference(result.output.array(), list_of_heads(x, attention).array());
    report.note(fmt::format("{} single heads, one after the other, give the same output to 1e-5: {}",
                            attention.num_heads, difference < 1e-5 ? "yes" : "NO"));
    report.add(head_slices());
    return report;
}

}  // namespace

SelfAttention single_head(const MultiHeadAttention& attention, std::size_t head) {
    const std::size_t d_model = attention.w_q.weight.size(1);
    const std::size_t d_k = attention.w_q.weight.size(0) / attention.num_heads,
                      d_v = attention.w_v.weight.size(0) / attention.num_heads;
    Rng none = Rng::zeros();
    SelfAttention single(d_model, d_k, d_v, none);
    const auto take = [&](Linear& part, const Linear& whole, std::size_t d) {
        part.weight = slice(whole.weight, 0, head * d, (head + 1) * d);
        part.bias = slice(*whole.bias, 0, head * d, (head + 1) * d);
    };
    take(single.w_q, attention.w_q, d_k);
    take(single.w_k, attention.w_k, d_k);
    take(single.w_v, attention.w_v, d_v);
    return single;
}

Sections heads_sections() {
    return {{"heads",
             "{heads} heads side by side: shapes (random weights)",
             show_heads,
             {options::text, options::heads, options::d_model, options::seed}}};
}

}  // namespace tfs

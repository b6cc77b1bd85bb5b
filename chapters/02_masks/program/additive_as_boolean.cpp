// chapters/02_masks/program/additive_as_boolean.cpp · the fault of the source notes: an additive mask, read as a boolean one
#include "chapters/02_masks/program/sections.hpp"

#include <fmt/ostream.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace tfs {

namespace {

constexpr float minus_infinity = -std::numeric_limits<float>::infinity();

// create_causal_mask of the notes: 0 on and below the diagonal, -infinity above it.
Tensor notes_causal_mask(std::size_t seq) {
    Array additive = Array::from_shape({1, 1, seq, seq});
    for (std::size_t i = 0; i < seq; ++i) {
        for (std::size_t j = 0; j < seq; ++j) additive(0, 0, i, j) = j > i ? minus_infinity : 0.0f;
    }
    return Tensor(additive);
}

// scores.masked_fill(mask == 0, -inf) of the notes: it takes a Tensor, so any float mask gets in.
Tensor notes_masked_fill(const Tensor& scores, const Tensor& mask) {
    xt::xarray<bool> allowed = xt::xarray<bool>::from_shape(mask.shape());
    for (std::size_t i = 0; i < mask.size(); ++i) allowed.data()[i] = !(mask.values()[i] == 0.0f);
    return masked_fill(scores, Mask(allowed), minus_infinity);
}

// F.softmax of PyTorch: in a row of only -infinity, -inf - (-inf) is NaN.
Tensor pytorch_softmax(const Tensor& x) {
    const Tensor e = exp(x - max(x, -1, KeepDims::yes));
    return e / sum(e, -1, KeepDims::yes);
}

AttentionOutput notes_attention(const MultiHeadAttention& m, const Tensor& x, const Tensor& mask) {
    const Tensor q = split_heads(m.w_q(x), m.num_heads), k = split_heads(m.w_k(x), m.num_heads);
    const Tensor scores = matmul(q, k, Transpose::b) / std::sqrt(static_cast<float>(q.size(-1)));
    const Tensor weights = pytorch_softmax(notes_masked_fill(scores, mask));
    return {m.w_o(merge_heads(matmul(weights, split_heads(m.w_v(x), m.num_heads)))), weights};
}

// How many rows (along the last axis) hold a NaN.
std::size_t rows_of_nan(const Tensor& x) {
    std::size_t count = 0;
    for (std::size_t row = 0; row < x.size() / x.size(-1); ++row) {
        const auto values = x.values().subspan(row * x.size(-1), x.size(-1));
        count += std::any_of(values.begin(), values.end(), [](float value) { return std::isnan(value); });
    }
    return count;
}

// How much of a row's weight lies on later keys.
float on_the_future(const Array& map, std::size_t query) {
    float total = 0.0f;
    for (std::size_t j = query + 1; j < map.shape()[1]; ++j) total += map(query, j);
    return std::isnan(map(query, 0)) ? map(query, 0) : total;
}

void print_rows(std::ostream& out, const Tokens& tokens, const Array& right, const Array& notes) {
    fmt::print(out, "{:>6} {} {:>12} {:>12} | {:>22} {:>12}\n", "query", pad("", 10), "keys, right", "notes",
               "on the future, right", "notes");
    for (std::size_t i = 0; i < tokens.size(); ++i) {
        const float wrong = on_the_future(notes, i);
        const std::string share = std::isnan(wrong) ? "NaN" : fmt::format("{:.3f}", wrong);
        fmt::print(out, "{:>6} {} {:>12} {:>12} | {:>22.3f} {:>12}\n", i,
                   pad(truncate(tokens[i], 10, "~"), 10), i + 1, tokens.size() - i - 1,
                   on_the_future(right, i), share);
    }
}

// One NaN spreads: to the next layer, and to the gradient. And what the explicit conversion says to a mask of the notes.
void tell_consequences(Trace& trace, const MultiHeadAttention& attention, const Tensor& x,
                       const AttentionOutput& notes, const Tensor& additive) {
    const std::size_t seq = x.size(1);
    const Tensor second = notes_attention(attention, notes.output.detach(), additive).output;
    sum(slice(notes.output, 1, 0, 1)).backward();  // of the first query alone, which is free of NaN
    trace.note(fmt::format("rows of NaN in the notes' output: {} of {}; after a second layer: {} of {}",
                           rows_of_nan(notes.output), seq, rows_of_nan(second), seq));
    trace.note(fmt::format("rows of NaN in the gradient that output 0 alone sends to x: {} of {}",
                           rows_of_nan(Tensor(x.grad())), seq));
    try {
        (void)mask_from_additive(Tensor::from({3}, {1.0f, 1.0f, 0.0f}));  // as the padding mask of the notes
    } catch (const ValueError& error) {
        trace.note(error.what());
    }
}

}  // namespace

HeatMapFigure show_additive_as_boolean(Show& show, const Example& e) {
    const std::size_t seq = e.tokens.size();
    const Tensor additive = notes_causal_mask(seq);
    const Tensor right = e.attention(e.x, e.x, e.x, mask_from_additive(additive)).weights;
    const Tensor x(e.x.array(), true);
    const AttentionOutput notes = notes_attention(e.attention, x, additive);
    const Array right_map = attention_map(right, 0, 0), notes_map = attention_map(notes.weights, 0, 0);
    print_rows(show.out, e.tokens, right_map, notes_map);

    show.out << '\n';
    tell_consequences(show.trace, e.attention, x, notes, additive);

    xt::xarray<bool> lower = map_of(causal_mask(seq), 0, seq, seq), upper = lower;
    for (std::size_t i = 0; i < upper.size(); ++i) upper.data()[i] = !lower.data()[i];
    for (std::size_t j = 0; j < seq; ++j) upper(seq - 1, j) = true;  // NaN is drawn, not blank
    show.out << '\n';
    print_heat_map(show.out, notes_map,
                   {.title = "the notes' causal attention, head 1",
                    .rows = e.tokens,
                    .columns = e.tokens,
                    .allowed = upper},
                   show.style);
    return {.name = "fault",
            .title = "The same scores under a causal mask, head 1, untrained",
            .panels = {{"correct: true = may attend", right_map, e.tokens, e.tokens, lower},
                       {"misread: 0 / -inf, read by mask == 0", notes_map, e.tokens, e.tokens, upper}},
            .panels_per_row = 2,
            .caption =
                "Left, a query sees itself and earlier words. Right, the misread mask does the opposite: "
                "all weight lies on later words, and the last query has none, so its row is NaN. Grey "
                "cells are hidden; numbers under .05 are not written."};
}

}  // namespace tfs

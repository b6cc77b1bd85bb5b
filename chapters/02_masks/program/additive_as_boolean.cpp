// chapters/02_masks/program/additive_as_boolean.cpp · an additive mask, read as a boolean one
#include "chapters/02_masks/program/sections.hpp"

#include <fmt/ostream.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace tfs {

namespace {

constexpr float minus_infinity = -std::numeric_limits<float>::infinity();

// As many programs write it: 0 on and below the diagonal, -infinity above it.
Tensor additive_causal_mask(std::size_t seq) {
    Array additive = Array::from_shape({1, 1, seq, seq});
    for (std::size_t i = 0; i < seq; ++i) {
        for (std::size_t j = 0; j < seq; ++j) additive(0, 0, i, j) = j > i ? minus_infinity : 0.0f;
    }
    return Tensor(additive);
}

// scores.masked_fill(mask == 0, -inf), made for a mask of ones and zeros: it takes a Tensor, so any float mask gets in.
Tensor filled_where_zero(const Tensor& scores, const Tensor& mask) {
    xt::xarray<bool> allowed = xt::xarray<bool>::from_shape(mask.shape());
    for (std::size_t i = 0; i < mask.size(); ++i) allowed.data()[i] = !(mask.values()[i] == 0.0f);
    return masked_fill(scores, Mask(allowed), minus_infinity);
}

// F.softmax of PyTorch: in a row of only -infinity, -inf - (-inf) is NaN.
Tensor pytorch_softmax(const Tensor& x) {
    const Tensor e = exp(x - max(x, -1, KeepDims::yes));
    return e / sum(e, -1, KeepDims::yes);
}

AttentionOutput misread_attention(const MultiHeadAttention& m, const Tensor& x, const Tensor& mask) {
    const Tensor q = split_heads(m.w_q(x), m.num_heads), k = split_heads(m.w_k(x), m.num_heads);
    const Tensor scores = matmul(q, k, Transpose::b) / std::sqrt(static_cast<float>(q.size(-1)));
    const Tensor weights = pytorch_softmax(filled_where_zero(scores, mask));
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

void print_rows(std::ostream& out, const Tokens& tokens, const Array& right, const Array& misread) {
    fmt::print(out, "  {} {:>12} {:>12} {:>26} {:>12}\n", pad("query", 10), "keys seen", "misread",
               "weight on later words", "misread");
    for (std::size_t i = 0; i < tokens.size(); ++i) {
        const float wrong = on_the_future(misread, i);
        const std::string share = std::isnan(wrong) ? "NaN" : fmt::format("{:.3f}", wrong);
        fmt::print(out, "  {} {:>12} {:>12} {:>26.3f} {:>12}\n", pad(truncate(tokens[i], 10, "~"), 10), i + 1,
                   tokens.size() - i - 1, on_the_future(right, i), share);
    }
}

// One NaN spreads to the next layer, and to the gradient. And what the conversion says to a mask of ones and zeros.
void tell_consequences(Trace& trace, const MultiHeadAttention& attention, const Tensor& x,
                       const AttentionOutput& misread, const Tensor& additive) {
    const std::size_t seq = x.size(1);
    const Tensor second = misread_attention(attention, misread.output.detach(), additive).output;
    sum(slice(misread.output, 1, 0, 1)).backward();  // of the first query alone, which is free of NaN
    trace.note(fmt::format("rows of NaN in the misread output: {} of {}; after a second layer: {} of {}",
                           rows_of_nan(misread.output), seq, rows_of_nan(second), seq));
    trace.note(fmt::format("rows of NaN in the gradient that output 0 alone sends to x: {} of {}",
                           rows_of_nan(Tensor(x.grad())), seq));
    try {
        (void)mask_from_additive(Tensor::from({3}, {1.0f, 1.0f, 0.0f}));
    } catch (const ValueError& error) {
        trace.note(error.what());
    }
}

}  // namespace

void show_additive_as_boolean(Show& show, const Example& e) {
    const std::size_t seq = e.tokens.size();
    const Tensor additive = additive_causal_mask(seq);
    const Tensor right = e.attention(e.x, e.x, e.x, mask_from_additive(additive)).weights;
    const Tensor x(e.x.array(), true);
    const AttentionOutput misread = misread_attention(e.attention, x, additive);
    print_rows(show.out, e.tokens, attention_map(right, 0, 0), attention_map(misread.weights, 0, 0));

    show.out << '\n';
    tell_consequences(show.trace, e.attention, x, misread, additive);
}

}  // namespace tfs

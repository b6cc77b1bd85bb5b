// chapters/02_masks/program/additive_as_boolean.cpp · an additive mask, read as a boolean one
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "chapters/02_masks/program/options.hpp"

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

Table weight_on_the_future(const Tokens& tokens, const Array& right, const Array& misread) {
    Table table{.columns = {{"query"},
                            {"keys seen", whole()},
                            {"keys seen, misread", whole()},
                            {"weight on later words", fixed(3)},
                            {"the same, misread", fixed(3)}}};
    for (std::size_t i = 0; i < tokens.size(); ++i)
        table.add(
            {tokens[i], i + 1, tokens.size() - i - 1, on_the_future(right, i), on_the_future(misread, i)});
    return table;
}

// What the conversion says to a mask of ones and zeros.
std::string refusal_of_ones_and_zeros() try {
    (void)mask_from_additive(Tensor::from({3}, {1.0f, 1.0f, 0.0f}));
    return "mask_from_additive: takes ones and zeros";
} catch (const ValueError& error) {
    return error.what();
}

Report show_additive_as_boolean(const Request& request) {
    const PaddedBatch batch = padded_batch(request);
    const UntrainedAttention untrained = untrained_attention(batch, request);
    const MultiHeadAttention& attention = untrained.attention;
    const Tensor x(untrained.x.array(), true);
    const std::size_t seq = x.size(1);
    const Tensor additive = additive_causal_mask(seq);
    const Tensor right = attention(x, x, x, mask_from_additive(additive)).weights;
    const AttentionOutput misread = misread_attention(attention, x, additive);
    const Tensor second = misread_attention(attention, misread.output.detach(), additive).output;
    sum(slice(misread.output, 1, 0, 1)).backward();  // of the first query alone, which is free of NaN
    Report report;
    report.add(
        weight_on_the_future(batch.text(), attention_map(right, 0, 0), attention_map(misread.weights, 0, 0)));
    report.note(fmt::format("rows of NaN in the misread output: {} of {}; after a second layer: {} of {}",
                            rows_of_nan(misread.output), seq, rows_of_nan(second), seq));
    report.note(fmt::format("rows of NaN in the gradient that output 0 alone sends to x: {} of {}",
                            rows_of_nan(Tensor(x.grad())), seq));
    report.note(refusal_of_ones_and_zeros());
    return report;
}

}  // namespace

Sections additive_as_boolean_sections() {
    return {{"additive-as-boolean",
             "An additive causal mask, read as a boolean one",
             show_additive_as_boolean,
             {options::text, options::heads, options::d_model, options::seed},
             Level::deeper}};
}

}  // namespace tfs

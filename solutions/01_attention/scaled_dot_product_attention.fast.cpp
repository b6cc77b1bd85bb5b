// Step 1.2 · scaled_dot_product_attention, fast
// solutions/01_attention/scaled_dot_product_attention.fast.cpp · scores, mask, softmax and sum in one pass per block
#include <algorithm>
#include <cmath>
#include <limits>

#include "chapters/01_attention/attention.hpp"
#include "chapters/01_attention/given/checks.hpp"
#include "common/kernels/gemm.hpp"
#include "common/kernels/row_kernels.hpp"

namespace tfs {

namespace {

// The sizes of one attention: `heads` counts all leading axes together.
struct Sizes {
    std::size_t heads = 1, query = 0, key = 0, d_k = 0, d_v = 0;
    float scale = 1.0f;

    Sizes(const Tensor& q, const Tensor& k, const Tensor& v)
        : query(q.size(-2)),
          key(k.size(-2)),
          d_k(q.size(-1)),
          d_v(v.size(-1)),
          scale(1.0f / std::sqrt(static_cast<float>(d_k))) {
        for (std::size_t axis = 0; axis + 2 < q.rank(); ++axis) heads *= q.shape()[axis];
    }
};

// A mask's rows without writing them out for every head.
struct MaskRows {
    xt::xarray<bool> allowed;
    Shape leading;                     // of the scores: all axes but the last
    std::vector<std::size_t> steps;    // in `allowed`, for each axis of the scores (0 where it repeats)
    std::size_t keys_in_all;           // of a row of the scores
    std::size_t row_size;              // of `allowed`: the number of keys, or 1
    std::vector<std::size_t> reaches;  // for each row of `allowed`: behind so many keys it allows none

    MaskRows(const Mask& mask, const Shape& scores) : allowed(mask.array()), leading(scores) {
        if (broadcast_shapes(mask.shape(), scores, "mask") != scores) (void)mask.expanded(scores);  // throws
        steps = broadcast_strides(mask.shape(), scores);
        leading.pop_back();
        keys_in_all = scores.back();
        row_size = mask.shape().empty() ? 1 : mask.shape().back();
        for (std::size_t end = row_size; row_size > 0 && end <= allowed.size(); end += row_size) {
            std::size_t keys = row_size;
            while (keys > 0 && !allowed.data()[end - row_size + keys - 1]) --keys;
            reaches.push_back(row_size == 1 ? keys * keys_in_all : keys);
        }
    }

    // Where row (head, query) of the scores begins in `allowed`.
    std::size_t start(std::size_t row) const { return broadcast_offset(row, leading, steps); }

    // None of these rows may attend to a key behind the first so many.
    std::size_t reach(std::size_t row, std::size_t rows) const {
        std::size_t farthest = 0;
        for (std::size_t r = row; r < row + rows && row_size > 0; ++r)
            farthest = std::max(farthest, reaches[start(r) / row_size]);
        return farthest;
    }

    void hide(std::size_t row, float* scores, std::size_t keys) const {
        constexpr float infinity = std::numeric_limits<float>::infinity();
        // As bytes: g++ does not vectorise a loop that reads bool.
        const auto* entry = reinterpret_cast<const unsigned char*>(allowed.data() + start(row));
        if (row_size != keys_in_all) {  // one entry for all keys
            if (*entry == 0) std::fill_n(scores, keys, -infinity);
            return;
        }
#pragma omp simd
        for (std::size_t j = 0; j < keys; ++j) scores[j] = entry[j] == 0 ? -infinity : scores[j];
    }
};

// output = weights v, summed over slices of the keys: products of fewer than a million multiplications OpenBLAS computes
// without packing its operands first, which for so thin a v is a fifth faster (with AVX-512; elsewhere it makes no difference).
void weighted_sum(const Sizes& s, std::size_t rows, std::size_t keys, const float* weights, const float* v,
                  float* output) {
    const std::size_t slice = std::max<std::size_t>(1'000'000 / (rows * s.d_v + 1) / 16 * 16, 64);
    for (std::size_t begin = 0; begin == 0 || begin < keys; begin += slice) {  // no keys at all give zeros
        kernels::gemm({.m = rows,
                       .n = s.d_v,
                       .k = std::min(slice, keys - begin),
                       .lda = s.key,
                       .ldb = s.d_v,
                       .ldc = s.d_v,
                       .beta = begin == 0 ? 0.0f : 1.0f},
                      weights + begin, v + begin * s.d_v, output);
    }
}

// Weights and output of all heads. Queries go in blocks whose scores stay in the cache from the product to the sum, and
// which are small enough that under a causal mask the early ones skip most keys.
void forward(const Sizes& s, const Tensor& q, const Tensor& k, const Tensor& v, const MaskRows* mask,
             float* weights, float* output) {
    constexpr std::size_t cached_scores = 128 * 1024;  // floats: half a MiB
    const std::size_t fitting = cached_scores / std::max<std::size_t>(s.key, 1);
    const std::size_t block =
        std::min(std::clamp<std::size_t>(fitting, 32, 128), std::max<std::size_t>(s.query, 1));
    const std::size_t blocks = (s.query + block - 1) / block;
    kernels::parallel_products(s.heads * blocks, block * s.key * (s.d_k + s.d_v), [&](std::size_t i) {
        const std::size_t head = i / blocks, begin = i % blocks * block;
        const std::size_t rows = std::min(block, s.query - begin), row = head * s.query + begin;
        const std::size_t keys = mask ? mask->reach(row, rows) : s.key;
        float* w = weights + row * s.key;
        // 1. scores = q kᵀ
        kernels::gemm(
            {.m = rows, .n = keys, .k = s.d_k, .transpose_b = true, .lda = s.d_k, .ldb = s.d_k, .ldc = s.key},
            q.values().data() + row * s.d_k, k.values().data() + head * s.key * s.d_k, w);
        // 2. weights = softmax(scores / sqrt(d_k)), in place
        for (std::size_t r = 0; r < rows; ++r) {
            float* w_row = w + r * s.key;
            if (mask) mask->hide(row + r, w_row, keys);
            kernels::softmax_row(w_row, w_row, keys, s.scale);
            std::fill(w_row + keys, w_row + s.key, 0.0f);
        }
        // 3. output = weights v
        weighted_sum(s, rows, keys, w, v.values().data() + head * s.key * s.d_v, output + row * s.d_v);
    });
}

// The product C (m, n) of contiguous matrices, summed over k.
kernels::Gemm contiguous(std::size_t m, std::size_t n, std::size_t k, Transpose transposed) {
    const bool ta = transposed == Transpose::a, tb = transposed == Transpose::b;
    return {.m = m,
            .n = n,
            .k = k,
            .transpose_a = ta,
            .transpose_b = tb,
            .lda = ta ? m : k,
            .ldb = tb ? k : n,
            .ldc = n};
}

// Room for the gradient of x, if it requires one.
Array gradient_of(const Tensor& x) { return Array::from_shape(x.requires_grad() ? x.shape() : Shape{0}); }

// d weights -> d scores -> dq = d scores k, dk = d scoresᵀ q
void backward_of_weights(const Sizes& s, const Tensor& q, const Tensor& k, const Array& weights,
                         const Array& grad) {
    Array d_scores = Array::from_shape(weights.shape());
    kernels::softmax_rows_backward({weights.data(), weights.size()}, {grad.data(), grad.size()},
                                   {d_scores.data(), d_scores.size()}, s.key, s.scale);
    Array dq = gradient_of(q), dk = gradient_of(k);
    const auto for_q = contiguous(s.query, s.d_k, s.key, Transpose::none);
    const auto for_k = contiguous(s.key, s.d_k, s.query, Transpose::a);
    kernels::parallel_products(s.heads, 2 * s.query * s.key * s.d_k, [&](std::size_t head) {
        const float* d = d_scores.data() + head * s.query * s.key;
        const std::size_t q_start = head * s.query * s.d_k, k_start = head * s.key * s.d_k;
        if (q.requires_grad()) kernels::gemm(for_q, d, k.values().data() + k_start, dq.data() + q_start);
        if (k.requires_grad()) kernels::gemm(for_k, d, q.values().data() + q_start, dk.data() + k_start);
    });
    add_to_grad(q, std::move(dq));
    add_to_grad(k, std::move(dk));
}

// d output -> d weights = d output vᵀ, dv = weightsᵀ d output
void backward_of_output(const Sizes& s, const Tensor& weights, const Tensor& v, const Array& grad) {
    Array dw = gradient_of(weights), dv = gradient_of(v);
    const auto for_w = contiguous(s.query, s.key, s.d_v, Transpose::b);
    const auto for_v = contiguous(s.key, s.d_v, s.query, Transpose::a);
    kernels::parallel_products(s.heads, 2 * s.query * s.key * s.d_v, [&](std::size_t head) {
        const float* d = grad.data() + head * s.query * s.d_v;
        const std::size_t w_start = head * s.query * s.key, v_start = head * s.key * s.d_v;
        if (weights.requires_grad())
            kernels::gemm(for_w, d, v.values().data() + v_start, dw.data() + w_start);
        if (v.requires_grad())
            kernels::gemm(for_v, weights.values().data() + w_start, d, dv.data() + v_start);
    });
    add_to_grad(weights, std::move(dw));
    add_to_grad(v, std::move(dv));
}

}  // namespace

AttentionOutput scaled_dot_product_attention(const Tensor& q, const Tensor& k, const Tensor& v,
                                             const std::optional<Mask>& mask) {
    require_attention_shapes(q, k, v);
    const Sizes s(q, k, v);
    Shape weights_shape = q.shape(), output_shape = q.shape();
    weights_shape.back() = s.key;
    output_shape.back() = s.d_v;
    std::optional<MaskRows> rows;
    if (mask) rows.emplace(*mask, weights_shape);
    Array weights = Array::from_shape(weights_shape), output = Array::from_shape(output_shape);
    forward(s, q, k, v, rows ? &*rows : nullptr, weights.data(), output.data());

    // Two entries on the tape, because a caller may send a gradient through the weights as well.
    const Tensor recorded_weights = record(
        std::move(weights), {q, k},
        [s, q, k](const Array& result, const Array& grad) { backward_of_weights(s, q, k, result, grad); });
    const Tensor recorded_output = record(std::move(output), {recorded_weights, v},
                                          [s, recorded_weights, v](const Array&, const Array& grad) {
                                              backward_of_output(s, recorded_weights, v, grad);
                                          });
    return {recorded_output, recorded_weights};
}

}  // namespace tfs

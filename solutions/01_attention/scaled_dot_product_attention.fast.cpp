// Step 1.3 · scaled_dot_product_attention, fast
// solutions/01_attention/scaled_dot_product_attention.fast.cpp · scores, mask, softmax and sum in one pass per block
#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>
#include <vector>

#include "chapters/01_attention/attention.hpp"
#include "chapters/01_attention/given/attention_checks.hpp"
#include "common/kernels/attention_tiles.hpp"
#include "common/kernels/gemm.hpp"
#include "common/kernels/row_kernels.hpp"
#include "common/tensor/score_rows.hpp"

namespace tfs {

namespace {

// The sizes of one attention: `heads` counts all leading axes together; without values d_v is 0.
struct Sizes {
    std::size_t heads = 1, query = 0, key = 0, d_k = 0, d_v = 0;
    float scale = 1.0f;

    Sizes(const Tensor& q, const Tensor& k, std::size_t width_of_values)
        : query(q.size(-2)),
          key(k.size(-2)),
          d_k(q.size(-1)),
          d_v(width_of_values),
          scale(1.0f / std::sqrt(static_cast<float>(d_k))) {
        for (std::size_t axis = 0; axis + 2 < q.rank(); ++axis) heads *= q.shape()[axis];
    }
};

// The shape of q, with another last axis.
Shape shape_of_rows(const Tensor& q, std::size_t last) {
    Shape shape = q.shape();
    shape.back() = last;
    return shape;
}

// A block of queries of one head, whose scores stay in the cache from one product to the next.
struct Block {
    std::size_t rows, keys;  // queries, and keys: behind them all is masked
    std::size_t row, key;    // the first of each, counted over all heads
};

// All queries of all heads in blocks, head by head; small enough that under a causal mask the early ones skip most keys.
struct Blocks {
    std::size_t size, per_head;
    std::vector<Block> all;

    Blocks(const Sizes& s, const ScoreRows& masked) {
        constexpr std::size_t cached_scores = 128 * 1024;  // floats: half a MiB
        const std::size_t fitting = cached_scores / std::max<std::size_t>(s.key, 1);
        size = std::min(std::clamp<std::size_t>(fitting, 32, 64), std::max<std::size_t>(s.query, 1));
        per_head = (s.query + size - 1) / size;
        for (std::size_t i = 0; i < s.heads * per_head; ++i) {
            const std::size_t head = i / per_head, begin = i % per_head * size;
            const std::size_t row = head * s.query + begin, rows = std::min(size, s.query - begin);
            all.push_back({rows, masked.reach(row, rows, s.key), row, head * s.key});
        }
    }
};

// The three products of a block, of whole tensors x (…, query, d) and y (…, key, d), and the rows w (query, key) of the
// block: w = x yᵀ, x = w y and y += wᵀ x. The forward pass needs the first two, the backward pass each for two gradients.
void compare(const Sizes& s, const Block& b, std::size_t d, const float* x, const float* y, float* w) {
    kernels::gemm({.m = b.rows, .n = b.keys, .k = d, .transpose_b = true, .lda = d, .ldb = d, .ldc = s.key},
                  x + b.row * d, y + b.key * d, w);
}

// Summed over slices of the keys: products of fewer than a million multiplications OpenBLAS computes without packing its
// operands first, which for so thin a y is a fifth faster (with AVX-512; elsewhere it makes no difference).
void sum_over_keys(const Sizes& s, const Block& b, std::size_t d, const float* w, const float* y, float* x) {
    const std::size_t slice = std::max<std::size_t>(1'000'000 / (b.rows * d + 1) / 16 * 16, 64);
    for (std::size_t begin = 0; begin == 0 || begin < b.keys; begin += slice) {  // no keys at all give zeros
        const std::size_t keys = std::min(slice, b.keys - begin);
        const float beta = begin == 0 ? 0.0f : 1.0f;
        kernels::gemm({.m = b.rows, .n = d, .k = keys, .lda = s.key, .ldb = d, .ldc = d, .beta = beta},
                      w + begin, y + (b.key + begin) * d, x + b.row * d);
    }
}

void add_to_keys(const Sizes& s, const Block& b, std::size_t d, const float* w, const float* x, float* y) {
    kernels::Gemm g{.m = b.keys, .n = d, .k = b.rows, .lda = s.key, .ldb = d, .ldc = d, .beta = 1.0f};
    g.transpose_a = true;
    kernels::gemm(g, w, x + b.row * d, y + b.key * d);
}

// The rows (query, key) of a block in an array (…, query, key).
float* block_of(const Sizes& s, const Block& b, float* all) { return all + b.row * s.key; }
const float* block_of(const Sizes& s, const Block& b, const Array& all) { return all.data() + b.row * s.key; }

// The weights (query, key) of a block.
void weigh(const Sizes& s, const Block& b, const Tensor& q, const Tensor& k, const ScoreRows& masked,
           float* rows) {
    // 1. scores = q kᵀ
    compare(s, b, s.d_k, q.values().data(), k.values().data(), rows);
    // 2. weights = softmax(scores / sqrt(d_k) + bias), in place
    masked.weigh(b.row, b.rows, s.scale, rows, b.keys, s.key);
    for (std::size_t r = 0; r < b.rows; ++r) std::fill_n(rows + r * s.key + b.keys, s.key - b.keys, 0.0f);
}

void forward_of_weights(const Sizes& s, const Blocks& blocks, const Tensor& q, const Tensor& k,
                        const ScoreRows& masked, float* weights) {
    kernels::parallel_products(blocks.all.size(), blocks.size * s.key * s.d_k, [&](std::size_t i) {
        weigh(s, blocks.all[i], q, k, masked, block_of(s, blocks.all[i], weights));
    });
}

// Output of all heads, and their weights.
void forward(const Sizes& s, const Blocks& blocks, const Tensor& q, const Tensor& k, const Tensor& v,
             const ScoreRows& masked, float* weights, float* output) {
    const std::size_t work = blocks.size * s.key * (s.d_k + s.d_v);
    kernels::parallel_products(blocks.all.size(), work, [&](std::size_t i) {
        const Block& b = blocks.all[i];
        float* rows = block_of(s, b, weights);
        weigh(s, b, q, k, masked, rows);
        // 3. output = weights v
        sum_over_keys(s, b, s.d_v, rows, v.values().data(), output);
    });
}

// Room for the gradient of x, if it requires one.
Array gradient_of(const Tensor& x) { return Array::from_shape(x.requires_grad() ? x.shape() : Shape{0}); }

Array zero_gradient_of(const Tensor& x) {
    Array zeros = gradient_of(x);
    std::fill_n(zeros.data(), zeros.size(), 0.0f);
    return zeros;
}

// Calls body(block) for all blocks; those of one head one after the other, because they add to the same keys.
template <class Body>
void for_each_block(const Sizes& s, const Blocks& blocks, std::size_t d, const Body& body) {
    kernels::parallel_products(s.heads, 2 * s.query * s.key * d, [&](std::size_t head) {
        for (std::size_t i = 0; i < blocks.per_head; ++i) body(blocks.all[head * blocks.per_head + i]);
    });
}

// d scores, times scale -> d bias: the sum over all that it was added to.
void add_to_bias(const Sizes& s, const Blocks& blocks, const Tensor& bias, const Array& scaled) {
    const BiasRows rows(bias, shape_of(scaled));
    Array db = zero_gradient_of(bias);
    for (const Block& b : blocks.all)
        for (std::size_t r = b.row; r < b.row + b.rows; ++r) {
            const float* d = scaled.data() + r * s.key;
            float* sums = db.data() + rows.start(r);
            for (std::size_t j = 0; j < b.keys; ++j) sums[j * rows.steps.back()] += d[j] / s.scale;
        }
    add_to_grad(bias, std::move(db));
}

// d weights -> d scores, in place -> dq = d scores k, dk = d scoresᵀ q. Where a weight is 0, so is its d score.
void backward_of_weights(const Sizes& s, const Blocks& blocks, const Tensor& q, const Tensor& k,
                         const std::optional<Tensor>& bias, const Array& weights, Array grad) {
    Array dq = gradient_of(q), dk = zero_gradient_of(k);
    for_each_block(s, blocks, s.d_k, [&](const Block& b) {
        for (std::size_t row = b.row; row < b.row + b.rows; ++row) {
            float* d = grad.data() + row * s.key;
            kernels::softmax_row_backward(weights.data() + row * s.key, d, d, b.keys, s.scale);
        }
        const float* d = block_of(s, b, grad);
        if (q.requires_grad()) sum_over_keys(s, b, s.d_k, d, k.values().data(), dq.data());
        if (k.requires_grad()) add_to_keys(s, b, s.d_k, d, q.values().data(), dk.data());
    });
    add_to_grad(q, std::move(dq));
    add_to_grad(k, std::move(dk));
    if (bias) add_to_bias(s, blocks, *bias, grad);
}

// d output -> d weights = d output vᵀ, dv = weightsᵀ d output
void backward_of_output(const Sizes& s, const Blocks& blocks, const Tensor& weights, const Tensor& v,
                        const Array& grad) {
    Array dw = gradient_of(weights), dv = zero_gradient_of(v);
    for_each_block(s, blocks, s.d_v, [&](const Block& b) {
        if (weights.requires_grad()) {
            compare(s, b, s.d_v, grad.data(), v.values().data(), block_of(s, b, dw.data()));
            for (std::size_t row = b.row; row < b.row + b.rows; ++row)
                std::fill_n(dw.data() + row * s.key + b.keys, s.key - b.keys, 0.0f);
        }
        if (v.requires_grad())
            add_to_keys(s, b, s.d_v, block_of(s, b, weights.array()), grad.data(), dv.data());
    });
    add_to_grad(weights, std::move(dw));
    add_to_grad(v, std::move(dv));
}

Tensor record_weights(Array weights, const Sizes& s, const Blocks& blocks, const Tensor& q, const Tensor& k,
                      const std::optional<Tensor>& bias) {
    std::vector<Tensor> inputs = {q, k};
    const std::optional<Tensor> learned = bias && bias->requires_grad() ? bias : std::nullopt;
    if (learned) inputs.push_back(*learned);
    return record(std::move(weights), inputs, [s, blocks, q, k, learned](const Array& result, Array grad) {
        backward_of_weights(s, blocks, q, k, learned, result, std::move(grad));
    });
}

// Where nobody asks for the weights, they are never there all at once: neither now nor for the gradients.
AttentionOutput in_tiles(const Sizes& s, const Tensor& q, const Tensor& k, const Tensor& v,
                         const ScoreRows& masked) {
    Array output = Array::from_shape(shape_of_rows(q, s.d_v)),
          log_sums = Array::from_shape({s.heads * s.query});
    kernels::AttentionTiles tiles{s.heads, s.query, s.key, s.d_k, s.d_v, s.scale};
    masked.tell(tiles);
    kernels::attention_forward(tiles, q.values().data(), k.values().data(), v.values().data(), output.data(),
                               log_sums.data());
    const auto backward = [tiles, masked, q, k, v, log_sums = std::move(log_sums)](
                              const Array& result, const Array& grad) mutable {
        masked.tell(tiles);
        Array dq = gradient_of(q), dk = gradient_of(k), dv = gradient_of(v);
        const auto place = [](Array& x) { return x.size() > 0 ? x.data() : nullptr; };
        kernels::attention_backward(tiles, q.values().data(), k.values().data(), v.values().data(),
                                    result.data(), log_sums.data(), grad.data(), place(dq), place(dk),
                                    place(dv));
        add_to_grad(q, std::move(dq));
        add_to_grad(k, std::move(dk));
        add_to_grad(v, std::move(dv));
    };
    return {record(std::move(output), {q, k, v}, backward), no_weights()};
}

}  // namespace

Tensor attention_weights(const Tensor& q, const Tensor& k, const std::optional<Mask>& mask,
                         const std::optional<Tensor>& bias) {
    require_attention_shapes(q, k);
    const Sizes s(q, k, 0);
    const Shape shape = shape_of_rows(q, s.key);
    const ScoreRows masked(mask, bias, shape);
    const Blocks blocks(s, masked);
    Array weights = Array::from_shape(shape);
    forward_of_weights(s, blocks, q, k, masked, weights.data());
    return record_weights(std::move(weights), s, blocks, q, k, bias);
}

AttentionOutput scaled_dot_product_attention(const Tensor& q, const Tensor& k, const Tensor& v,
                                             const std::optional<Mask>& mask,
                                             const std::optional<Tensor>& bias, Weights keep) {
    require_attention_shapes(q, k, v);
    const Sizes s(q, k, v.size(-1));
    const Shape weights_shape = shape_of_rows(q, s.key);
    const ScoreRows masked(mask, bias, weights_shape);
    const bool tiles_pay = s.query >= 16 && !(bias && bias->requires_grad());
    if (keep == Weights::none && tiles_pay) return in_tiles(s, q, k, v, masked);
    const Blocks blocks(s, masked);
    Array output = Array::from_shape(shape_of_rows(q, s.d_v));
    Array weights = Array::from_shape(weights_shape);
    forward(s, blocks, q, k, v, masked, weights.data(), output.data());

    // Two entries on the tape, because a caller may send a gradient through the weights as well.
    const Tensor recorded_weights = record_weights(std::move(weights), s, blocks, q, k, bias);
    const Tensor recorded_output = record(std::move(output), {recorded_weights, v},
                                          [s, blocks, recorded_weights, v](const Array&, const Array& grad) {
                                              backward_of_output(s, blocks, recorded_weights, v, grad);
                                          });
    return {recorded_output, keep == Weights::keep ? recorded_weights : no_weights()};
}

}  // namespace tfs

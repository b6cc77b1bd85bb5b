// Step 1.3 · scaled_dot_product_attention, fast
// solutions/01_attention/scaled_dot_product_attention.fast.cpp · where nobody asks for the weights, they are never all there at once
#include <cmath>
#include <limits>
#include <optional>
#include <span>
#include <utility>

#include "chapters/01_attention/attention.hpp"
#include "chapters/01_attention/given/attention_checks.hpp"
#include "common/base/parallel.hpp"
#include "common/kernels/row_kernels.hpp"
#include "common/tensor/score_rows.hpp"
#include "common/tensor/tiled_attention.hpp"

namespace tfs {

namespace {

const FastStep loaded(FastStep::Of::attention);

bool learns(const std::optional<Tensor>& bias) { return bias && is_recorded({*bias}); }

// Off the tape.
Array product_of(const Tensor& a, const Tensor& b, Transpose transposed = Transpose::none) {
    const NoGrad no_grad;
    return matmul(a, b, transposed).array();
}

}  // namespace

Tensor attention_weights(const Tensor& q, const Tensor& k, const std::optional<Mask>& mask,
                         const std::optional<Tensor>& bias) {
    require_attention_shapes(q, k);
    const float scale = 1.0f / std::sqrt(static_cast<float>(q.size(-1)));
    if (learns(bias)) {
        const Tensor scaled = matmul(q, k, Transpose::b) * scale + *bias;
        return softmax(mask ? masked_fill(scaled, *mask, -std::numeric_limits<float>::infinity()) : scaled);
    }
    const std::size_t query = q.size(-2), key = k.size(-2);
    Array weights = product_of(q, k, Transpose::b);
    const ScoreRows changed(mask, bias, shape_of(weights));
    parallel_rows(k.size() / (key * k.size(-1)), query * key, [&](std::size_t head) {
        changed.weigh(head * query, query, scale, weights.data() + head * query * key, key, key);
    });
    // Of all scores and weights only the weights are kept for the gradients.
    return record(std::move(weights), {q, k}, [q, k, scale](const Array& result, Array grad) {
        const std::span<float> ds{grad.data(), grad.size()};
        kernels::softmax_rows_backward({result.data(), result.size()}, ds, ds, k.size(-2), scale);
        const Tensor d_scores(std::move(grad));
        if (q.requires_grad()) add_to_grad(q, product_of(d_scores, k));
        if (k.requires_grad()) add_to_grad(k, product_of(d_scores, q, Transpose::a));
    });
}

AttentionOutput scaled_dot_product_attention(const Tensor& q, const Tensor& k, const Tensor& v,
                                             const std::optional<Mask>& mask,
                                             const std::optional<Tensor>& bias, Weights keep) {
    require_attention_shapes(q, k, v);
    if (keep == Weights::none && tiles_pay(q, bias))
        return {tiled_attention(q, k, v, mask, bias), no_weights()};
    const Tensor weights = attention_weights(q, k, mask, bias);
    return {matmul(weights, v), keep == Weights::keep ? weights : no_weights()};
}

}  // namespace tfs

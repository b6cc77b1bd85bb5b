// Step 1.3 · scaled_dot_product_attention, fast
// solutions/01_attention/scaled_dot_product_attention.fast.cpp · where nobody asks for the weights, they are never all there at once
#include <cmath>
#include <limits>
#include <optional>
#include <utility>

#include "chapters/01_attention/attention.hpp"
#include "chapters/01_attention/given/attention_checks.hpp"
#include "common/kernels/attention_tiles.hpp"
#include "common/tensor/score_rows.hpp"

namespace tfs {

namespace {

Array gradient_of(const Tensor& x) { return Array::from_shape(x.requires_grad() ? x.shape() : Shape{0}); }

// All leading axes are heads. Neither now nor for the gradients there is more than a tile of weights.
Tensor in_tiles(const Tensor& q, const Tensor& k, const Tensor& v, const ScoreRows& changed) {
    Shape rows = q.shape();
    rows.back() = v.size(-1);
    Array output = Array::from_shape(rows);
    rows.pop_back();
    Array log_sums = Array::from_shape(rows);
    kernels::AttentionTiles tiles{.heads = q.size() / (q.size(-2) * q.size(-1)),
                                  .query = q.size(-2),
                                  .key = k.size(-2),
                                  .d_k = q.size(-1),
                                  .d_v = v.size(-1),
                                  .scale = 1.0f / std::sqrt(static_cast<float>(q.size(-1)))};
    changed.tell(tiles);
    kernels::attention_forward(tiles, q.values().data(), k.values().data(), v.values().data(), output.data(),
                               log_sums.data());
    return record(std::move(output), {q, k, v},
                  [tiles, changed, q, k, v, log_sums = std::move(log_sums)](const Array& result,
                                                                            const Array& grad) mutable {
                      changed.tell(tiles);  // this copy
                      Array dq = gradient_of(q), dk = gradient_of(k), dv = gradient_of(v);
                      const auto place = [](Array& x) { return x.size() > 0 ? x.data() : nullptr; };
                      kernels::attention_backward(tiles, q.values().data(), k.values().data(),
                                                  v.values().data(), result.data(), log_sums.data(),
                                                  grad.data(), place(dq), place(dk), place(dv));
                      add_to_grad(q, std::move(dq));
                      add_to_grad(k, std::move(dk));
                      add_to_grad(v, std::move(dv));
                  });
}

}  // namespace

Tensor attention_weights(const Tensor& q, const Tensor& k, const std::optional<Mask>& mask,
                         const std::optional<Tensor>& bias) {
    require_attention_shapes(q, k);
    Tensor scaled = matmul(q, k, Transpose::b) * (1.0f / std::sqrt(static_cast<float>(q.size(-1))));
    if (bias) scaled = scaled + *bias;
    if (mask) scaled = masked_fill(scaled, *mask, -std::numeric_limits<float>::infinity());
    return softmax(scaled);
}

AttentionOutput scaled_dot_product_attention(const Tensor& q, const Tensor& k, const Tensor& v,
                                             const std::optional<Mask>& mask,
                                             const std::optional<Tensor>& bias, Weights keep) {
    require_attention_shapes(q, k, v);
    const bool bias_learns = bias && bias->requires_grad(), few_queries = q.size(-2) < 16;
    if (keep == Weights::none && !bias_learns && !few_queries) {
        Shape scores = q.shape();
        scores.back() = k.size(-2);
        return {in_tiles(q, k, v, ScoreRows(mask, bias, scores)), no_weights()};
    }
    const Tensor weights = attention_weights(q, k, mask, bias);
    return {matmul(weights, v), keep == Weights::keep ? weights : no_weights()};
}

}  // namespace tfs

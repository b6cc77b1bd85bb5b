// Step 1.3 · scaled_dot_product_attention · ●●○ · 15 min
// solutions/01_attention/scaled_dot_product_attention.cpp
#include <cmath>
#include <limits>

#include "chapters/01_attention/attention.hpp"
#include "chapters/01_attention/given/attention_checks.hpp"

namespace tfs {

Tensor attention_weights(const Tensor& q, const Tensor& k, const std::optional<Mask>& mask,
                         const std::optional<Tensor>& bias) {
    require_attention_shapes(q, k);
    // begin: The weights softmax(q kᵀ / sqrt(d_k)). Where there is a bias, it is added to the scaled scores. A key that the
    // mask forbids gets the weight 0.
    const float scale = 1.0f / std::sqrt(static_cast<float>(q.size(-1)));
    Tensor scaled = matmul(q, k, Transpose::b) * scale;  // (batch, heads, query, key)
    if (bias) scaled = scaled + *bias;
    if (mask) scaled = masked_fill(scaled, *mask, -std::numeric_limits<float>::infinity());
    return softmax(scaled);  // (batch, heads, query, key)
    // end
}

AttentionOutput scaled_dot_product_attention(const Tensor& q, const Tensor& k, const Tensor& v,
                                             const std::optional<Mask>& mask,
                                             const std::optional<Tensor>& bias, Weights) {
    require_attention_shapes(q, k, v);
    // begin: The weighted mean of the values, and the weights, which attention_weights gives you.
    const Tensor weights = attention_weights(q, k, mask, bias);  // (batch, heads, query, key)
    return {matmul(weights, v), weights};                        // (batch, heads, query, d_v)
    // end
}

}  // namespace tfs

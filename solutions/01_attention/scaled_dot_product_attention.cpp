// Step 1.2 · scaled_dot_product_attention · ●●○ · 15 min
// solutions/01_attention/scaled_dot_product_attention.cpp
#include <cmath>
#include <limits>

#include "chapters/01_attention/attention.hpp"
#include "chapters/01_attention/given/checks.hpp"

namespace tfs {

AttentionOutput scaled_dot_product_attention(const Tensor& q, const Tensor& k, const Tensor& v,
                                             const std::optional<Mask>& mask) {
    require_attention_shapes(q, k, v);
    // begin: Equation 1 in four lines: the scores q kᵀ / sqrt(d_k); where there is a mask, -inf for the keys that it
    // forbids (`masked_fill`); the weights by softmax over the keys; the output as the weighted sum of the values.
    const float scale = 1.0f / std::sqrt(static_cast<float>(q.size(-1)));
    Tensor scores = matmul(q, k, Transpose::b) * scale;  // (batch, heads, query, key)
    if (mask) scores = masked_fill(scores, *mask, -std::numeric_limits<float>::infinity());
    const Tensor weights = softmax(scores);  // (batch, heads, query, key)
    return {matmul(weights, v), weights};    // (batch, heads, query, d_v)
    // end
}

}  // namespace tfs

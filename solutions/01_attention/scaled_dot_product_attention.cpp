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
    Tensor scaled;  // (batch, heads, query, key)
    // begin: The scaled scores q kᵀ / sqrt(d_k), into `scaled`. There may be two to four axes; the last two are -2 and -1.
    const float scale = 1.0f / std::sqrt(static_cast<float>(q.size(-1)));
    scaled = matmul(q, k, Transpose::b) * scale;  // (batch, heads, query, key)
    // end
    if (bias) scaled = scaled + *bias;  // chapter 03 adds one
    // Chapter 02 has masks: a forbidden key gets the score -inf, so the weight 0.
    if (mask) scaled = masked_fill(scaled, *mask, -std::numeric_limits<float>::infinity());
    // begin: The weights: a softmax over the keys.
    return softmax(scaled);  // (batch, heads, query, key)
    // end
}

// The last argument, which has no name here, says whether the caller reads the weights: the fast version asks it, yours need not.
AttentionOutput scaled_dot_product_attention(const Tensor& q, const Tensor& k, const Tensor& v,
                                             const std::optional<Mask>& mask,
                                             const std::optional<Tensor>& bias, Weights) {
    require_attention_shapes(q, k, v);
    const Tensor weights = attention_weights(q, k, mask, bias);  // (batch, heads, query, key)
    // begin: The weighted means of the values, and the weights: {output, weights}.
    return {matmul(weights, v), weights};  // (batch, heads, query, d_v)
    // end
}

}  // namespace tfs

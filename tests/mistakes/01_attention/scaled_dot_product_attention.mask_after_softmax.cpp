// tests/mistakes/01_attention/scaled_dot_product_attention.mask_after_softmax.cpp · step 1.2 done wrong
// Forbidden weights are cleared after the softmax.
// The checklist must say: "the mask is applied after the softmax"
#include <cmath>

#include "chapters/01_attention/attention.hpp"
#include "chapters/01_attention/given/checks.hpp"

namespace tfs {

AttentionOutput scaled_dot_product_attention(const Tensor& q, const Tensor& k, const Tensor& v,
                                             const std::optional<Mask>& mask) {
    require_attention_shapes(q, k, v);
    const float scale = 1.0f / std::sqrt(static_cast<float>(q.size(-1)));
    const Tensor scores = matmul(q, k, Transpose::b) * scale;  // (batch, heads, query, key)
    Tensor weights = softmax(scores);
    if (mask) weights = masked_fill(weights, *mask, 0.0f);
    return {matmul(weights, v), weights};  // (batch, heads, query, d_v)
}

}  // namespace tfs

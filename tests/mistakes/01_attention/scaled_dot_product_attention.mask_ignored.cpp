// tests/mistakes/01_attention/scaled_dot_product_attention.mask_ignored.cpp · step 1.2 done wrong
// The mask has no effect.
// The checklist must say: "the mask is ignored"
#include <cmath>

#include "chapters/01_attention/attention.hpp"
#include "chapters/01_attention/given/checks.hpp"

namespace tfs {

AttentionOutput scaled_dot_product_attention(const Tensor& q, const Tensor& k, const Tensor& v,
                                             const std::optional<Mask>& mask) {
    require_attention_shapes(q, k, v);
    const float scale = 1.0f / std::sqrt(static_cast<float>(q.size(-1)));
    Tensor scores = matmul(q, k, Transpose::b) * scale;  // (batch, heads, query, key)
    const Tensor weights = softmax(scores);              // (batch, heads, query, key)
    return {matmul(weights, v), weights};                // (batch, heads, query, d_v)
}

}  // namespace tfs

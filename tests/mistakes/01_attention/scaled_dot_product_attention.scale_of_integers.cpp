// tests/mistakes/01_attention/scaled_dot_product_attention.scale_of_integers.cpp · step 1.2 done wrong
// 1 / d_k of integers is 0.
// The checklist must say: "all weights are equal: the scale is 0"
#include <cmath>
#include <limits>

#include "chapters/01_attention/attention.hpp"
#include "chapters/01_attention/given/checks.hpp"

namespace tfs {

AttentionOutput scaled_dot_product_attention(const Tensor& q, const Tensor& k, const Tensor& v,
                                             const std::optional<Mask>& mask) {
    require_attention_shapes(q, k, v);
    const float scale = std::sqrt(static_cast<float>(1 / q.size(-1)));
    Tensor scores = matmul(q, k, Transpose::b) * scale;  // (batch, heads, query, key)
    if (mask) scores = masked_fill(scores, *mask, -std::numeric_limits<float>::infinity());
    const Tensor weights = softmax(scores);  // (batch, heads, query, key)
    return {matmul(weights, v), weights};
}

}  // namespace tfs

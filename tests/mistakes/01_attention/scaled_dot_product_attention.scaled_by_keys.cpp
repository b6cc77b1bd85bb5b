// tests/mistakes/01_attention/scaled_dot_product_attention.scaled_by_keys.cpp · step 1.2 done wrong
// The number of keys in place of d_k.
// The checklist must say: "the square root of the number of keys"
#include <cmath>
#include <limits>

#include "chapters/01_attention/attention.hpp"
#include "chapters/01_attention/given/checks.hpp"

namespace tfs {

AttentionOutput scaled_dot_product_attention(const Tensor& q, const Tensor& k, const Tensor& v,
                                             const std::optional<Mask>& mask) {
    require_attention_shapes(q, k, v);
    const float scale = 1.0f / std::sqrt(static_cast<float>(k.size(-2)));
    Tensor scores = matmul(q, k, Transpose::b) * scale;  // (batch, heads, query, key)
    if (mask) scores = masked_fill(scores, *mask, -std::numeric_limits<float>::infinity());
    const Tensor weights = softmax(scores);  // (batch, heads, query, key)
    return {matmul(weights, v), weights};
}

}  // namespace tfs

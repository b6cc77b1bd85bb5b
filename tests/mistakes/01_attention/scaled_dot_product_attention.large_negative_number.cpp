// tests/mistakes/01_attention/scaled_dot_product_attention.large_negative_number.cpp · step 1.2 done wrong
// Forbidden scores are -1e9.
// The checklist must say: "a large negative number instead of -infinity"
#include <cmath>

#include "chapters/01_attention/attention.hpp"
#include "chapters/01_attention/given/checks.hpp"

namespace tfs {

AttentionOutput scaled_dot_product_attention(const Tensor& q, const Tensor& k, const Tensor& v,
                                             const std::optional<Mask>& mask) {
    require_attention_shapes(q, k, v);
    const float scale = 1.0f / std::sqrt(static_cast<float>(q.size(-1)));
    Tensor scores = matmul(q, k, Transpose::b) * scale;  // (batch, heads, query, key)
    if (mask) scores = masked_fill(scores, *mask, -1e9f);
    const Tensor weights = softmax(scores);  // (batch, heads, query, key)
    return {matmul(weights, v), weights};
}

}  // namespace tfs

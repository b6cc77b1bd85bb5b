// tests/mistakes/01_attention/scaled_dot_product_attention.no_scaling.cpp · step 1.2 done wrong
// The scores are left as they are.
// The checklist must say: "the scores are not scaled"
#include <limits>

#include "chapters/01_attention/attention.hpp"
#include "chapters/01_attention/given/checks.hpp"

namespace tfs {

AttentionOutput scaled_dot_product_attention(const Tensor& q, const Tensor& k, const Tensor& v,
                                             const std::optional<Mask>& mask) {
    require_attention_shapes(q, k, v);
    Tensor scores = matmul(q, k, Transpose::b);  // (batch, heads, query, key)
    if (mask) scores = masked_fill(scores, *mask, -std::numeric_limits<float>::infinity());
    const Tensor weights = softmax(scores);  // (batch, heads, query, key)
    return {matmul(weights, v), weights};    // (batch, heads, query, d_v)
}

}  // namespace tfs

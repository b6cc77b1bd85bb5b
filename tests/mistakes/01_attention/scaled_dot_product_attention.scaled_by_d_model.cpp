// tests/mistakes/01_attention/scaled_dot_product_attention.scaled_by_d_model.cpp · step 1.2 done wrong
// Divided by sqrt(d_model), the width of all heads together.
// The checklist must say: "scaled by the width of the whole model"
#include <cmath>
#include <limits>

#include "chapters/01_attention/attention.hpp"
#include "chapters/01_attention/given/checks.hpp"

namespace tfs {

AttentionOutput scaled_dot_product_attention(const Tensor& q, const Tensor& k, const Tensor& v,
                                             const std::optional<Mask>& mask) {
    require_attention_shapes(q, k, v);
    const std::size_t heads = q.rank() > 2 ? q.size(-3) : 1;
    const float scale = 1.0f / std::sqrt(static_cast<float>(heads * q.size(-1)));
    Tensor scores = matmul(q, k, Transpose::b) * scale;  // (batch, heads, query, key)
    if (mask) scores = masked_fill(scores, *mask, -std::numeric_limits<float>::infinity());
    const Tensor weights = softmax(scores);  // (batch, heads, query, key)
    return {matmul(weights, v), weights};    // (batch, heads, query, d_v)
}

}  // namespace tfs

// tests/mistakes/06_residual_dropout/attention_with_dropout.dropout_on_the_scores.cpp · step 6.5 done wrong
// The scores are dropped, before the softmax.
// The checklist must say: "dropout acts on the scores, before the softmax"
#include <cmath>
#include <limits>

#include "chapters/06_residual_dropout/given/checks.hpp"
#include "chapters/06_residual_dropout/residual_dropout.hpp"

namespace tfs {

AttentionOutput attention_with_dropout(const MultiHeadAttention& attention, const Tensor& query,
                                       const Tensor& key, const Tensor& value,
                                       const std::optional<Mask>& mask, double p, Rng* rng) {
    require_rate("attention_with_dropout", p);
    if (rng == nullptr || p == 0.0) return attention(query, key, value, mask);
    const Tensor q = split_heads(attention.w_q(query), attention.num_heads);  // (batch, heads, query, d_k)
    const Tensor k = split_heads(attention.w_k(key), attention.num_heads);    // (batch, heads, key, d_k)
    const Tensor v = split_heads(attention.w_v(value), attention.num_heads);  // (batch, heads, key, d_v)
    const float scale = 1.0f / std::sqrt(static_cast<float>(q.size(-1)));
    Tensor scores = dropout(matmul(q, k, Transpose::b) * scale, p, rng);
    if (mask) scores = masked_fill(scores, *mask, -std::numeric_limits<float>::infinity());
    const Tensor weights = softmax(scores);
    return {attention.w_o(merge_heads(matmul(weights, v))), weights};  // (batch, query, d_model)
}

}  // namespace tfs

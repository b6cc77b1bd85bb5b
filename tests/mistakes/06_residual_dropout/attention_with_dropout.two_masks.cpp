// tests/mistakes/06_residual_dropout/attention_with_dropout.two_masks.cpp · step 6.5 done wrong
// The output and what is returned as its weights are dropped by two masks.
// The checklist must say: "two masks"
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
    const Tensor weights = scaled_dot_product_attention(q, k, v, mask).weights;
    const Tensor output = attention.w_o(merge_heads(matmul(dropout(weights, p, rng), v)));
    return {output, dropout(weights, p, rng)};
}

}  // namespace tfs

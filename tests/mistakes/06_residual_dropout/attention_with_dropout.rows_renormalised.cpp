// tests/mistakes/06_residual_dropout/attention_with_dropout.rows_renormalised.cpp · step 6.5 done wrong
// Each row is divided by its sum after dropout.
// The checklist must say: "the rows are made to sum to 1 again"
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
    const Tensor kept = dropout(scaled_dot_product_attention(q, k, v, mask).weights, p, rng);
    const Tensor weights = kept / maximum(sum(kept, -1, KeepDims::yes), 1e-30f);
    return {attention.w_o(merge_heads(matmul(weights, v))), weights};  // (batch, query, d_model)
}

}  // namespace tfs

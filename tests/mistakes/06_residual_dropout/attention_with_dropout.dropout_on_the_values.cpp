// tests/mistakes/06_residual_dropout/attention_with_dropout.dropout_on_the_values.cpp · step 6.5 done wrong
// The values are dropped, the weights are whole.
// The checklist must say: "dropout acts on the values"
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
    const Tensor v = dropout(split_heads(attention.w_v(value), attention.num_heads), p, rng);
    const AttentionOutput heads = scaled_dot_product_attention(q, k, v, mask);
    return {attention.w_o(merge_heads(heads.output)), heads.weights};
}

}  // namespace tfs

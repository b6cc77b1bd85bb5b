// tests/mistakes/06_residual_dropout/attention_with_dropout.dropout_on_the_output.cpp · step 6.5 done wrong
// The output is dropped, not the weights.
// The checklist must say: "dropout acts on the output instead of the weights"
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
    return {dropout(attention.w_o(merge_heads(matmul(weights, v))), p, rng), weights};
}

}  // namespace tfs

// tests/mistakes/06_residual_dropout/attention_with_dropout.mask_not_passed.cpp · step 6.5 done wrong
// The mask is left behind in training.
// The checklist must say: "the mask is not passed on"
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
    // Its output is of no use here: it was made of the weights as they were before dropout.
    const Tensor weights = dropout(scaled_dot_product_attention(q, k, v).weights, p, rng);
    return {attention.w_o(merge_heads(matmul(weights, v))), weights};  // (batch, query, d_model)
}

}  // namespace tfs

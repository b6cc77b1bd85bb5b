// Step 6.5 · attention_with_dropout · ●●○ · 15 min
// solutions/06_residual_dropout/attention_with_dropout.cpp
#include "chapters/06_residual_dropout/given/checks.hpp"
#include "chapters/06_residual_dropout/residual_dropout.hpp"

namespace tfs {

AttentionOutput attention_with_dropout(const MultiHeadAttention& attention, const Tensor& query,
                                       const Tensor& key, const Tensor& value,
                                       const std::optional<Mask>& mask, double p, Rng* rng) {
    require_rate("attention_with_dropout", p);
    // begin: In evaluation and with p = 0: attention as it is. Else project and split as in step
    // multi_head_attention, take the *weights* of scaled_dot_product_attention, drop some of them, and only then
    // multiply by the values; merge the heads and project by w_o. Return the weights that were used. (attention.w_q … and attention.num_heads are the
    // parts of the layer.)
    if (rng == nullptr || p == 0.0) return attention(query, key, value, mask);
    const Tensor q = split_heads(attention.w_q(query), attention.num_heads);  // (batch, heads, query, d_k)
    const Tensor k = split_heads(attention.w_k(key), attention.num_heads);    // (batch, heads, key, d_k)
    const Tensor v = split_heads(attention.w_v(value), attention.num_heads);  // (batch, heads, key, d_v)
    // Its output is of no use here: it was made of the weights as they were before dropout.
    const Tensor weights = dropout(scaled_dot_product_attention(q, k, v, mask).weights, p, rng);
    return {attention.w_o(merge_heads(matmul(weights, v))), weights};  // (batch, query, d_model)
    // end
}

}  // namespace tfs

// Step 7.1 · rotary_multi_head_attention · ●●○ · 15 min
// solutions/07_block/rotary_multi_head_attention.cpp
#include "chapters/06_residual_dropout/given/checks.hpp"
#include "chapters/07_block/block.hpp"

namespace tfs {

AttentionOutput rotary_multi_head_attention(const MultiHeadAttention& attention, const Tensor& x,
                                            const RotaryEmbedding& rotary, RotaryLayout layout,
                                            const std::optional<Mask>& mask, double p, Rng* rng) {
    require_rate("rotary_multi_head_attention", p);
    // begin: Project x to q, k and v and split them into heads, as in step multi_head_attention, and let
    // `rotary_attention` turn queries and keys and attend. In training (rng, and p > 0) drop some of its
    // weights and multiply what is left by the values, as in step attention_with_dropout. Merge the heads, project by w_o, and return the weights that were
    // used.
    const Tensor q = split_heads(attention.w_q(x), attention.num_heads);  // (batch, heads, query, d_k)
    const Tensor k = split_heads(attention.w_k(x), attention.num_heads);  // (batch, heads, key, d_k)
    const Tensor v = split_heads(attention.w_v(x), attention.num_heads);  // (batch, heads, key, d_v)
    auto [heads, weights] = rotary_attention(q, k, v, rotary, mask, layout);
    if (rng != nullptr && p > 0.0) {
        weights = dropout(weights, p, rng);
        heads = matmul(weights, v);  // (batch, heads, query, d_v)
    }
    return {attention.w_o(merge_heads(heads)), weights};  // (batch, query, d_model)
    // end
}

}  // namespace tfs

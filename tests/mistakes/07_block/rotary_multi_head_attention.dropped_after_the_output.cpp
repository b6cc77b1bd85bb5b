// tests/mistakes/07_block/rotary_multi_head_attention.dropped_after_the_output.cpp · step 7.1 done wrong
// The weights are dropped, the output is made of those before.
// The checklist must say: "the weights are dropped after the output was made"
#include "chapters/06_residual_dropout/given/checks.hpp"
#include "chapters/07_block/block.hpp"

namespace tfs {

AttentionOutput rotary_multi_head_attention(const MultiHeadAttention& attention, const Tensor& x,
                                            const RotaryEmbedding& rotary, RotaryLayout layout,
                                            const std::optional<Mask>& mask, double p, Rng* rng) {
    require_rate("rotary_multi_head_attention", p);
    const Tensor q = split_heads(attention.w_q(x), attention.num_heads);  // (batch, heads, query, d_k)
    const Tensor k = split_heads(attention.w_k(x), attention.num_heads);  // (batch, heads, key, d_k)
    const Tensor v = split_heads(attention.w_v(x), attention.num_heads);  // (batch, heads, key, d_v)
    auto [heads, weights] = rotary_attention(q, k, v, rotary, mask, layout);
    if (rng != nullptr && p > 0.0) {
        weights = dropout(weights, p, rng);
        // (batch, heads, query, d_v)
    }
    return {attention.w_o(merge_heads(heads)), weights};  // (batch, query, d_model)
}

}  // namespace tfs

// tests/mistakes/07_block/rotary_multi_head_attention.nothing_dropped.cpp · step 7.1 done wrong
// Training is evaluation.
// The checklist must say: "nothing is dropped although there is an Rng"
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
    const auto [heads, weights] = rotary_attention(q, k, v, rotary, mask, layout);
    (void)rng;
    return {attention.w_o(merge_heads(heads)), weights};  // (batch, query, d_model)
}

}  // namespace tfs

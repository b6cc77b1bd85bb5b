// Step 7.1 · rotary_multi_head_attention · ●●○ · 15 min
// exercises/07_block/rotary_multi_head_attention.cpp · check yours with ./tutorial check 7.1
#include "chapters/06_residual_dropout/given/checks.hpp"
#include "chapters/07_block/block.hpp"

namespace tfs {

AttentionOutput rotary_multi_head_attention(const MultiHeadAttention& attention, const Tensor& x,
                                            const RotaryEmbedding& rotary, RotaryLayout layout,
                                            const std::optional<Mask>& mask, double p, Rng* rng) {
    require_rate("rotary_multi_head_attention", p);
    // TODO 7.1: Project x to q, k and v and split them into heads, as in step multi_head_attention, and let
    // `rotary_attention` turn queries and keys and attend. In training (rng, and p > 0) drop some of its
    // weights and multiply what is left by the values, as in step attention_with_dropout. Merge the heads, project by w_o, and return the weights that were
    // used.
    throw NotImplemented("7.1 rotary_multi_head_attention");
}

}  // namespace tfs

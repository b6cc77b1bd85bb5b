// Step 8.1 · self_attention_mask · ●○○ · 10 min
// solutions/08_encoder_decoder/self_attention_mask.cpp
#include "chapters/02_masks/masks.hpp"
#include "chapters/08_encoder_decoder/encoder_decoder.hpp"

namespace tfs {

std::optional<Mask> self_attention_mask(StackKind kind, std::size_t seq, const std::optional<Mask>& padding,
                                        const Pass& pass) {
    // begin: The mask of self-attention in a stack of this kind, for `seq` queries and `pass.keys(seq)` keys.
    // Both kinds hide padding, where there is any.
    if (kind == StackKind::encoder) return padding;
    const std::size_t keys = pass.keys(seq);
    const Mask causal = causal_mask(seq, keys, keys - seq);  // (1, 1, query, key)
    return padding ? causal & *padding : causal;             // both: (batch, 1, query, key)
    // end
}

}  // namespace tfs

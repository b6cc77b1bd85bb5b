// Step 8.1 · self_attention_mask · ●○○ · 10 min
// exercises/08_encoder_decoder/self_attention_mask.cpp · check yours with ./tutorial check 8.1
#include "chapters/02_masks/masks.hpp"
#include "chapters/08_encoder_decoder/encoder_decoder.hpp"

namespace tfs {

std::optional<Mask> self_attention_mask(StackKind kind, std::size_t seq, const std::optional<Mask>& padding,
                                        const Pass& pass) {
    // TODO 8.1: The mask of self-attention in a stack of this kind, for `seq` queries and `pass.keys(seq)` keys.
    // Both kinds hide padding, where there is any.
    throw NotImplemented("8.1 self_attention_mask");
}

}  // namespace tfs

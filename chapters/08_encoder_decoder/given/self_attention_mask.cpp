// chapters/08_encoder_decoder/given/self_attention_mask.cpp · the mask that makes an encoder or a decoder of a stack
#include "chapters/02_masks/masks.hpp"
#include "chapters/08_encoder_decoder/encoder_decoder.hpp"

namespace tfs {

std::optional<Mask> self_attention_mask(StackKind kind, std::size_t seq, const std::optional<Mask>& padding,
                                        const Pass& pass) {
    if (kind == StackKind::encoder) return padding;
    const std::size_t keys = pass.keys(seq);                 // the queries are the last of them
    const Mask causal = causal_mask(seq, keys, keys - seq);  // (1, 1, query, key)
    return padding ? causal & *padding : causal;             // both: (batch, 1, query, key)
}

}  // namespace tfs

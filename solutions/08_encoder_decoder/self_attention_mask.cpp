// Step 8.1 · self_attention_mask · ●●○ · 10 min
// solutions/08_encoder_decoder/self_attention_mask.cpp
#include "chapters/08_encoder_decoder/encoder_decoder.hpp"

namespace tfs {

std::optional<Mask> self_attention_mask(StackKind kind, std::size_t seq, const std::optional<Mask>& padding,
                                        const Pass& pass) {
    // begin: An encoder hides padding, where there is any, and nothing else. A decoder has a causal mask of `seq` queries
    // and `pass.keys(seq)` keys (step causal_mask); the queries are the last positions of the keys, so
    // keys - seq of them come before the first query. Where there is a
    // padding mask, both hold: combine them by `&` (step combine).
    if (kind == StackKind::encoder) return padding;
    const std::size_t keys = pass.keys(seq);
    const Mask causal = causal_mask(seq, keys, keys - seq);  // (1, 1, query, key)
    return padding ? causal & *padding : causal;             // both: (batch, 1, query, key)
    // end
}

}  // namespace tfs

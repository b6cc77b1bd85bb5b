// Step 8.1 · self_attention_mask · ●●○ · 10 min
// exercises/08_encoder_decoder/self_attention_mask.cpp · check yours with ./tutorial check 8.1
#include "chapters/08_encoder_decoder/encoder_decoder.hpp"

namespace tfs {

std::optional<Mask> self_attention_mask(StackKind kind, std::size_t seq, const std::optional<Mask>& padding,
                                        const Pass& pass) {
    // TODO 8.1: An encoder hides padding, where there is any, and nothing else. A decoder has a causal mask of `seq` queries
    // and `pass.keys(seq)` keys (step causal_mask); the queries are the last positions of the keys, so
    // keys - seq of them come before the first query. Where there is a
    // padding mask, both hold: combine them by `&` (step combine).
    throw NotImplemented("8.1 self_attention_mask");
}

}  // namespace tfs

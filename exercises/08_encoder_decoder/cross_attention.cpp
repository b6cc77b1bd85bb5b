// Step 8.3 · cross_attention · ●●○ · 10 min
// exercises/08_encoder_decoder/cross_attention.cpp · check yours with ./tutorial check 8.3
#include "chapters/07_block/block.hpp"
#include "chapters/08_encoder_decoder/encoder_decoder.hpp"
#include "chapters/08_encoder_decoder/given/checks.hpp"

namespace tfs {

AttentionOutput cross_attention(const AttentionSublayer& sublayer, const Tensor& x, const KeysValues& memory,
                                const std::optional<Mask>& source_padding, Rng* rng) {
    require_cross_input("cross_attention", sublayer, x, memory, source_padding);
    // TODO 8.3: Attention from x to the memory, under the source's padding, with norm, dropout and residual connection
    // in their places. Return output and weights.
    throw NotImplemented("8.3 cross_attention");
}

}  // namespace tfs

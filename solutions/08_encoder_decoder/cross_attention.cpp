// Step 8.3 · cross_attention · ●●○ · 10 min
// solutions/08_encoder_decoder/cross_attention.cpp
#include "chapters/07_block/block.hpp"
#include "chapters/08_encoder_decoder/encoder_decoder.hpp"
#include "chapters/08_encoder_decoder/given/checks.hpp"

namespace tfs {

AttentionOutput cross_attention(const AttentionSublayer& sublayer, const Tensor& x, const KeysValues& memory,
                                const std::optional<Mask>& source_padding, Rng* rng) {
    require_cross_input("cross_attention", sublayer, x, memory, source_padding);
    // begin: Attention from x to the memory, under the source's padding, with norm, dropout and residual connection
    // in their places. Return output and weights.
    const auto look_across = [&](const Tensor& input) {  // norm(x), or x
        return sublayer.attend(input, memory, source_padding, rng);
    };
    return norm_and_add(sublayer.position, sublayer.norm, x, look_across, sublayer.dropout, rng);
    // end
}

}  // namespace tfs

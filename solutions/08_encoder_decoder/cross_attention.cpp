// Step 8.3 · cross_attention · ●●○ · 10 min
// solutions/08_encoder_decoder/cross_attention.cpp
#include "chapters/08_encoder_decoder/encoder_decoder.hpp"
#include "chapters/08_encoder_decoder/given/checks.hpp"

namespace tfs {

AttentionOutput cross_attention(const AttentionSublayer& sublayer, const Tensor& x, const KeysValues& memory,
                                const std::optional<Mask>& source_padding, Rng* rng) {
    require_cross_input("cross_attention", sublayer, x, memory, source_padding);
    // begin: As in step attention_sublayer, with a lambda that attends to the memory (`sublayer.attend`, with the source's
    // padding and rng) instead of the keys and values of its own input. `norm_and_add` norms x where
    // sublayer.position says, adds, and calls your lambda once.
    const auto look_across = [&](const Tensor& input) {  // norm(x), or x
        return sublayer.attend(input, memory, source_padding, rng);
    };
    return norm_and_add(sublayer.position, sublayer.norm, x, look_across, sublayer.dropout, rng);
    // end
}

}  // namespace tfs

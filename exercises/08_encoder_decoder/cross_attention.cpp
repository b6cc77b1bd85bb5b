// Step 8.3 · cross_attention · ●●○ · 15 min
// exercises/08_encoder_decoder/cross_attention.cpp · check yours with ./tutorial check 8.3
#include "chapters/08_encoder_decoder/encoder_decoder.hpp"
#include "chapters/08_encoder_decoder/given/checks.hpp"

namespace tfs {

AttentionOutput cross_attention(const AttentionSublayer& sublayer, const Tensor& x, const Tensor& memory,
                                const std::optional<Mask>& source_padding, Rng* rng) {
    require_cross_input("cross_attention", sublayer, x, memory, source_padding);
    Tensor weights;
    // TODO 8.3: Write the sublayer as a lambda that takes the queries: attention_with_dropout of
    // sublayer.attention, with keys and values from the memory and sublayer.dropout. It keeps the weights in
    // `weights` and returns the output. Then give the lambda to `norm_and_add` (given in chapter 07): that
    // one norms x where sublayer.position says, adds, and calls your lambda once.
    throw NotImplemented("8.3 cross_attention");
}

}  // namespace tfs

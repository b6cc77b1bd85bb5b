// Step 8.3 · cross_attention · ●●○ · 15 min
// solutions/08_encoder_decoder/cross_attention.cpp
#include "chapters/08_encoder_decoder/encoder_decoder.hpp"
#include "chapters/08_encoder_decoder/given/checks.hpp"

namespace tfs {

AttentionOutput cross_attention(const AttentionSublayer& sublayer, const Tensor& x, const Tensor& memory,
                                const std::optional<Mask>& source_padding, Rng* rng) {
    require_cross_input("cross_attention", sublayer, x, memory, source_padding);
    Tensor weights;
    // begin: Write the sublayer as a lambda that takes the queries: attention_with_dropout of
    // sublayer.attention, with keys and values from the memory and sublayer.dropout. It keeps the weights in
    // `weights` and returns the output. Then give the lambda to `norm_and_add` (given in chapter 07): that
    // one norms x where sublayer.position says, adds, and calls your lambda once.
    const auto attend = [&](const Tensor& queries) {
        const AttentionOutput found = attention_with_dropout(sublayer.attention, queries, memory, memory,
                                                             source_padding, sublayer.dropout, rng);
        weights = found.weights;  // (batch, heads, target, source)
        return found.output;      // (batch, target, d_model)
    };
    const Tensor output = norm_and_add(sublayer.position, sublayer.norm, x, attend, sublayer.dropout, rng);
    return {output, weights};
    // end
}

}  // namespace tfs

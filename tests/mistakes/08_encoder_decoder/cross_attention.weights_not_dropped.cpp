// tests/mistakes/08_encoder_decoder/cross_attention.weights_not_dropped.cpp · step 8.3 done wrong
// The attention of chapter 01, which knows no dropout.
// The checklist must say: "the weights are not dropped"
#include "chapters/08_encoder_decoder/encoder_decoder.hpp"
#include "chapters/08_encoder_decoder/given/checks.hpp"

namespace tfs {

AttentionOutput cross_attention(const AttentionSublayer& sublayer, const Tensor& x, const Tensor& memory,
                                const std::optional<Mask>& source_padding, Rng* rng) {
    require_cross_input("cross_attention", sublayer, x, memory, source_padding);
    Tensor weights;
    const auto attend = [&](const Tensor& queries) {
        const AttentionOutput found = sublayer.attention(queries, memory, memory, source_padding);
        weights = found.weights;  // (batch, heads, target, source)
        return found.output;      // (batch, target, d_model)
    };
    const Tensor output = norm_and_add(sublayer.position, sublayer.norm, x, attend, sublayer.dropout, rng);
    return {output, weights};
}

}  // namespace tfs

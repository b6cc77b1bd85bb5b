// tests/mistakes/08_encoder_decoder/cross_attention.causal.cpp · step 8.3 done wrong
// A causal mask between target and source.
// The checklist must say: "the causal mask falls on cross-attention too"
#include "chapters/08_encoder_decoder/encoder_decoder.hpp"
#include "chapters/08_encoder_decoder/given/checks.hpp"

namespace tfs {

AttentionOutput cross_attention(const AttentionSublayer& sublayer, const Tensor& x, const Tensor& memory,
                                const std::optional<Mask>& source_padding, Rng* rng) {
    require_cross_input("cross_attention", sublayer, x, memory, source_padding);
    Tensor weights;
    // As far as the source is as long: no target position sees a source position after it.
    std::vector<int> allowed;
    for (std::size_t i = 0; i < x.size(1); ++i)
        for (std::size_t j = 0; j < memory.size(1); ++j) allowed.push_back(j <= i);
    const Mask causal = Mask::from({1, 1, x.size(1), memory.size(1)}, allowed);
    const Mask visible = source_padding ? causal & *source_padding : causal;
    const auto attend = [&](const Tensor& queries) {
        const AttentionOutput found = attention_with_dropout(sublayer.attention, queries, memory, memory,
                                                             visible, sublayer.dropout, rng);
        weights = found.weights;  // (batch, heads, target, source)
        return found.output;      // (batch, target, d_model)
    };
    const Tensor output = norm_and_add(sublayer.position, sublayer.norm, x, attend, sublayer.dropout, rng);
    return {output, weights};
}

}  // namespace tfs

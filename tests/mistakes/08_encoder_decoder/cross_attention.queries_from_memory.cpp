// tests/mistakes/08_encoder_decoder/cross_attention.queries_from_memory.cpp · step 8.3 done wrong
// Queries from the encoder, keys and values from the decoder.
// The checklist must say: "encoder and decoder are exchanged"
#include "chapters/08_encoder_decoder/encoder_decoder.hpp"
#include "chapters/08_encoder_decoder/given/checks.hpp"

namespace tfs {

AttentionOutput cross_attention(const AttentionSublayer& sublayer, const Tensor& x, const Tensor& memory,
                                const std::optional<Mask>& source_padding, Rng* rng) {
    require_cross_input("cross_attention", sublayer, x, memory, source_padding);
    Tensor weights;
    const auto attend = [&](const Tensor& queries) {
        const AttentionOutput found = attention_with_dropout(sublayer.attention, memory, queries, queries,
                                                             source_padding, sublayer.dropout, rng);
        weights = found.weights;  // (batch, heads, target, source)
        return found.output;      // (batch, target, d_model)
    };
    const Tensor output = norm_and_add(sublayer.position, sublayer.norm, x, attend, sublayer.dropout, rng);
    return {output, weights};
}

}  // namespace tfs

// tests/mistakes/08_encoder_decoder/decoder_block.padding_replaces_causal.cpp · step 8.2 done wrong
// Where there is padding, the causal mask is forgotten.
// The checklist must say: "the padding replaces the causal mask"
#include "chapters/08_encoder_decoder/encoder_decoder.hpp"
#include "chapters/08_encoder_decoder/given/checks.hpp"

namespace tfs {

DecoderBlock::DecoderBlock(const BlockConfig& config, Rng& rng) : block(config, rng) {}

Parameters DecoderBlock::parameters() const { return block.parameters(); }

AttentionOutput DecoderBlock::operator()(const Tensor& x, const std::optional<Mask>& padding,
                                         Rng* rng) const {
    require_padded_input("DecoderBlock", block.attention, x, "padding", padding);
    const Mask causal = causal_mask(x.size(1));         // (1, 1, query, key)
    return block(x, padding ? *padding : causal, rng);  // both: (batch, 1, query, key)
}

}  // namespace tfs

// tests/mistakes/08_encoder_decoder/decoder_block.no_causal_mask.cpp · step 8.2 done wrong
// The block of the encoder: a decoder without its mask.
// The checklist must say: "no causal mask, or shifted"
#include "chapters/08_encoder_decoder/encoder_decoder.hpp"
#include "chapters/08_encoder_decoder/given/checks.hpp"

namespace tfs {

DecoderBlock::DecoderBlock(const BlockConfig& config, Rng& rng) : block(config, rng) {}

Parameters DecoderBlock::parameters() const { return block.parameters(); }

AttentionOutput DecoderBlock::operator()(const Tensor& x, const std::optional<Mask>& padding,
                                         Rng* rng) const {
    require_padded_input("DecoderBlock", block.attention, x, "padding", padding);
    // (1, 1, query, key)
    return block(x, padding, rng);  // both: (batch, 1, query, key)
}

}  // namespace tfs

// tests/mistakes/08_encoder_decoder/encoder_block.causal.cpp · step 8.1 done wrong
// A causal mask in the encoder.
// The checklist must say: "an encoder has no causal mask"
#include "chapters/08_encoder_decoder/encoder_decoder.hpp"
#include "chapters/08_encoder_decoder/given/checks.hpp"

namespace tfs {

EncoderBlock::EncoderBlock(const BlockConfig& config, Rng& rng) : block(config, rng) {}

Parameters EncoderBlock::parameters() const { return block.parameters(); }

AttentionOutput EncoderBlock::operator()(const Tensor& x, const std::optional<Mask>& padding,
                                         Rng* rng) const {
    require_padded_input("EncoderBlock", block.attention, x, "padding", padding);
    const Mask causal = causal_mask(x.size(1));
    return block(x, padding ? causal & *padding : causal, rng);
}

}  // namespace tfs

// tests/mistakes/08_encoder_decoder/encoder_block.rng_lost.cpp · step 8.1 done wrong
// The generator is not passed on: no dropout in training.
// The checklist must say: "rng is not passed on"
#include "chapters/08_encoder_decoder/encoder_decoder.hpp"
#include "chapters/08_encoder_decoder/given/checks.hpp"

namespace tfs {

EncoderBlock::EncoderBlock(const BlockConfig& config, Rng& rng) : block(config, rng) {}

Parameters EncoderBlock::parameters() const { return block.parameters(); }

AttentionOutput EncoderBlock::operator()(const Tensor& x, const std::optional<Mask>& padding,
                                         Rng* rng) const {
    require_padded_input("EncoderBlock", block.attention, x, "padding", padding);
    (void)rng;
    return block(x, padding);
}

}  // namespace tfs

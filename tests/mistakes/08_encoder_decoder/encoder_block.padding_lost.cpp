// tests/mistakes/08_encoder_decoder/encoder_block.padding_lost.cpp · step 8.1 done wrong
// The padding is not passed on.
// The checklist must say: "the padding is not passed on"
#include "chapters/08_encoder_decoder/encoder_decoder.hpp"
#include "chapters/08_encoder_decoder/given/checks.hpp"

namespace tfs {

EncoderBlock::EncoderBlock(const BlockConfig& config, Rng& rng) : block(config, rng) {}

Parameters EncoderBlock::parameters() const { return block.parameters(); }

AttentionOutput EncoderBlock::operator()(const Tensor& x, const std::optional<Mask>& padding,
                                         Rng* rng) const {
    require_padded_input("EncoderBlock", block.attention, x, "padding", padding);
    (void)padding;
    return block(x, std::nullopt, rng);
}

}  // namespace tfs

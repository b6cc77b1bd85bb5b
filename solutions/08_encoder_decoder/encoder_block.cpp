// Step 8.1 · encoder_block · ●○○ · 5 min
// solutions/08_encoder_decoder/encoder_block.cpp
#include "chapters/08_encoder_decoder/encoder_decoder.hpp"
#include "chapters/08_encoder_decoder/given/checks.hpp"

namespace tfs {

EncoderBlock::EncoderBlock(const BlockConfig& config, Rng& rng) : block(config, rng) {}

Parameters EncoderBlock::parameters() const { return block.parameters(); }

AttentionOutput EncoderBlock::operator()(const Tensor& x, const std::optional<Mask>& padding,
                                         Rng* rng) const {
    require_padded_input("EncoderBlock", block.attention, x, "padding", padding);
    // begin: The block of chapter 07 (`block`), with no other mask than the padding. Pass rng on: in
    // training the block drops.
    return block(x, padding, rng);
    // end
}

}  // namespace tfs

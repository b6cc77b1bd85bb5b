// Step 8.1 · encoder_block · ●○○ · 5 min
// exercises/08_encoder_decoder/encoder_block.cpp · check yours with ./tutorial check 8.1
#include "chapters/08_encoder_decoder/encoder_decoder.hpp"
#include "chapters/08_encoder_decoder/given/checks.hpp"

namespace tfs {

EncoderBlock::EncoderBlock(const BlockConfig& config, Rng& rng) : block(config, rng) {}

Parameters EncoderBlock::parameters() const { return block.parameters(); }

AttentionOutput EncoderBlock::operator()(const Tensor& x, const std::optional<Mask>& padding,
                                         Rng* rng) const {
    require_padded_input("EncoderBlock", block.attention, x, "padding", padding);
    // TODO 8.1: The block of chapter 07 (`block`), with no other mask than the padding. Pass rng on: in
    // training the block drops.
    throw NotImplemented("8.1 encoder_block");
}

}  // namespace tfs

// Step 8.2 · decoder_block · ●○○ · 5 min
// exercises/08_encoder_decoder/decoder_block.cpp · check yours with ./tutorial check 8.2
#include "chapters/08_encoder_decoder/encoder_decoder.hpp"
#include "chapters/08_encoder_decoder/given/checks.hpp"

namespace tfs {

DecoderBlock::DecoderBlock(const BlockConfig& config, Rng& rng) : block(config, rng) {}

Parameters DecoderBlock::parameters() const { return block.parameters(); }

AttentionOutput DecoderBlock::operator()(const Tensor& x, const std::optional<Mask>& padding,
                                         Rng* rng) const {
    require_padded_input("DecoderBlock", block.attention, x, "padding", padding);
    // TODO 8.2: The block of chapter 07 under a causal mask (step causal_mask) of x's positions. Where there is a
    // padding mask, both hold: combine them by `&` (step combine).
    throw NotImplemented("8.2 decoder_block");
}

}  // namespace tfs

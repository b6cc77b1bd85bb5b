// Step 8.2 · decoder_block · ●○○ · 5 min
// solutions/08_encoder_decoder/decoder_block.cpp
#include "chapters/08_encoder_decoder/encoder_decoder.hpp"
#include "chapters/08_encoder_decoder/given/checks.hpp"

namespace tfs {

DecoderBlock::DecoderBlock(const BlockConfig& config, Rng& rng) : block(config, rng) {}

Parameters DecoderBlock::parameters() const { return block.parameters(); }

AttentionOutput DecoderBlock::operator()(const Tensor& x, const std::optional<Mask>& padding,
                                         Rng* rng) const {
    require_padded_input("DecoderBlock", block.attention, x, "padding", padding);
    // begin: The block of chapter 07 under a causal mask (step causal_mask) of x's positions. Where there is a
    // padding mask, both hold: combine them by `&` (step combine).
    const Mask causal = causal_mask(x.size(1));                  // (1, 1, query, key)
    return block(x, padding ? causal & *padding : causal, rng);  // both: (batch, 1, query, key)
    // end
}

}  // namespace tfs

// tests/mistakes/08_encoder_decoder/decoder_block.padding_lost.cpp · step 8.2 done wrong
// The causal mask alone: the padding is not looked at.
// The checklist must say: "the padding is lost"
#include "chapters/08_encoder_decoder/encoder_decoder.hpp"
#include "chapters/08_encoder_decoder/given/checks.hpp"

namespace tfs {

DecoderBlock::DecoderBlock(const BlockConfig& config, Rng& rng) : block(config, rng) {}

Parameters DecoderBlock::parameters() const { return block.parameters(); }

AttentionOutput DecoderBlock::operator()(const Tensor& x, const std::optional<Mask>& padding,
                                         Rng* rng) const {
    require_padded_input("DecoderBlock", block.attention, x, "padding", padding);
    const Mask causal = causal_mask(x.size(1));  // (1, 1, query, key)
    (void)padding;
    return block(x, causal, rng);  // both: (batch, 1, query, key)
}

}  // namespace tfs

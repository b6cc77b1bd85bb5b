// tests/mistakes/08_encoder_decoder/decoder_block.one_ahead.cpp · step 8.2 done wrong
// The causal mask is shifted: every position sees the next one, the one that it has to predict.
// The checklist must say: "no causal mask, or shifted"
#include "chapters/08_encoder_decoder/encoder_decoder.hpp"
#include "chapters/08_encoder_decoder/given/checks.hpp"

namespace tfs {

DecoderBlock::DecoderBlock(const BlockConfig& config, Rng& rng) : block(config, rng) {}

Parameters DecoderBlock::parameters() const { return block.parameters(); }

namespace {

Mask causal_mask_shifted(std::size_t seq) {
    std::vector<int> allowed;
    for (std::size_t i = 0; i < seq; ++i)
        for (std::size_t j = 0; j < seq; ++j) allowed.push_back(j <= i + 1);
    return Mask::from({1, 1, seq, seq}, allowed);
}

}  // namespace

AttentionOutput DecoderBlock::operator()(const Tensor& x, const std::optional<Mask>& padding,
                                         Rng* rng) const {
    require_padded_input("DecoderBlock", block.attention, x, "padding", padding);
    const Mask causal = causal_mask_shifted(x.size(1));          // (1, 1, query, key)
    return block(x, padding ? causal & *padding : causal, rng);  // both: (batch, 1, query, key)
}

}  // namespace tfs

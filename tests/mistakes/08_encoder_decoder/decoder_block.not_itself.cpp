// tests/mistakes/08_encoder_decoder/decoder_block.not_itself.cpp · step 8.2 done wrong
// A strict triangle: no position sees itself.
// The checklist must say: "a position does not see itself"
#include "chapters/08_encoder_decoder/encoder_decoder.hpp"
#include "chapters/08_encoder_decoder/given/checks.hpp"

namespace tfs {

DecoderBlock::DecoderBlock(const BlockConfig& config, Rng& rng) : block(config, rng) {}

Parameters DecoderBlock::parameters() const { return block.parameters(); }

AttentionOutput DecoderBlock::operator()(const Tensor& x, const std::optional<Mask>& padding,
                                         Rng* rng) const {
    require_padded_input("DecoderBlock", block.attention, x, "padding", padding);
    std::vector<int> allowed;
    for (std::size_t i = 0; i < x.size(1); ++i)
        for (std::size_t j = 0; j < x.size(1); ++j) allowed.push_back(j < i);
    const Mask causal = Mask::from({1, 1, x.size(1), x.size(1)}, allowed);  // (1, 1, query, key)
    return block(x, padding ? causal & *padding : causal, rng);             // both: (batch, 1, query, key)
}

}  // namespace tfs

// tests/mistakes/08_encoder_decoder/encoder_decoder_block.causal_across.cpp · step 8.4 done wrong
// The mask of self-attention goes to cross-attention as well.
// The checklist must say: "the causal mask falls on cross-attention too"
#include "chapters/08_encoder_decoder/encoder_decoder.hpp"
#include "chapters/08_encoder_decoder/given/checks.hpp"

namespace tfs {

EncoderDecoderBlock::EncoderDecoderBlock(const BlockConfig& config, Rng& rng)
    : self_attention(require_valid("EncoderDecoderBlock", config), rng),
      cross(without_rotary(config), rng),
      feed_forward(config, rng) {}

Parameters EncoderDecoderBlock::parameters() const {
    Parameters all;
    append(all, "self_attention", self_attention.parameters());
    append(all, "cross", cross.parameters());
    append(all, "feed_forward", feed_forward.parameters());
    return all;
}

CrossBlockOutput EncoderDecoderBlock::operator()(const Tensor& x, const Tensor& memory,
                                                 const std::optional<Mask>& source_padding,
                                                 const std::optional<Mask>& target_padding, Rng* rng) const {
    const Mask causal = causal_mask(x.size(1));  // (1, 1, target, target)
    const Mask visible = target_padding ? causal & *target_padding : causal;
    const AttentionOutput back = self_attention(x, visible, rng);
    // As far as the source is as long: no target position sees a source position after it.
    std::vector<int> allowed;
    for (std::size_t i = 0; i < x.size(1); ++i)
        for (std::size_t j = 0; j < memory.size(1); ++j) allowed.push_back(j <= i);
    const Mask seen = Mask::from({1, 1, x.size(1), memory.size(1)}, allowed);
    const AttentionOutput across =
        cross_attention(cross, back.output, memory, source_padding ? seen & *source_padding : seen, rng);
    return {feed_forward(across.output, rng), back.weights, across.weights};
}

}  // namespace tfs

// tests/mistakes/08_encoder_decoder/encoder_decoder_block.cross_from_x.cpp · step 8.4 done wrong
// Both attentions read x: what self-attention gave is thrown away.
// The checklist must say: "cross-attention is fed from x"
#include "chapters/08_encoder_decoder/encoder_decoder.hpp"
#include "chapters/08_encoder_decoder/given/checks.hpp"
#include "chapters/08_encoder_decoder/given/parts.hpp"

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
    require_padded_input("EncoderDecoderBlock", self_attention, x, "target_padding", target_padding);
    require_cross_input("EncoderDecoderBlock", cross, x, memory, source_padding);
    const Mask causal = causal_mask(x.size(1));  // (1, 1, target, target)
    const Mask visible = target_padding ? causal & *target_padding : causal;
    const AttentionOutput back = self_attention(x, visible, rng);
    const AttentionOutput across = cross_attention(cross, x, memory, source_padding, rng);
    return {feed_forward(across.output, rng), back.weights, across.weights};
}

}  // namespace tfs

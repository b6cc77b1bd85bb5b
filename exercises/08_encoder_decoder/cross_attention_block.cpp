// Step 8.2 · cross_attention_block · ●●○ · 15 min
// exercises/08_encoder_decoder/cross_attention_block.cpp · check yours with ./tutorial check 8.2
#include "chapters/01_attention/attention.hpp"
#include "chapters/07_block/block.hpp"
#include "chapters/08_encoder_decoder/encoder_decoder.hpp"
#include "chapters/08_encoder_decoder/given/stacks.hpp"

namespace tfs {

AttentionOutput cross_attention(const AttentionSublayer& sublayer, const Tensor& x,
                                const KeysValues& keys_values, const std::optional<Mask>& source_padding,
                                const Pass& pass) {
    require_cross_input("cross_attention", sublayer, x, keys_values, source_padding);
    // TODO 8.2: This file compiles and runs, and has three faults: one in this function, two in the call of the block. None gives an error
    // where source and target are equally long.
    const auto look_across = [&](const Tensor& input) {
        return sublayer.attend(x, keys_values, source_padding, pass);
    };
    return norm_and_add(sublayer.position, sublayer.norm, x, look_across, sublayer.dropout, pass.rng);
}

EncoderDecoderBlock::EncoderDecoderBlock(const BlockConfig& config, Rng& rng)
    : self_attention(require_valid("EncoderDecoderBlock", config), rng),
      cross(without_positions(config), rng),
      feed_forward(config, rng) {}

Parameters EncoderDecoderBlock::parameters() const {
    Parameters all;
    append(all, "self_attention", self_attention.parameters());
    append(all, "cross", cross.parameters());
    append(all, "feed_forward", feed_forward.parameters());
    return all;
}

CrossBlockOutput EncoderDecoderBlock::operator()(const Tensor& x, const KeysValues& keys_values,
                                                 const std::optional<Mask>& source_padding,
                                                 const std::optional<Mask>& target_padding,
                                                 const Pass& pass) const {
    require_padded_input("EncoderDecoderBlock", self_attention, x, "target_padding", target_padding, pass);
    require_cross_input("EncoderDecoderBlock", cross, x, keys_values, source_padding);
    // TODO 8.2: Two faults: compare each line with the contract, encoder_decoder.hpp.
    const auto mask = self_attention_mask(StackKind::decoder, x.size(1), target_padding, pass);
    const AttentionOutput back = self_attention(x, mask, pass);
    const AttentionOutput across = cross_attention(cross, x, keys_values, target_padding, pass);
    return {feed_forward(across.output, pass), back.weights, across.weights};
}

}  // namespace tfs

// Step 8.5 · encoder_decoder · ●●● · 20 min
// exercises/08_encoder_decoder/encoder_decoder.cpp · check yours with ./tutorial check 8.5
#include "chapters/08_encoder_decoder/encoder_decoder.hpp"
#include "chapters/08_encoder_decoder/given/checks.hpp"
#include "chapters/08_encoder_decoder/given/parts.hpp"

namespace tfs {

EncoderDecoder::EncoderDecoder(const StackConfig& config, Rng& rng)
    : encoder(StackKind::encoder, require_valid("EncoderDecoder", config), rng) {
    for (std::size_t i = 0; i < config.num_layers; ++i) blocks.emplace_back(config.block, rng);
    final_norm = make_final_norm(config);
}

Parameters EncoderDecoder::parameters() const {
    Parameters all;
    append(all, "encoder", encoder.parameters());
    append(all, "decoder", stack_parameters(blocks, final_norm));
    return all;
}

Memory EncoderDecoder::memory_of(const Tensor& output, const std::optional<Mask>& source_padding) const {
    // TODO 8.5: The encoder's output and the source's padding as they are, and for each block what its `cross` makes of the
    // output (`keys_values`). Nothing is normed here: the encoder has a final norm.
    throw NotImplemented("8.5 encoder_decoder");
}

Memory EncoderDecoder::encode(const Tensor& source, const std::optional<Mask>& source_padding,
                              Rng* rng) const {
    // TODO 8.5: Run the encoder. The memory is that of its output; keep the encoder's weights in it, too.
    throw NotImplemented("8.5 encoder_decoder");
}

CrossStackOutput EncoderDecoder::decode(const Tensor& target, const Memory& memory,
                                        const std::optional<Mask>& target_padding, const Pass& pass) const {
    require_layers("decode", memory, blocks.size());
    // TODO 8.5: As in step stack, with `blocks` of step encoder_decoder_block. Block i takes the output of the block
    // before, the keys and values that the memory has for it, the paddings of source and target, and `pass.in_layer(i)`.
    // Collect both kinds of weights. In the end the final norm, where there is one.
    throw NotImplemented("8.5 encoder_decoder");
}

CrossStackOutput EncoderDecoder::operator()(const Tensor& source, const Tensor& target,
                                            const std::optional<Mask>& source_padding,
                                            const std::optional<Mask>& target_padding,
                                            const Pass& pass) const {
    require_same_batch("EncoderDecoder", source, target);
    // TODO 8.5: Encode the source, then decode the target with that memory. The pass is the target's; the encoder gets its
    // rng.
    throw NotImplemented("8.5 encoder_decoder");
}

}  // namespace tfs

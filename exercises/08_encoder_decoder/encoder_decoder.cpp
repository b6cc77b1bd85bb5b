// Step 8.3 · encoder_decoder · ●●○ · 20 min
// exercises/08_encoder_decoder/encoder_decoder.cpp · check yours with ./tutorial check 8.3
#include "chapters/08_encoder_decoder/encoder_decoder.hpp"
#include "chapters/08_encoder_decoder/given/stacks.hpp"

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
    // TODO 8.3: The encoder's output, the source's padding, and the keys and values that each block makes of this output.
    throw NotImplemented("8.3 encoder_decoder");
}

Memory EncoderDecoder::encode(const Tensor& source, const std::optional<Mask>& source_padding,
                              const Pass& pass) const {
    // TODO 8.3: The memory of the encoder's output; it also holds the encoder's weights.
    throw NotImplemented("8.3 encoder_decoder");
}

CrossStackOutput EncoderDecoder::decode(const Tensor& target, const Memory& memory,
                                        const std::optional<Mask>& target_padding, const Pass& pass) const {
    require_layers("decode", memory, blocks.size());
    // TODO 8.3: All blocks of the decoder, each with its own part of the memory; then the final norm, where there is one.
    // Block i takes `pass.in_layer(i)`. Return both kinds of weights of every layer.
    throw NotImplemented("8.3 encoder_decoder");
}

CrossStackOutput EncoderDecoder::operator()(const Tensor& source, const Tensor& target,
                                            const std::optional<Mask>& source_padding,
                                            const std::optional<Mask>& target_padding,
                                            const Pass& pass) const {
    require_same_batch("EncoderDecoder", source, target);
    // TODO 8.3: Encode the source, with `pass.of_source()`; then decode the target, with the pass.
    throw NotImplemented("8.3 encoder_decoder");
}

}  // namespace tfs

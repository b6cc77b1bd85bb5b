// Step 8.3 · encoder_decoder · ●●○ · 20 min
// solutions/08_encoder_decoder/encoder_decoder.cpp
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
    // begin: The encoder's output, the source's padding, and the keys and values that each block makes of this output.
    Memory memory{output, source_padding};
    for (const EncoderDecoderBlock& block : blocks)
        memory.layers.push_back(block.cross.keys_values(output));  // (batch, heads, source, d_k)
    return memory;
    // end
}

Memory EncoderDecoder::encode(const Tensor& source, const std::optional<Mask>& source_padding,
                              const Pass& pass) const {
    // begin: The memory of the encoder's output; it also holds the encoder's weights.
    const StackOutput encoded = encoder(source, source_padding, pass);
    Memory memory = memory_of(encoded.output, source_padding);
    memory.weights = encoded.weights;
    return memory;
    // end
}

CrossStackOutput EncoderDecoder::decode(const Tensor& target, const Memory& memory,
                                        const std::optional<Mask>& target_padding, const Pass& pass) const {
    require_layers("decode", memory, blocks.size());
    // begin: All blocks of the decoder, each with its own part of the memory; then the final norm, where there is one.
    // Block i takes `pass.in_layer(i)`. Return both kinds of weights of every layer.
    CrossStackOutput result{target, {}, {}};
    for (std::size_t i = 0; i < blocks.size(); ++i) {
        const CrossBlockOutput layer =
            blocks[i](result.output, memory.layers[i], memory.padding, target_padding, pass.in_layer(i));
        result.output = layer.output;                         // (batch, target, d_model)
        result.self_weights.push_back(layer.self_weights);    // (batch, heads, target, target)
        result.cross_weights.push_back(layer.cross_weights);  // (batch, heads, target, source)
    }
    if (final_norm) result.output = (*final_norm)(result.output);
    return result;
    // end
}

CrossStackOutput EncoderDecoder::operator()(const Tensor& source, const Tensor& target,
                                            const std::optional<Mask>& source_padding,
                                            const std::optional<Mask>& target_padding,
                                            const Pass& pass) const {
    require_same_batch("EncoderDecoder", source, target);
    // begin: Encode the source, with `pass.of_source()`; then decode the target, with the pass.
    return decode(target, encode(source, source_padding, pass.of_source()), target_padding, pass);
    // end
}

}  // namespace tfs

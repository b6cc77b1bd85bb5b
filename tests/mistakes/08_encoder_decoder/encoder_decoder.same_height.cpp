// tests/mistakes/08_encoder_decoder/encoder_decoder.same_height.cpp · step 8.7 done wrong
// Each block of the decoder reads the encoder's block of the same height.
// The checklist must say: "each block reads the encoder's block of the same height"
#include "chapters/08_encoder_decoder/encoder_decoder.hpp"
#include "chapters/08_encoder_decoder/given/checks.hpp"
#include "chapters/08_encoder_decoder/given/parts.hpp"

namespace tfs {

EncoderDecoder::EncoderDecoder(const StackConfig& config, Rng& rng)
    : encoder(require_valid("EncoderDecoder", config), rng) {
    for (std::size_t i = 0; i < config.num_layers; ++i) blocks.emplace_back(config.block, rng);
    final_norm = make_final_norm(config);
}

Parameters EncoderDecoder::parameters() const {
    Parameters all;
    append(all, "encoder", encoder.parameters());
    append(all, "decoder", stack_parameters(blocks, final_norm));
    return all;
}

StackOutput EncoderDecoder::encode(const Tensor& source, const std::optional<Mask>& source_padding,
                                   Rng* rng) const {
    return encoder(source, source_padding, rng);
}

CrossStackOutput EncoderDecoder::decode(const Tensor& target, const Tensor& memory,
                                        const std::optional<Mask>& source_padding,
                                        const std::optional<Mask>& target_padding, Rng* rng) const {
    CrossStackOutput result{target, {}, {}};
    for (const EncoderDecoderBlock& block : blocks) {
        const CrossBlockOutput layer = block(result.output, memory, source_padding, target_padding, rng);
        result.output = layer.output;                         // (batch, target, d_model)
        result.self_weights.push_back(layer.self_weights);    // (batch, heads, target, target)
        result.cross_weights.push_back(layer.cross_weights);  // (batch, heads, target, source)
    }
    if (final_norm) result.output = (*final_norm)(result.output);
    return result;
}

CrossStackOutput EncoderDecoder::operator()(const Tensor& source, const Tensor& target,
                                            const std::optional<Mask>& source_padding,
                                            const std::optional<Mask>& target_padding, Rng* rng) const {
    require_same_batch("EncoderDecoder", source, target);
    Tensor memory = source;
    CrossStackOutput result{target, {}, {}};
    for (std::size_t i = 0; i < blocks.size(); ++i) {
        memory = encoder.blocks[i](memory, source_padding, rng).output;
        const CrossBlockOutput layer = blocks[i](result.output, memory, source_padding, target_padding, rng);
        result.output = layer.output;
        result.self_weights.push_back(layer.self_weights);
        result.cross_weights.push_back(layer.cross_weights);
    }
    if (final_norm) result.output = (*final_norm)(result.output);
    return result;
}

}  // namespace tfs

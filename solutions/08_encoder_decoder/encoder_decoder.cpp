// Step 8.7 · encoder_decoder · ●●● · 20 min
// solutions/08_encoder_decoder/encoder_decoder.cpp
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
    // begin: The encoder. Its output is the memory.
    return encoder(source, source_padding, rng);
    // end
}

CrossStackOutput EncoderDecoder::decode(const Tensor& target, const Tensor& memory,
                                        const std::optional<Mask>& source_padding,
                                        const std::optional<Mask>& target_padding, Rng* rng) const {
    // begin: As in step decoder, with `blocks` of step encoder_decoder_block. Every block takes the output of the
    // block before, and the same memory. Collect both kinds of weights.
    CrossStackOutput result{target, {}, {}};
    for (const EncoderDecoderBlock& block : blocks) {
        const CrossBlockOutput layer = block(result.output, memory, source_padding, target_padding, rng);
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
                                            const std::optional<Mask>& target_padding, Rng* rng) const {
    require_same_batch("EncoderDecoder", source, target);
    // begin: The source goes through `encode` once, the target through `decode`. The source's padding is
    // for both.
    const Tensor memory = encode(source, source_padding, rng).output;  // (batch, source, d_model)
    return decode(target, memory, source_padding, target_padding, rng);
    // end
}

}  // namespace tfs

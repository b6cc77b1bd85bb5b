// Step 8.7 · encoder_decoder · ●●● · 20 min
// exercises/08_encoder_decoder/encoder_decoder.cpp · check yours with ./tutorial check 8.7
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
    // TODO 8.7: The encoder. Its output is the memory.
    throw NotImplemented("8.7 encoder_decoder");
}

CrossStackOutput EncoderDecoder::decode(const Tensor& target, const Tensor& memory,
                                        const std::optional<Mask>& source_padding,
                                        const std::optional<Mask>& target_padding, Rng* rng) const {
    // TODO 8.7: As in step decoder, with `blocks` of step encoder_decoder_block. Every block takes the output of the
    // block before, and the same memory. Collect both kinds of weights.
    throw NotImplemented("8.7 encoder_decoder");
}

CrossStackOutput EncoderDecoder::operator()(const Tensor& source, const Tensor& target,
                                            const std::optional<Mask>& source_padding,
                                            const std::optional<Mask>& target_padding, Rng* rng) const {
    require_same_batch("EncoderDecoder", source, target);
    // TODO 8.7: The source goes through `encode` once, the target through `decode`. The source's padding is
    // for both.
    throw NotImplemented("8.7 encoder_decoder");
}

}  // namespace tfs

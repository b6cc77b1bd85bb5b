// Step 8.6 · decoder · ●○○ · 5 min
// solutions/08_encoder_decoder/decoder.cpp
#include "chapters/08_encoder_decoder/encoder_decoder.hpp"
#include "chapters/08_encoder_decoder/given/parts.hpp"

namespace tfs {

Decoder::Decoder(const StackConfig& config, Rng& rng) {
    require_valid("Decoder", config);
    for (std::size_t i = 0; i < config.num_layers; ++i) blocks.emplace_back(config.block, rng);
    final_norm = make_final_norm(config);
}

Parameters Decoder::parameters() const { return stack_parameters(blocks, final_norm); }

StackOutput Decoder::operator()(const Tensor& x, const std::optional<Mask>& padding, Rng* rng) const {
    // begin: The same loop as in step encoder: each block takes what the one before gave, all of them the same
    // padding; collect the weights of every layer; in the end, once, the final norm, where there is one. (A
    // struct of its own, so that nobody can hand an encoder's blocks to a decoder.)
    StackOutput result{x, {}};
    for (const DecoderBlock& block : blocks) {
        const AttentionOutput layer = block(result.output, padding, rng);
        result.output = layer.output;             // (batch, seq, d_model)
        result.weights.push_back(layer.weights);  // (batch, heads, query, key)
    }
    if (final_norm) result.output = (*final_norm)(result.output);
    return result;
    // end
}

}  // namespace tfs

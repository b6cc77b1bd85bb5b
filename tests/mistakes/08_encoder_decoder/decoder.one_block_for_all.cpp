// tests/mistakes/08_encoder_decoder/decoder.one_block_for_all.cpp · step 8.6 done wrong
// The same block as many times as there are layers: weights shared.
// The checklist must say: "the first block stands for all"
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
    StackOutput result{x, {}};
    for (std::size_t i = 0; i < blocks.size(); ++i) {
        const AttentionOutput layer = blocks.front()(result.output, padding, rng);
        result.output = layer.output;             // (batch, seq, d_model)
        result.weights.push_back(layer.weights);  // (batch, heads, query, key)
    }
    if (final_norm) result.output = (*final_norm)(result.output);
    return result;
}

}  // namespace tfs

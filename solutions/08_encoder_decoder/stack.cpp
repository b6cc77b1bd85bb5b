// Step 8.1 · stack · ●●○ · 15 min
// solutions/08_encoder_decoder/stack.cpp
#include "chapters/01_attention/attention.hpp"
#include "chapters/08_encoder_decoder/encoder_decoder.hpp"
#include "chapters/08_encoder_decoder/given/stacks.hpp"

namespace tfs {

Stack::Stack(StackKind chosen, const StackConfig& config, Rng& rng) : kind(chosen) {
    require_valid("Stack", config);
    for (std::size_t i = 0; i < config.num_layers; ++i) blocks.emplace_back(config.block, rng);
    final_norm = make_final_norm(config);
}

Parameters Stack::parameters() const { return stack_parameters(blocks, final_norm); }

StackOutput Stack::operator()(const Tensor& x, const std::optional<Mask>& padding, const Pass& pass) const {
    require_padded_input("Stack", blocks.front().attention, x, "padding", padding, pass);
    // begin: All blocks, one after the other, under one mask; then the final norm, where there is one.
    // Block i takes the pass `pass.in_layer(i)`. Return the weights of every layer, too.
    const auto mask = self_attention_mask(kind, x.size(1), padding, pass);
    StackOutput result{x, {}};
    for (std::size_t i = 0; i < blocks.size(); ++i) {
        const AttentionOutput layer = blocks[i](result.output, mask, pass.in_layer(i));
        result.output = layer.output;             // (batch, seq, d_model)
        result.weights.push_back(layer.weights);  // (batch, heads, query, key)
    }
    if (final_norm) result.output = (*final_norm)(result.output);
    return result;
    // end
}

}  // namespace tfs

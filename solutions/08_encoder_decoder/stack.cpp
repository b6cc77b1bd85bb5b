// Step 8.2 · stack · ●●○ · 15 min
// solutions/08_encoder_decoder/stack.cpp
#include "chapters/08_encoder_decoder/encoder_decoder.hpp"
#include "chapters/08_encoder_decoder/given/checks.hpp"
#include "chapters/08_encoder_decoder/given/parts.hpp"

namespace tfs {

Stack::Stack(StackKind chosen, const StackConfig& config, Rng& rng) : kind(chosen) {
    require_valid("Stack", config);
    for (std::size_t i = 0; i < config.num_layers; ++i) blocks.emplace_back(config.block, rng);
    final_norm = make_final_norm(config);
}

Parameters Stack::parameters() const { return stack_parameters(blocks, final_norm); }

StackOutput Stack::operator()(const Tensor& x, const std::optional<Mask>& padding, const Pass& pass) const {
    require_padded_input("Stack", blocks.front().attention, x, "padding", padding, pass);
    // begin: Make the mask of this kind of stack, once (step self_attention_mask). Each block takes what the one before gave
    // (the first one takes x), all of them the same mask, and block i the pass `pass.in_layer(i)`. Collect the weights of
    // every layer. In the end, once, the final norm, where there is one (`*final_norm` is the norm itself).
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

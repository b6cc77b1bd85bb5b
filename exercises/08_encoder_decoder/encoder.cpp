// Step 8.5 · encoder · ●●○ · 10 min
// exercises/08_encoder_decoder/encoder.cpp · check yours with ./tutorial check 8.5
#include "chapters/08_encoder_decoder/encoder_decoder.hpp"
#include "chapters/08_encoder_decoder/given/parts.hpp"

namespace tfs {

Encoder::Encoder(const StackConfig& config, Rng& rng) {
    require_valid("Encoder", config);
    for (std::size_t i = 0; i < config.num_layers; ++i) blocks.emplace_back(config.block, rng);
    final_norm = make_final_norm(config);
}

Parameters Encoder::parameters() const { return stack_parameters(blocks, final_norm); }

StackOutput Encoder::operator()(const Tensor& x, const std::optional<Mask>& padding, Rng* rng) const {
    // TODO 8.5: Each block takes what the one before gave (the first one takes x), all of them with the same
    // padding. Collect the weights of every layer. In the end, once, the final norm, where there is one
    // (`*final_norm` is the norm itself).
    throw NotImplemented("8.5 encoder");
}

}  // namespace tfs

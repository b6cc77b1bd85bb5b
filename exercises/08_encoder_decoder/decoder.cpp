// Step 8.6 · decoder
// exercises/08_encoder_decoder/decoder.cpp · check yours with ./tutorial check 8.6
#include "chapters/08_encoder_decoder/encoder_decoder.hpp"
#include "chapters/08_encoder_decoder/given/checks.hpp"

namespace tfs {

Decoder::Decoder(const StackConfig& config, Rng& rng) {
    require_valid("Decoder", config);
    for (std::size_t i = 0; i < config.num_layers; ++i) blocks.emplace_back(config.block, rng);
    final_norm = make_final_norm(config);
}

Parameters Decoder::parameters() const {
    Parameters all;
    for (std::size_t i = 0; i < blocks.size(); ++i)
        append(all, "blocks." + std::to_string(i), blocks[i].parameters());
    if (final_norm) append(all, "final_norm", final_norm->parameters());
    return all;
}

StackOutput Decoder::operator()(const Tensor& x, const std::optional<Mask>& padding, Rng* rng) const {
    // TODO 8.6: Each block takes what the one before gave (the first one takes x), all of them with the same
    // padding. Collect the weights of every layer. In the end, once, the final norm, where there is one
    // (`*final_norm` is the norm itself).
    throw NotImplemented("8.6 decoder");
}

}  // namespace tfs

// tests/mistakes/07_block/transformer_block.second_call_for_the_weights.cpp · step 7.4 done wrong
// Attention is called once more for its weights, without rng.
// The checklist must say: "the weights come from a second call"
#include "chapters/07_block/block.hpp"
#include "chapters/07_block/given/checks.hpp"

namespace tfs {

TransformerBlock::TransformerBlock(const BlockConfig& chosen, Rng& rng)
    : config(require_valid("TransformerBlock", chosen)), attention(config, rng), feed_forward(config, rng) {}

AttentionOutput TransformerBlock::operator()(const Tensor& x, const std::optional<Mask>& mask,
                                             Rng* rng) const {
    require_block_input("TransformerBlock", x, config.d_model);
    const auto [attended, weights] = attention(x, mask, rng);
    return {feed_forward(attended, rng), attention(x, mask).weights};
}

Parameters TransformerBlock::parameters() const {
    Parameters all;
    append(all, "attention", attention.parameters());
    append(all, "feed_forward", feed_forward.parameters());
    return all;
}

}  // namespace tfs

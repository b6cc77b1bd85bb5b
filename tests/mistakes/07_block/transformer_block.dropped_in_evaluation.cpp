// tests/mistakes/07_block/transformer_block.dropped_in_evaluation.cpp · step 7.4 done wrong
// Where there is no Rng, one is made.
// The checklist must say: "dropout is active in evaluation"
#include "chapters/07_block/block.hpp"
#include "chapters/07_block/given/checks.hpp"

namespace tfs {

TransformerBlock::TransformerBlock(const BlockConfig& chosen, Rng& rng)
    : config(require_valid("TransformerBlock", chosen)), attention(config, rng), feed_forward(config, rng) {}

AttentionOutput TransformerBlock::operator()(const Tensor& x, const std::optional<Mask>& mask,
                                             Rng* rng) const {
    require_block_input("TransformerBlock", x, config.d_model);
    Rng own(1);
    if (!rng) rng = &own;
    const auto [attended, weights] = attention(x, mask, rng);
    return {feed_forward(attended, rng), weights};
}

Parameters TransformerBlock::parameters() const {
    Parameters all;
    append(all, "attention", attention.parameters());
    append(all, "feed_forward", feed_forward.parameters());
    return all;
}

}  // namespace tfs

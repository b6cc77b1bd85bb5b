// Step 7.4 · transformer_block · ●○○ · 5 min
// exercises/07_block/transformer_block.cpp · check yours with ./tutorial check 7.4
#include "chapters/07_block/block.hpp"
#include "chapters/07_block/given/checks.hpp"

namespace tfs {

TransformerBlock::TransformerBlock(const BlockConfig& chosen, Rng& rng)
    : config(require_valid("TransformerBlock", chosen)), attention(config, rng), feed_forward(config, rng) {}

AttentionOutput TransformerBlock::operator()(const Tensor& x, const std::optional<Mask>& mask,
                                             const Pass& pass) const {
    require_block_input("TransformerBlock", x, config.d_model);
    // TODO 7.4: The one half after the other. The weights are those of attention.
    throw NotImplemented("7.4 transformer_block");
}

Parameters TransformerBlock::parameters() const {
    Parameters all;
    append(all, "attention", attention.parameters());
    append(all, "feed_forward", feed_forward.parameters());
    return all;
}

}  // namespace tfs

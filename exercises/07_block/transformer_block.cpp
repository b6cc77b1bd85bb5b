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
    // TODO 7.4: Attention first: it gives the attended x and the weights. Then the feed-forward network on the attended x.
    // The mask and the pass are for attention; of the pass, the network needs the rng alone.
    throw NotImplemented("7.4 transformer_block");
}

Parameters TransformerBlock::parameters() const {
    Parameters all;
    append(all, "attention", attention.parameters());
    append(all, "feed_forward", feed_forward.parameters());
    return all;
}

}  // namespace tfs

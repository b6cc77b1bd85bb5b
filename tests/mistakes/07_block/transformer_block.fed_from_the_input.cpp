// tests/mistakes/07_block/transformer_block.fed_from_the_input.cpp · step 7.4 done wrong
// The network works on x; what attention gave is thrown away.
// The checklist must say: "fed from the block's input"
#include "chapters/07_block/block.hpp"
#include "chapters/07_block/given/checks.hpp"

namespace tfs {

TransformerBlock::TransformerBlock(const BlockConfig& chosen, Rng& rng)
    : config(require_valid("TransformerBlock", chosen)), attention(config, rng), feed_forward(config, rng) {}

AttentionOutput TransformerBlock::operator()(const Tensor& x, const std::optional<Mask>& mask,
                                             Rng* rng) const {
    require_block_input("TransformerBlock", x, config.d_model);
    const Tensor weights = attention(x, mask, rng).weights;
    return {feed_forward(x, rng), weights};
}

Parameters TransformerBlock::parameters() const {
    Parameters all;
    append(all, "attention", attention.parameters());
    append(all, "feed_forward", feed_forward.parameters());
    return all;
}

}  // namespace tfs

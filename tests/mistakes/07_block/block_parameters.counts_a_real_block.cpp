// tests/mistakes/07_block/block_parameters.counts_a_real_block.cpp · step 7.5 done wrong
// All weights are drawn to know their number.
// The checklist must say: "a block is made to be counted"
#include "chapters/07_block/block.hpp"

namespace tfs {

BlockParameters block_parameters(const BlockConfig& config) {
    require_valid("block_parameters", config);
    Rng rng(1);
    const TransformerBlock block(config, rng);
    return {count_parameters(block.attention.attention.parameters()),
            count_parameters(block.feed_forward.network.parameters()),
            count_parameters(block.attention.norm.parameters())};
}

}  // namespace tfs

// tests/mistakes/07_block/block_parameters.biases_forgotten.cpp · step 7.5 done wrong
// The notes (2.3.8): matrices alone.
// The checklist must say: "the biases are forgotten"
#include "chapters/07_block/block.hpp"

namespace tfs {

BlockParameters block_parameters(const BlockConfig& config) {
    require_valid("block_parameters", config);
    const std::size_t d = config.d_model, d_ff = config.d_ff;
    BlockParameters count;
    count.attention = 4 * d * d;
    if (config.feed_forward == FeedForwardKind::swiglu) {
        count.feed_forward = 3 * d * d_ff;  // gate, up, down
    } else {
        count.feed_forward = 2 * d * d_ff;
    }
    count.norm = config.norm == NormKind::layer_norm ? 2 * d : d;
    return count;
}

}  // namespace tfs

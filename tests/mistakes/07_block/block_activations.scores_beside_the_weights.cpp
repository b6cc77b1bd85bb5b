// tests/mistakes/07_block/block_activations.scores_beside_the_weights.cpp · step 7.7 done wrong
// Scores and weights, where attention is one operation.
// The checklist must say: "the scores are not kept"
#include "chapters/07_block/block.hpp"

namespace tfs {

BlockActivations block_activations(const BlockConfig& config, std::size_t batch, std::size_t seq) {
    require_valid("block_activations", config);
    const std::size_t tokens = batch * seq, d = config.d_model, d_ff = config.d_ff;
    BlockActivations count;
    count.attention = tokens * d * (config.rotary ? 13 : 11);
    count.weights = 2 * batch * config.num_heads * seq * seq;
    const std::size_t hidden = config.feed_forward == FeedForwardKind::swiglu ? 3 : 2;
    count.feed_forward = tokens * (3 * d + hidden * d_ff);
    return count;
}

}  // namespace tfs

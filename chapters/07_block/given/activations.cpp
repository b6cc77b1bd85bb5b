// chapters/07_block/given/activations.cpp · the floats that a block keeps for its backward pass, given
#include "chapters/07_block/cost.hpp"

namespace tfs {

BlockActivations block_activations(const BlockConfig& config, std::size_t batch, std::size_t seq) {
    require_valid("block_activations", config);
    const std::size_t tokens = batch * seq, d = config.d_model, d_ff = config.d_ff;
    BlockActivations count;
    count.attention = tokens * d * (config.rotary ? 13 : 11);
    count.weights = batch * config.num_heads * seq * seq;
    const std::size_t hidden = config.feed_forward == FeedForwardKind::swiglu ? 3 : 2;
    count.feed_forward = tokens * (3 * d + hidden * d_ff);
    return count;
}

}  // namespace tfs

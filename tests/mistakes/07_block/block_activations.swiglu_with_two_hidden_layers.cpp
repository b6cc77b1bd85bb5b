// tests/mistakes/07_block/block_activations.swiglu_with_two_hidden_layers.cpp · step 7.7 done wrong
// Before and after the activation, whatever the network.
// The checklist must say: "SwiGLU keeps three hidden layers"
#include "chapters/07_block/block.hpp"

namespace tfs {

BlockActivations block_activations(const BlockConfig& config, std::size_t batch, std::size_t seq) {
    require_valid("block_activations", config);
    const std::size_t tokens = batch * seq, d = config.d_model, d_ff = config.d_ff;
    BlockActivations count;
    count.attention = tokens * d * (config.rotary ? 13 : 11);
    count.weights = batch * config.num_heads * seq * seq;
    const std::size_t hidden = 2;
    count.feed_forward = tokens * (3 * d + hidden * d_ff);
    return count;
}

}  // namespace tfs

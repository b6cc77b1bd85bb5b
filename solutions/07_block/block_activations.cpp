// Step 7.7 · block_activations · ●●● · 20 min
// solutions/07_block/block_activations.cpp
#include "chapters/07_block/block.hpp"

namespace tfs {

BlockActivations block_activations(const BlockConfig& config, std::size_t batch, std::size_t seq) {
    require_valid("block_activations", config);
    // begin: Walk through the forward pass and count the floats of each result. Attention, each d wide: the norm; q, k
    // and v; the same by head; with rotary positions the turned q and k; the heads' sums; merged; projected; added. The
    // weights apart: for every head one number for each pair of positions. Feed-forward network: norm, output and sum are d
    // wide, the hidden layer before and after its activation d_ff; with SwiGLU that are gate, up and their product.
    const std::size_t tokens = batch * seq, d = config.d_model, d_ff = config.d_ff;
    BlockActivations count;
    count.attention = tokens * d * (config.rotary ? 13 : 11);
    count.weights = batch * config.num_heads * seq * seq;
    const std::size_t hidden = config.feed_forward == FeedForwardKind::swiglu ? 3 : 2;
    count.feed_forward = tokens * (3 * d + hidden * d_ff);
    return count;
    // end
}

}  // namespace tfs

// tests/mistakes/07_block/block_activations.counted_in_int.cpp · step 7.7 done wrong
// In 32 bits: right up to 2^32.
// The checklist must say: "int is too narrow"
#include "chapters/07_block/block.hpp"

namespace tfs {

BlockActivations block_activations(const BlockConfig& config, std::size_t batch, std::size_t seq) {
    require_valid("block_activations", config);
    const std::size_t tokens = batch * seq, d = config.d_model, d_ff = config.d_ff;
    BlockActivations count;
    count.attention = tokens * d * (config.rotary ? 13 : 11);
    count.weights =
        static_cast<std::size_t>(static_cast<unsigned>(batch) * static_cast<unsigned>(config.num_heads) *
                                 static_cast<unsigned>(seq) * static_cast<unsigned>(seq));
    const std::size_t hidden = config.feed_forward == FeedForwardKind::swiglu ? 3 : 2;
    count.feed_forward = tokens * (3 * d + hidden * d_ff);
    return count;
}

}  // namespace tfs

// Step 7.5 · block_parameters · ●●○ · 15 min
// solutions/07_block/block_parameters.cpp
#include "chapters/07_block/cost.hpp"

namespace tfs {

BlockParameters block_parameters(const BlockConfig& config) {
    require_valid("block_parameters", config);
    // begin: The parameters of attention, of the network and of one norm, from the sizes alone.
    const std::size_t d = config.d_model, d_ff = config.d_ff;
    BlockParameters count;
    const std::size_t biases = config.attention_bias == AttentionBias::all   ? 4
                               : config.attention_bias == AttentionBias::qkv ? 3
                                                                             : 0;
    count.attention = 4 * d * d + biases * d;
    if (config.feed_forward == FeedForwardKind::swiglu) {
        count.feed_forward = 3 * d * d_ff;  // gate, up, down
    } else {
        count.feed_forward = 2 * d * d_ff + (config.feed_forward_bias == Bias::yes ? d_ff + d : 0);
    }
    count.norm = config.norm == NormKind::layer_norm ? 2 * d : d;
    return count;
    // end
}

}  // namespace tfs

// Step 7.4 · block_parameters · ●●○ · 15 min
// solutions/07_block/block_parameters.cpp
#include "chapters/07_block/block.hpp"
#include "chapters/07_block/cost.hpp"
#include "common/nn/layers.hpp"

namespace tfs {

BlockParameters block_parameters(const BlockConfig& config) {
    require_valid("block_parameters", config);
    const std::size_t d = config.d_model, d_ff = config.d_ff;
    // begin: This count is found in published code. For which blocks is it wrong? Mend it for all of them.
    const std::size_t d_kv = d / config.num_heads * config.kv_heads();  // the keys of all heads side by side
    BlockParameters count;
    count.attention = 2 * d * d + 2 * d * d_kv;  // w_q and w_o, w_k and w_v
    if (config.attention_bias != AttentionBias::none) count.attention += d + 2 * d_kv;
    if (config.attention_bias == AttentionBias::all) count.attention += d;
    if (config.feed_forward == FeedForwardKind::swiglu) {
        count.feed_forward = 3 * d * d_ff;  // gate, up, down
    } else {
        count.feed_forward = 2 * d * d_ff + (config.feed_forward_bias == Bias::yes ? d_ff + d : 0);
    }
    count.norm = config.norm == NormKind::layer_norm ? 2 * d : d;
    // instead
    // BlockParameters count;
    // count.attention = 4 * d * d;        // w_q, w_k, w_v, w_o
    // count.feed_forward = 2 * d * d_ff;  // up, down
    // count.norm = d;                     // of one norm
    // end
    return count;
}

}  // namespace tfs

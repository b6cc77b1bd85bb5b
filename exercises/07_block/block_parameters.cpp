// Step 7.3 · block_parameters · ●●○ · 15 min
// exercises/07_block/block_parameters.cpp · check yours with ./tutorial check 7.3
#include "chapters/07_block/block.hpp"
#include "chapters/07_block/cost.hpp"
#include "common/nn/layers.hpp"

namespace tfs {

namespace {

// Entries of the biases, which are given: q, k, v and the output have those that the config asks for; SwiGLU has none.
std::size_t attention_biases(const BlockConfig& config) {
    const std::size_t of_keys = config.d_model / config.num_heads * config.kv_heads();
    if (config.attention_bias == AttentionBias::none) return 0;
    return config.d_model + 2 * of_keys + (config.attention_bias == AttentionBias::all ? config.d_model : 0);
}
std::size_t network_biases(const BlockConfig& config) {
    const bool none = config.feed_forward == FeedForwardKind::swiglu || config.feed_forward_bias == Bias::no;
    return none ? 0 : config.d_ff + config.d_model;
}

}  // namespace

BlockParameters block_parameters(const BlockConfig& config) {
    require_valid("block_parameters", config);
    const std::size_t d = config.d_model, d_ff = config.d_ff;
    // TODO 7.3: This count is found in published code. For which blocks is it wrong? Mend it for all of them.
    BlockParameters count;
    count.attention = 4 * d * d + attention_biases(config);      // w_q, w_k, w_v, w_o
    count.feed_forward = 2 * d * d_ff + network_biases(config);  // up, down
    count.norm = d;                                              // of one norm
    return count;
}

}  // namespace tfs

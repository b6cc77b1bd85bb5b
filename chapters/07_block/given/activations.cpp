// chapters/07_block/given/activations.cpp · the floats that a block keeps for its backward pass, given
#include "chapters/07_block/cost.hpp"
#include "common/base/array.hpp"

namespace tfs {

BlockActivations block_activations(const BlockConfig& config, std::size_t batch, std::size_t seq) {
    require_valid("block_activations", config);
    const std::size_t d = config.d_model, d_ff = config.d_ff;
    BlockActivations count;
    const std::size_t d_kv = config.d_kv(), turned = config.rotary() ? 1 : 0,
                      repeated = config.grouped() ? 2 : 0;
    // norm, q twice, [turned q], [repeated k and v], sums, merged, projected, added; k and v twice, [turned k]
    count.attention = checked_sum({checked_product({batch, seq, d, 7 + turned + repeated}),
                                   checked_product({batch, seq, d_kv, 4 + turned})});
    count.weights = checked_product({batch, config.num_heads, seq, seq});
    const std::size_t hidden = config.feed_forward == FeedForwardKind::swiglu ? 3 : 2;
    count.feed_forward = checked_product({batch, seq, 3 * d + hidden * d_ff});
    return count;
}

}  // namespace tfs

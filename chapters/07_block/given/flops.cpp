// chapters/07_block/given/flops.cpp · the floating-point operations of a block's products, given
#include "chapters/07_block/cost.hpp"
#include "common/base/array.hpp"

namespace tfs {

AttentionFlops attention_flops(const BlockConfig& config, std::size_t batch, std::size_t query,
                               std::size_t key) {
    require_valid("attention_flops", config);
    const std::size_t d = config.d_model;
    AttentionFlops flops;
    flops.projections = checked_sum({checked_product({2 * 2, batch, query, d, d}),
                                     checked_product({2 * 2, batch, key, d, config.d_kv()})});
    flops.scores = checked_product({2, batch, query, key, d});
    flops.weighted_sum = flops.scores;
    return flops;
}

std::size_t feed_forward_flops(const BlockConfig& config, std::size_t batch, std::size_t seq) {
    require_valid("feed_forward_flops", config);
    const std::size_t matrices = config.feed_forward == FeedForwardKind::swiglu ? 3 : 2;
    return checked_product({2, batch, seq, matrices, config.d_model, config.d_ff});
}

}  // namespace tfs

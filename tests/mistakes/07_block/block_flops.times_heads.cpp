// tests/mistakes/07_block/block_flops.times_heads.cpp · step 7.6 done wrong
// Every head is taken for as wide as the model.
// The checklist must say: "heads multiplied"
#include "chapters/07_block/block.hpp"

namespace tfs {

AttentionFlops attention_flops(const BlockConfig& config, std::size_t batch, std::size_t query,
                               std::size_t key) {
    require_valid("attention_flops", config);
    const std::size_t d = config.d_model;
    AttentionFlops flops;
    flops.projections = 2 * config.num_heads * batch * (2 * query + 2 * key) * d * d;
    flops.scores = 2 * config.num_heads * batch * query * key * d;
    flops.weighted_sum = 2 * batch * query * key * d;
    return flops;
}

std::size_t feed_forward_flops(const BlockConfig& config, std::size_t batch, std::size_t seq) {
    require_valid("feed_forward_flops", config);
    const std::size_t matrices = config.feed_forward == FeedForwardKind::swiglu ? 3 : 2;
    return 2 * batch * seq * matrices * config.d_model * config.d_ff;
}

}  // namespace tfs

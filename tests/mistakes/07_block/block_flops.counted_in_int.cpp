// tests/mistakes/07_block/block_flops.counted_in_int.cpp · step 7.6 done wrong
// In 32 bits: right up to 2^32.
// The checklist must say: "int is too narrow"
#include "chapters/07_block/block.hpp"

namespace tfs {

AttentionFlops attention_flops(const BlockConfig& config, std::size_t batch, std::size_t query,
                               std::size_t key) {
    require_valid("attention_flops", config);
    const unsigned d = static_cast<unsigned>(config.d_model), b = static_cast<unsigned>(batch),
                   q = static_cast<unsigned>(query), k = static_cast<unsigned>(key);
    AttentionFlops flops;
    flops.projections = 2 * b * (2 * q + 2 * k) * d * d;
    flops.scores = 2 * b * q * k * d;
    flops.weighted_sum = 2 * b * q * k * d;
    return flops;
}

std::size_t feed_forward_flops(const BlockConfig& config, std::size_t batch, std::size_t seq) {
    require_valid("feed_forward_flops", config);
    const std::size_t matrices = config.feed_forward == FeedForwardKind::swiglu ? 3 : 2;
    return 2 * batch * seq * matrices * config.d_model * config.d_ff;
}

}  // namespace tfs

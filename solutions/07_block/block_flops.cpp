// Step 7.6 · block_flops · ●●○ · 15 min
// solutions/07_block/block_flops.cpp
#include "chapters/07_block/block.hpp"

namespace tfs {

AttentionFlops attention_flops(const BlockConfig& config, std::size_t batch, std::size_t query,
                               std::size_t key) {
    require_valid("attention_flops", config);
    // begin: A product (m, k) x (k, n) is m n sums of k products: 2 m n k. w_q and w_o see every query, w_k and w_v
    // every key. The scores of one head are (query, d_k) x (d_k, key); all heads together make that (query, d) x (d, key).
    // The weighted sum costs the same, (query, key) x (key, d_v).
    const std::size_t d = config.d_model;
    AttentionFlops flops;
    flops.projections = 2 * batch * (2 * query + 2 * key) * d * d;
    flops.scores = 2 * batch * query * key * d;
    flops.weighted_sum = 2 * batch * query * key * d;
    return flops;
    // end
}

std::size_t feed_forward_flops(const BlockConfig& config, std::size_t batch, std::size_t seq) {
    require_valid("feed_forward_flops", config);
    // begin: Every position meets two matrices between d_model and d_ff, or, with SwiGLU, three.
    const std::size_t matrices = config.feed_forward == FeedForwardKind::swiglu ? 3 : 2;
    return 2 * batch * seq * matrices * config.d_model * config.d_ff;
    // end
}

}  // namespace tfs

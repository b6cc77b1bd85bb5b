// Step 7.6 · block_flops · ●●○ · 15 min
// exercises/07_block/block_flops.cpp · check yours with ./tutorial check 7.6
#include "chapters/07_block/block.hpp"

namespace tfs {

AttentionFlops attention_flops(const BlockConfig& config, std::size_t batch, std::size_t query,
                               std::size_t key) {
    require_valid("attention_flops", config);
    // TODO 7.6: A product (m, k) x (k, n) is m n sums of k products: 2 m n k. w_q and w_o see every query, w_k and w_v
    // every key. The scores of one head are (query, d_k) x (d_k, key); all heads together make that (query, d) x (d, key).
    // The weighted sum costs the same, (query, key) x (key, d_v).
    throw NotImplemented("7.6 block_flops");
}

std::size_t feed_forward_flops(const BlockConfig& config, std::size_t batch, std::size_t seq) {
    require_valid("feed_forward_flops", config);
    // TODO 7.6: Every position meets two matrices between d_model and d_ff, or, with SwiGLU, three.
    throw NotImplemented("7.6 block_flops");
}

}  // namespace tfs

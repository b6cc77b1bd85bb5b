// tests/support/multi_head.hpp · the projections of a block as a layer of chapter 01
#pragma once

#include "chapters/07_block/block.hpp"

namespace tfs::test {

// The same weights: with as many heads of keys as of queries.
inline MultiHeadAttention multi_head(const Projections& attention) {
    Rng none = Rng::zeros();
    MultiHeadAttention same(attention.w_q.weight.size(1), attention.num_heads, none);
    same.w_q = attention.w_q, same.w_k = attention.w_k, same.w_v = attention.w_v, same.w_o = attention.w_o;
    return same;
}

}  // namespace tfs::test

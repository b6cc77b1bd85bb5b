// chapters/07_block/two_blocks.hpp · the puzzle of chapter 07: two blocks whose weights you write by hand
//
// Only what the puzzle needs is left of a block: attention with one head, without a mask, and the residual connection. No
// norm, no feed-forward network; w_v makes what is added, as if w_o were the identity.
#pragma once

#include "common/tensor.hpp"

namespace tfs {

// Each word of a sentence is a row of nine numbers, the residual stream at this word:
//     column      0     1        2      3          4     5      6   7      8
//     feature     noun  animate  thing  adjective  verb  other  it  empty  empty
//     cat         1     1        0      0          0     0      0   0      0
//     mat         1     0        1      0          0     0      0   0      0
//     tired       0     1        0      1          0     0      0   0      0       said of animate beings
//     soft        0     0        1      1          0     0      0   0      0       said of things
//     sat         0     1        0      0          1     0      0   0      0
//     lay         0     0        1      0          1     0      0   0      0
//     it          0     0        0      0          0     1      1   0      0
//     the         0     0        0      0          0     1      0   0      0       and: on, near, and, because, was
// The first six are those of the puzzle in chapter 01. The two empty columns are room for what block 1 finds out.
constexpr std::size_t stream_width = 9;

// x -> x + weights (x w_vᵀ), with weights = softmax(factor (x w_qᵀ)(x w_kᵀ)ᵀ / sqrt(d_k))
struct HandMadeBlock {
    Tensor w_q, w_k;  // (d_k, 9): a row for each number of a query or key; you choose d_k
    Tensor w_v =
        Tensor::zeros({stream_width, stream_width});  // a row for each column of the stream to which it adds
    float factor = 1.0f;                              // how decided the head is
};

struct HandMadeBlocks {
    HandMadeBlock first, second;
};

// Step two_blocks_by_hand · Puzzle: in "the cat sat on the mat because it was tired", the row "it" of block 2 must give at
// least 0.9 of its weight to cat, and with "soft" to mat; so it must in all sentences of these words that end with "it was"
// and an adjective, and have one noun that fits the adjective. Block 1 may look at whatever helps.
HandMadeBlocks two_blocks_by_hand();

}  // namespace tfs

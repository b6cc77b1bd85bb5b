// Step 7.4 · two_blocks_by_hand · ●●○ · 30 min
// solutions/07_block/two_blocks_by_hand.cpp
#include <utility>

#include "chapters/07_block/two_blocks.hpp"

namespace tfs {

HandMadeBlocks two_blocks_by_hand() {
    HandMadeBlocks blocks;
    // begin: Puzzle: w_q, w_k and the factor of both blocks, and w_v of the first, so that "it" in block 2 finds the noun that
    // the adjective fits. The columns are noun, animate, thing, adjective, verb, other, it, and two empty ones.
    blocks.first.w_q = Tensor::from({1, 9}, {0, 0, 0, 0, 0, 0, 1, 0, 0});  // "it" looks for an adjective
    blocks.first.w_k = Tensor::from({1, 9}, {0, 0, 0, 1, 0, 0, 0, 0, 0});  // I am an adjective
    Array w_v = Tensor::zeros({stream_width, stream_width}).array();
    w_v(7, 1) = 1.0f;  // animate, written into the first empty column
    w_v(8, 2) = 1.0f;  // thing, into the second
    blocks.first.w_v = Tensor(std::move(w_v));
    blocks.first.factor = 20.0f;

    blocks.second.w_q = Tensor::from({3, 9}, {0, 0, 0, 0, 0, 0, 0, 1, 0,    // I have read: animate
                                              0, 0, 0, 0, 0, 0, 0, 0, 1,    // I have read: thing
                                              0, 0, 0, 0, 0, 0, 1, 0, 0});  // I am "it": I look for a noun
    blocks.second.w_k = Tensor::from({3, 9}, {0, 1, 0, 0, 0, 0, 0, 0, 0,    // I am animate
                                              0, 0, 1, 0, 0, 0, 0, 0, 0,    // I belong to things
                                              1, 0, 0, 0, 0, 0, 0, 0, 0});  // I am a noun
    blocks.second.factor = 20.0f;
    // end
    return blocks;
}

}  // namespace tfs

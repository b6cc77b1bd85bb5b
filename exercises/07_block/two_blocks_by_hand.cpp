// Step 7.4 · two_blocks_by_hand · ●●○ · 30 min
// exercises/07_block/two_blocks_by_hand.cpp · check yours with ./tutorial check 7.4
#include <utility>

#include "chapters/07_block/two_blocks.hpp"

namespace tfs {

HandMadeBlocks two_blocks_by_hand() {
    HandMadeBlocks blocks;
    // TODO 7.4: Puzzle: w_q, w_k and the factor of both blocks, and w_v of the first, so that "it" in block 2 finds the noun that
    // the adjective fits. The columns are noun, animate, thing, adjective, verb, other, it, and two empty ones.
    throw NotImplemented("7.4 two_blocks_by_hand");
    return blocks;
}

}  // namespace tfs

// Step 1.6 · head_by_hand · ●●○ · 20 min
// exercises/01_attention/head_by_hand.cpp · check yours with ./tutorial check 1.6
#include "chapters/01_attention/attention.hpp"

namespace tfs {

HandMadeHead head_by_hand() {
    // TODO 1.6: Puzzle: w_q, w_k, w_v and the factor, so that an adjective finds its noun and reads of what kind it is.
    // The columns are noun, animate, thing, adjective, verb, other; a matrix is Tensor::from({d_k, 6}, {...}).
    throw NotImplemented("1.6 head_by_hand");
}

}  // namespace tfs

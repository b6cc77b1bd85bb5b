// Step 1.6 · head_by_hand · ●●○ · 20 min
// solutions/01_attention/head_by_hand.cpp
#include "chapters/01_attention/attention.hpp"

namespace tfs {

HandMadeHead head_by_hand() {
    // begin: Puzzle: w_q, w_k, w_v and the factor, so that an adjective finds its noun and reads of what kind it is.
    // The columns are noun, animate, thing, adjective, verb, other; a matrix is Tensor::from({d_k, 6}, {...}).
    const Tensor w_q = Tensor::from({3, 6}, {0, 1, 0, 0, 0, 0,    // I look for what is animate
                                             0, 0, 1, 0, 0, 0,    // I look for a thing
                                             0, 0, 0, 1, 0, 0});  // I am an adjective: I look for a noun
    const Tensor w_k = Tensor::from({3, 6}, {0, 1, 0, 0, 0, 0,    // I am animate
                                             0, 0, 1, 0, 0, 0,    // I belong to things
                                             1, 0, 0, 0, 0, 0});  // I am a noun
    const Tensor w_v = Tensor::from({2, 6}, {0, 1, 0, 0, 0, 0,    // animate
                                             0, 0, 1, 0, 0, 0});  // thing
    const float factor = 10.0f;
    return {w_q, w_k, w_v, factor};
    // end
}

}  // namespace tfs

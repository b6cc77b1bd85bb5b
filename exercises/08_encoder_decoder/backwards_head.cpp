// Step 8.4 · backwards_head · ●●○ · 20 min
// exercises/08_encoder_decoder/backwards_head.cpp · check yours with ./tutorial check 8.4
#include <cmath>

#include "chapters/08_encoder_decoder/encoder_decoder.hpp"

namespace tfs {

PositionHead backwards_head(std::size_t n) {
    constexpr std::size_t width = PositionHead::d_model;
    Array w_q = Tensor::zeros({width, width}).array(), w_k = Tensor::zeros({width, width}).array();
    // TODO 8.4: Puzzle: fill w_q and w_k, so that target t attends to source n - 1 - t. (Another d_k is allowed: assign arrays
    // of another shape.)
    throw NotImplemented("8.4 backwards_head");
    return {Tensor(std::move(w_q)), Tensor(std::move(w_k))};
}

}  // namespace tfs

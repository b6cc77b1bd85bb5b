// Step 8.4 · backwards_head · ●●● · 20 min
// exercises/08_encoder_decoder/backwards_head.cpp · check yours with ./tutorial check 8.4
#include <cmath>

#include "chapters/08_encoder_decoder/encoder_decoder.hpp"

namespace tfs {

PositionHead backwards_head(std::size_t n) {
    constexpr std::size_t width = PositionHead::d_model;
    Array w_q = Tensor::zeros({width, width}).array(), w_k = Tensor::zeros({width, width}).array();
    [[maybe_unused]] constexpr double strength = 40.0;  // times this, the scores are large enough for 0.9
    for (std::size_t a = 0; a < width; a += 2) {
        [[maybe_unused]] const std::size_t b = a + 1;  // a: the sine, b: the cosine
        [[maybe_unused]] const double frequency =
            std::pow(10000.0, -static_cast<double>(a) / static_cast<double>(width));
        // TODO 8.4: Puzzle: write the entries (a or b, a or b) of w_q and w_k for this pair, so that target t attends to source
        // n - 1 - t.
        throw NotImplemented("8.4 backwards_head");
    }
    return {Tensor(std::move(w_q)), Tensor(std::move(w_k))};
}

}  // namespace tfs

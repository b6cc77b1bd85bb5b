// Step 8.4 · backwards_head · ●●● · 20 min
// solutions/08_encoder_decoder/backwards_head.cpp
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
        // begin: Puzzle: write the entries (a or b, a or b) of w_q and w_k for this pair, so that target t attends to source
        // n - 1 - t.
        const double angle = static_cast<double>(n - 1) * frequency;  // of the last position; w: frequency
        const auto c = static_cast<float>(strength * std::cos(angle));
        const auto s = static_cast<float>(strength * std::sin(angle));
        w_q(a, a) = -c, w_q(a, b) = s;  // sin(angle - wt) = sin(angle) cos(wt) - cos(angle) sin(wt)
        w_q(b, a) = s, w_q(b, b) = c;   // cos(angle - wt) = cos(angle) cos(wt) + sin(angle) sin(wt)
        w_k(a, a) = w_k(b, b) = 1.0f;   // a key says where it is
        // end
    }
    return {Tensor(std::move(w_q)), Tensor(std::move(w_k))};
}

}  // namespace tfs

// Step 3.4 · previous_token_head · ●●○ · 25 min
// solutions/03_positional_encoding/previous_token_head.cpp
#include <cmath>

#include "chapters/03_positional_encoding/positional_encoding.hpp"

namespace tfs {

PositionHead previous_token_head() {
    constexpr std::size_t width = PositionHead::d_model;
    Array w_q = Tensor::zeros({width, width}).array(), w_k = Tensor::zeros({width, width}).array();
    // begin: Puzzle: fill w_q and w_k, so that each position attends to the one before it. (Another d_k is allowed:
    // assign arrays of another shape.)
    constexpr double strength = 40.0;
    for (std::size_t a = 0; a < width; a += 2) {
        const std::size_t b = a + 1;  // a: the sine, b: the cosine
        const double angle = std::pow(10000.0, -static_cast<double>(a) / static_cast<double>(width));
        const auto c = static_cast<float>(strength * std::cos(angle));
        const auto s = static_cast<float>(strength * std::sin(angle));
        w_q(a, a) = c, w_q(a, b) = -s;  // sin(p - angle) = cos(angle) sin(p) - sin(angle) cos(p)
        w_q(b, a) = s, w_q(b, b) = c;   // cos(p - angle) = sin(angle) sin(p) + cos(angle) cos(p)
        w_k(a, a) = w_k(b, b) = 1.0f;   // a key says where it is
    }
    // end
    return {Tensor(std::move(w_q)), Tensor(std::move(w_k))};
}

}  // namespace tfs

// Step 5.2 · feed_forward_networks · ●●○ · 15 min
// solutions/05_feed_forward/feed_forward_networks.cpp
#include <fmt/format.h>

#include "chapters/05_feed_forward/feed_forward.hpp"

namespace tfs {

Tensor FeedForward::hidden(const Tensor& x) const {
    // begin: The hidden layer: x (..., d_model) becomes (..., d_ff).
    return activate(activation, up(x));  // (..., d_ff)
    // end
}

Tensor SwiGLU::hidden(const Tensor& x) const {
    // begin: The gated hidden layer: x (..., d_model) becomes (..., d_ff).
    return silu(gate(x)) * up(x);  // (..., d_ff)
    // end
}

std::size_t swiglu_hidden_size(std::size_t d_ff, std::size_t multiple_of) {
    if (d_ff < 2 || multiple_of == 0) {
        throw ValueError(fmt::format(
            "swiglu_hidden_size: d_ff {}, multiple_of {}: d_ff must be at least 2 and multiple_of at least 1",
            d_ff, multiple_of));
    }
    // begin: Two thirds of d_ff, cut off, then rounded up to a multiple of multiple_of.
    const std::size_t two_thirds = 2 * d_ff / 3;
    return (two_thirds + multiple_of - 1) / multiple_of * multiple_of;
    // end
}

}  // namespace tfs

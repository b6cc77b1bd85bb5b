// Step 5.2 · feed_forward_networks · ●●○ · 15 min
// exercises/05_feed_forward/feed_forward_networks.cpp · check yours with ./tutorial check 5.2
#include <fmt/format.h>

#include "chapters/05_feed_forward/feed_forward.hpp"

namespace tfs {

Tensor FeedForward::hidden(const Tensor& x) const {
    // TODO 5.2: The hidden layer: x (..., d_model) becomes (..., d_ff).
    throw NotImplemented("5.2 feed_forward_networks");
}

Tensor SwiGLU::hidden(const Tensor& x) const {
    // TODO 5.2: The gated hidden layer: x (..., d_model) becomes (..., d_ff).
    throw NotImplemented("5.2 feed_forward_networks");
}

std::size_t swiglu_hidden_size(std::size_t d_ff, std::size_t multiple_of) {
    if (d_ff < 2 || multiple_of == 0) {
        throw ValueError(fmt::format(
            "swiglu_hidden_size: d_ff {}, multiple_of {}: d_ff must be at least 2 and multiple_of at least 1",
            d_ff, multiple_of));
    }
    // TODO 5.2: Two thirds of d_ff, cut off, then rounded up to a multiple of multiple_of.
    throw NotImplemented("5.2 feed_forward_networks");
}

}  // namespace tfs

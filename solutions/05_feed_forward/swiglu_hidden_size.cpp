// Step 5.4 · swiglu_hidden_size · ●●○ · 10 min
// solutions/05_feed_forward/swiglu_hidden_size.cpp
#include <fmt/format.h>

#include "chapters/05_feed_forward/feed_forward.hpp"

namespace tfs {

std::size_t swiglu_hidden_size(std::size_t d_ff, std::size_t multiple_of) {
    // begin: Two thirds of d_ff, cut off, then rounded up to a multiple of multiple_of. Refuse sizes that the contract refuses, with a
    // sentence that names both numbers.
    if (d_ff < 2 || multiple_of == 0) {
        throw ValueError(fmt::format(
            "swiglu_hidden_size: d_ff {}, multiple_of {}: d_ff must be at least 2 and multiple_of at least 1",
            d_ff, multiple_of));
    }
    const std::size_t two_thirds = 2 * d_ff / 3;
    return (two_thirds + multiple_of - 1) / multiple_of * multiple_of;
    // end
}

}  // namespace tfs

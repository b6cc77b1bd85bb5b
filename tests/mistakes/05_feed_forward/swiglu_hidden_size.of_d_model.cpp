// tests/mistakes/05_feed_forward/swiglu_hidden_size.of_d_model.cpp · step 5.7 done wrong: not of d_ff
// The checklist must say: "two thirds of d_model were taken"
#include <fmt/format.h>

#include "chapters/05_feed_forward/feed_forward.hpp"

namespace tfs {

std::size_t swiglu_hidden_size(std::size_t d_ff, std::size_t multiple_of) {
    if (d_ff < 2 || multiple_of == 0) {
        throw ValueError(fmt::format(
            "swiglu_hidden_size: d_ff {}, multiple_of {}: d_ff must be at least 2 and multiple_of at least 1",
            d_ff, multiple_of));
    }
    const std::size_t two_thirds = 2 * (d_ff / 4) / 3;
    return (two_thirds + multiple_of - 1) / multiple_of * multiple_of;
}

}  // namespace tfs

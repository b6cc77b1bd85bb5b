// tests/mistakes/05_feed_forward/swiglu_hidden_size.divided_first.cpp · step 5.7 done wrong: the remainder is lost
// The checklist must say: "d_ff / 3 * 2 loses the remainder"
#include <fmt/format.h>

#include "chapters/05_feed_forward/feed_forward.hpp"

namespace tfs {

std::size_t swiglu_hidden_size(std::size_t d_ff, std::size_t multiple_of) {
    if (d_ff < 2 || multiple_of == 0) {
        throw ValueError(fmt::format(
            "swiglu_hidden_size: d_ff {}, multiple_of {}: d_ff must be at least 2 and multiple_of at least 1",
            d_ff, multiple_of));
    }
    const std::size_t two_thirds = d_ff / 3 * 2;
    return (two_thirds + multiple_of - 1) / multiple_of * multiple_of;
}

}  // namespace tfs

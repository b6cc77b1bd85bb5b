// Step 5.4 · swiglu_hidden_size · ●●○ · 10 min
// exercises/05_feed_forward/swiglu_hidden_size.cpp · check yours with ./tutorial check 5.4
#include <fmt/format.h>

#include "chapters/05_feed_forward/feed_forward.hpp"

namespace tfs {

std::size_t swiglu_hidden_size(std::size_t d_ff, std::size_t multiple_of) {
    // TODO 5.4: Refuse, with a ValueError that names both numbers, a multiple_of of 0 and a d_ff below 2. Then two thirds
    // of d_ff, in whole numbers (2 / 3 alone is 0), rounded up to the next multiple of multiple_of.
    throw NotImplemented("5.4 swiglu_hidden_size");
}

}  // namespace tfs

// Step 5.4 · swiglu_hidden_size · ●●○ · 10 min
// exercises/05_feed_forward/swiglu_hidden_size.cpp · check yours with ./tutorial check 5.4
#include <fmt/format.h>

#include "chapters/05_feed_forward/feed_forward.hpp"

namespace tfs {

std::size_t swiglu_hidden_size(std::size_t d_ff, std::size_t multiple_of) {
    // TODO 5.4: Two thirds of d_ff, cut off, then rounded up to a multiple of multiple_of. Refuse sizes that the contract refuses, with a
    // sentence that names both numbers.
    throw NotImplemented("5.4 swiglu_hidden_size");
}

}  // namespace tfs

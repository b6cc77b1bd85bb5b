// Step 2.4 · sliding_window_mask · ●●○ · 15 min
// exercises/02_masks/sliding_window_mask.cpp · check yours with ./tutorial check 2.4
#include "chapters/02_masks/given/checks.hpp"
#include "chapters/02_masks/masks.hpp"

namespace tfs {

Mask sliding_window_mask(std::size_t seq, std::size_t window, Window kind) {
    require_seq("sliding_window_mask", seq);
    // TODO 2.4: A window of 0 is a ValueError: every query would see nothing. Else fill (1, 1, query, key): query i sees
    // itself and the window - 1 keys before it; where kind is Window::symmetric, also as many after it. Mind the type:
    // i - window + 1 of std::size_t wraps around to a huge number where i is small.
    throw NotImplemented("2.4 sliding_window_mask");
}

}  // namespace tfs

// Step 2.3 · sliding_window_mask · ●●○ · 15 min
// exercises/02_masks/sliding_window_mask.cpp · check yours with ./tutorial check 2.3
#include <utility>

#include "chapters/02_masks/given/mask_checks.hpp"
#include "chapters/02_masks/masks.hpp"

namespace tfs {

Mask sliding_window_mask(std::size_t seq, std::size_t window, Window kind) {
    require_seq("sliding_window_mask", seq);
    // TODO 2.3: The mask (1, 1, query, key) of a window of either kind. A window of 0 is a ValueError.
    throw NotImplemented("2.3 sliding_window_mask");
}

}  // namespace tfs

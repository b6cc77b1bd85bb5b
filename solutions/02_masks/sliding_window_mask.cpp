// Step 2.4 · sliding_window_mask · ●●○ · 15 min
// solutions/02_masks/sliding_window_mask.cpp
#include "chapters/02_masks/given/checks.hpp"
#include "chapters/02_masks/masks.hpp"

namespace tfs {

Mask sliding_window_mask(std::size_t seq, std::size_t window, Window kind) {
    require_seq("sliding_window_mask", seq);
    // begin: A window of 0 is a ValueError: every query would see nothing. Else fill (1, 1, query, key): query i sees
    // itself and the window - 1 keys before it; where kind is Window::symmetric, also as many after it. Mind the type:
    // i - window + 1 of std::size_t wraps around to a huge number where i is small.
    if (window == 0) {
        throw ValueError("sliding_window_mask: window 0 shows a query nothing; 1 shows it itself alone");
    }
    xt::xarray<bool> allowed = xt::xarray<bool>::from_shape({1, 1, seq, seq});
    for (std::size_t i = 0; i < seq; ++i) {
        for (std::size_t j = 0; j < seq; ++j) {
            const bool before = j <= i && i - j < window;
            const bool after = j > i && j - i < window;
            allowed(0, 0, i, j) = before || (kind == Window::symmetric && after);
        }
    }
    return Mask(std::move(allowed));  // (1, 1, query, key)
    // end
}

}  // namespace tfs

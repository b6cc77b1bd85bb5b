// Step 2.2 · sliding_window_mask · ●●○ · 10 min
// solutions/02_masks/sliding_window_mask.cpp
#include <utility>

#include "chapters/02_masks/given/mask_checks.hpp"
#include "chapters/02_masks/masks.hpp"

namespace tfs {

Mask sliding_window_mask(std::size_t seq, std::size_t window, Window kind) {
    require_seq("sliding_window_mask", seq);
    if (window == 0) {
        throw ValueError("sliding_window_mask: window 0 shows nothing; with 1 a query sees itself");
    }
    xt::xarray<bool> allowed = xt::xarray<bool>::from_shape({1, 1, seq, seq});
    for (std::size_t i = 0; i < seq; ++i) {
        for (std::size_t j = 0; j < seq; ++j) {
            // begin: These two lines have two faults. Measure before you mend:
            // ./tutorial run 2 --mine -- --section windows
            const bool before = j <= i && i - j < window;
            const bool after = j > i && j - i < window;
            // instead
            // const bool before = j <= i && j >= i - window + 1;
            // const bool after = j > i && j < i + window;
            // end
            allowed(0, 0, i, j) = before || (kind == Window::symmetric && after);
        }
    }
    return Mask(std::move(allowed));  // (1, 1, query, key)
}

}  // namespace tfs

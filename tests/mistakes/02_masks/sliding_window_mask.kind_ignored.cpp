// tests/mistakes/02_masks/sliding_window_mask.kind_ignored.cpp · step 2.4 done wrong
// Always causal.
// The checklist must say: "kind is ignored"
#include "chapters/02_masks/given/checks.hpp"
#include "chapters/02_masks/masks.hpp"

namespace tfs {

Mask sliding_window_mask(std::size_t seq, std::size_t window, Window kind) {
    require_seq("sliding_window_mask", seq);
    if (window == 0) {
        throw ValueError("sliding_window_mask: window 0 shows a query nothing; 1 shows it itself alone");
    }
    xt::xarray<bool> allowed = xt::xarray<bool>::from_shape({1, 1, seq, seq});
    for (std::size_t i = 0; i < seq; ++i) {
        for (std::size_t j = 0; j < seq; ++j) {
            const bool before = j <= i && i - j < window;
            allowed(0, 0, i, j) = before;
        }
    }
    return Mask(std::move(allowed));  // (1, 1, query, key)
}

}  // namespace tfs

// Step 13.2 · merge_partial · ●○○ · 10 min
// solutions/13_long_inputs/merge_partial.cpp
#include <algorithm>
#include <cmath>

#include "chapters/13_long_inputs/given/tiles.hpp"
#include "chapters/13_long_inputs/long_inputs.hpp"

namespace tfs {

Partial merged(const Partial& a, const Partial& b) {
    require_same_width("merged", a.weighted.size(), b.weighted.size());
    // begin: Both sums were made with a largest score of their own. One side, or both, may have seen nothing.
    if (a.sum == 0.0f) return b;
    if (b.sum == 0.0f) return a;
    Partial both = a;
    both.largest = std::max(a.largest, b.largest);
    const float of_a = std::exp(a.largest - both.largest), of_b = std::exp(b.largest - both.largest);
    both.sum = of_a * a.sum + of_b * b.sum;
    for (std::size_t c = 0; c < both.weighted.size(); ++c)
        both.weighted[c] = of_a * a.weighted[c] + of_b * b.weighted[c];
    return both;
    // end
}

}  // namespace tfs

// Step 3.6 · alibi_slopes · ●●○ · 15 min
// solutions/03_positional_encoding/alibi_slopes.cpp
#include <bit>
#include <cmath>

#include "chapters/03_positional_encoding/positional_encoding.hpp"
#include "common/base/array.hpp"

namespace tfs {

Tensor alibi_slopes(std::size_t num_heads) {
    if (num_heads == 0) throw ValueError("alibi_slopes: 0 heads; there must be at least 1 to have a slope");
    Array slopes = make_array({num_heads});  // (heads)
    // begin: Take the largest power of two p that is not above num_heads (`std::bit_floor`), and its slopes 2^(-8k/p)
    // for k = 1 … p. Heads that are left over get, from the steepest on, every other slope of 2p heads: those of
    // k = 1, 3, 5, …, which lie between the first ones.
    const std::size_t power = std::bit_floor(num_heads);
    for (std::size_t head = 0; head < num_heads; ++head) {
        const std::size_t k =
            head < power ? 2 * (head + 1) : 2 * (head - power) + 1;  // counted in steps of 2p heads
        slopes(head) =
            static_cast<float>(std::exp2(-8.0 * static_cast<double>(k) / static_cast<double>(2 * power)));
    }
    return Tensor(std::move(slopes));
    // end
}

}  // namespace tfs

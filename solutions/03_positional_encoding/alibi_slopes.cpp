// Step 3.6 · alibi_slopes · ●●○ · 15 min
// solutions/03_positional_encoding/alibi_slopes.cpp
#include <bit>
#include <cmath>
#include <utility>

#include "chapters/03_positional_encoding/positional_encoding.hpp"
#include "common/base/array.hpp"

namespace tfs {

Tensor alibi_slopes(std::size_t num_heads) {
    if (num_heads == 0) throw ValueError("alibi_slopes: 0 heads; there must be at least 1 to have a slope");
    Array slopes = make_array({num_heads});  // (heads)
    // begin: Fill `slopes`, one for each head, for any number of heads, as the contract says.
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

// tests/mistakes/03_positional_encoding/alibi_slopes.sorted.cpp · step 3.6 done wrong
// The slopes of the heads left over are sorted in.
// The checklist must say: "the slopes are sorted"
#include <algorithm>
#include <bit>
#include <cmath>
#include <functional>

#include "chapters/03_positional_encoding/positional_encoding.hpp"

namespace tfs {

Tensor alibi_slopes(std::size_t num_heads) {
    if (num_heads == 0) throw ValueError("alibi_slopes: 0 heads; there must be at least 1 to have a slope");
    const std::size_t power = std::bit_floor(num_heads);
    std::vector<float> slopes;
    for (std::size_t head = 0; head < num_heads; ++head) {
        const std::size_t k =
            head < power ? 2 * (head + 1) : 2 * (head - power) + 1;  // counted in steps of 2p heads
        slopes.push_back(
            static_cast<float>(std::exp2(-8.0 * static_cast<double>(k) / static_cast<double>(2 * power))));
    }
    std::sort(slopes.begin(), slopes.end(), std::greater<>());
    return Tensor::from({num_heads}, std::move(slopes));  // (heads)
}

}  // namespace tfs

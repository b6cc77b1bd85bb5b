// Step 3.7 · alibi_bias · ●●○ · 10 min
// solutions/03_positional_encoding/alibi_bias.cpp
#include <fmt/format.h>

#include <utility>

#include "chapters/03_positional_encoding/positional_encoding.hpp"

namespace tfs {

Tensor alibi_bias(std::size_t num_heads, std::size_t queries, std::size_t keys, std::size_t offset) {
    if (num_heads == 0 || queries == 0 || keys == 0) {
        throw ValueError(
            fmt::format("alibi_bias: {} heads, {} queries, {} keys; there must be at least 1 of each",
                        num_heads, queries, keys));
    }
    require_addressable({num_heads, queries, keys});
    // begin: Return the bias of the contract, (1, heads, query, key): a penalty for each head and distance.
    Array distance = Array::from_shape({queries, keys});
    for (std::size_t i = 0; i < queries; ++i) {
        for (std::size_t j = 0; j < keys; ++j) {
            distance(i, j) = j < i + offset ? static_cast<float>(i + offset - j) : 0.0f;
        }
    }
    const Tensor slopes = reshape(alibi_slopes(num_heads), {1, num_heads, 1, 1});
    return -slopes * Tensor(std::move(distance));  // (1, heads, query, key)
    // end
}

}  // namespace tfs

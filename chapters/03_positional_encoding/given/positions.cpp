// chapters/03_positional_encoding/given/alibi.cpp · the slopes and the bias of ALiBi, given
#include <fmt/format.h>

#include <bit>
#include <cmath>
#include <utility>

#include "chapters/03_positional_encoding/positional_encoding.hpp"
#include "common/base/array.hpp"

namespace tfs {

Tensor alibi_slopes(std::size_t num_heads) {
    if (num_heads == 0) throw ValueError("alibi_slopes: 0 heads; there must be at least 1 to have a slope");
    Array slopes = make_array({num_heads});  // (heads)
    const std::size_t power = std::bit_floor(num_heads);
    for (std::size_t head = 0; head < num_heads; ++head) {
        const std::size_t k =
            head < power ? 2 * (head + 1) : 2 * (head - power) + 1;  // counted in steps of 2p heads
        slopes(head) =
            static_cast<float>(std::exp2(-8.0 * static_cast<double>(k) / static_cast<double>(2 * power)));
    }
    return Tensor(std::move(slopes));
}

Tensor alibi_bias(std::size_t num_heads, std::size_t queries, std::size_t keys, const Offset& offset) {
    if (num_heads == 0 || queries == 0 || keys == 0) {
        throw ValueError(
            fmt::format("alibi_bias: {} heads, {} queries, {} keys; there must be at least 1 of each",
                        num_heads, queries, keys));
    }
    require_addressable({offset.rows(), num_heads, queries, keys});
    Array distance = Array::from_shape({offset.rows(), 1, queries, keys});
    for (std::size_t row = 0; row < offset.rows(); ++row)
        for (std::size_t i = 0; i < queries; ++i)
            for (std::size_t j = 0, at = i + offset[row]; j < keys; ++j)
                distance(row, 0, i, j) = j < at ? static_cast<float>(at - j) : 0.0f;
    const Tensor slopes = reshape(alibi_slopes(num_heads), {1, num_heads, 1, 1});
    return -slopes * Tensor(std::move(distance));  // (1, heads, query, key), or (batch, …)
}

}  // namespace tfs

// common/base/largest.hpp · where the largest values of a row are
#pragma once

#include <algorithm>
#include <cstddef>
#include <numeric>
#include <span>
#include <vector>

namespace tfs {

// The places of the largest values, at most `count` of them, the largest first; of equal ones the first comes first.
[[nodiscard]] inline std::vector<std::size_t> largest_of(std::span<const float> row, std::size_t count) {
    std::vector<std::size_t> order(row.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::stable_sort(order.begin(), order.end(),
                     [&](std::size_t a, std::size_t b) { return row[a] > row[b]; });
    order.resize(std::min(count, order.size()));
    return order;
}

}  // namespace tfs

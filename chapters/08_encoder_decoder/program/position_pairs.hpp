// chapters/08_encoder_decoder/program/position_pairs.hpp · pairs of positions that look at each other, or change each other
#pragma once

#include <vector>

#include "common/tensor/tensor.hpp"

namespace tfs {

// Where an entry is not 0.
xt::xarray<bool> not_zero(const Array& values);

// The pairs (row, column) that are true, and those of them with a later column.
struct PairCount {
    std::size_t all = 0, later = 0;
};
PairCount count_pairs(const xt::xarray<bool>& pairs);

// The pairs (query, key) whose weight is above 0 in any layer and head.
//   weights of each layer: (1, heads, query, key)
PairCount count_looking(const std::vector<Tensor>& layers);

}  // namespace tfs

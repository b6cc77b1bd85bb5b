// chapters/10_training/models/zero_columns.hpp · a part of a model gives nothing for a while
#pragma once

#include <algorithm>
#include <utility>

#include "chapters/07_block/block.hpp"

namespace tfs {

// Columns first … end - 1 of a matrix, 0 as long as this lives.
class ZeroColumns {
  public:
    ZeroColumns(Tensor matrix, std::size_t first, std::size_t end)
        : matrix_(std::move(matrix)), before_(matrix_.array()) {
        Array& all = matrix_.mutable_array();
        for (std::size_t row = 0; row < all.shape()[0]; ++row)
            std::fill(&all(row, first), &all(row, first) + (end - first), 0.0f);
    }
    ~ZeroColumns() { matrix_.mutable_array() = before_; }
    ZeroColumns(const ZeroColumns&) = delete;
    ZeroColumns& operator=(const ZeroColumns&) = delete;

  private:
    Tensor matrix_;  // a handle: the model's own
    Array before_;
};

// One head of attention, left out: its columns of w_o. head: from 0
class WithoutHead {
  public:
    WithoutHead(const Projections& projections, std::size_t head)
        : columns_(projections.w_o.weight, head * width(projections), (head + 1) * width(projections)) {}

  private:
    static std::size_t width(const Projections& projections) {
        return projections.w_o.weight.size(1) / projections.num_heads;
    }
    ZeroColumns columns_;
};

}  // namespace tfs

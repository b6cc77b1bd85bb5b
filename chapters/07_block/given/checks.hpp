// chapters/07_block/given/checks.hpp · the check of what enters a block, given; those of a config are in the contract
#pragma once

#include <string_view>

#include "common/tensor.hpp"

namespace tfs {

// x (batch, seq, d_model). ShapeError.
void require_block_input(std::string_view who, const Tensor& x, std::size_t d_model);

}  // namespace tfs

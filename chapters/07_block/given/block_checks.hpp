// chapters/07_block/given/block_checks.hpp · the check of what enters a block, given; those of a config are in the contract
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "common/tensor.hpp"

namespace tfs {

// x (batch, seq, d_model). ShapeError.
void require_block_input(std::string_view who, const Tensor& x, std::size_t d_model);

// What repeat_heads needs: x (batch, heads, seq, d), times >= 1. ShapeError.
void require_repeatable(const Tensor& x, std::size_t times);

// ValueError "who: problem; problem", where there are any: all that is wrong with a config at once.
void throw_problems(const std::string& who, const std::vector<std::string>& found);

}  // namespace tfs

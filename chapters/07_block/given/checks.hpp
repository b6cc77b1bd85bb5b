// chapters/07_block/given/checks.hpp · the check of what enters a block, given; those of a config are in the contract
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "common/tensor.hpp"

namespace tfs {

// x (batch, seq, d_model). ShapeError.
void require_block_input(std::string_view who, const Tensor& x, std::size_t d_model);

// ValueError "who: problem; problem", where there are any: all that is wrong with a config at once.
void throw_problems(const std::string& who, const std::vector<std::string>& found);

}  // namespace tfs

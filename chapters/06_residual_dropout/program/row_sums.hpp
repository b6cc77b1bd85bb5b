// chapters/06_residual_dropout/program/row_sums.hpp · the rows of attention weights after dropout
#pragma once

#include "common/program.hpp"
#include "common/tensor.hpp"

namespace tfs {

// The sums of the rows over many masks, where x (1, seq, d_model) attends to itself; and one row that is divided by its sum
// again. Prints both.
void measure_row_sums(Show& show, const Tensor& x);

}  // namespace tfs

// chapters/06_residual_dropout/program/coin_statistics.hpp · mean and variance of dropout over many coins
#pragma once

#include "common/program.hpp"

namespace tfs {

// Against p, beside the formulas, and what comes of it without 1 / (1 - p). Prints a table.
void measure_mean_and_variance(Show& show);

}  // namespace tfs

// chapters/04_normalization/program/bfloat16_error.hpp · LayerNorm with intermediate results rounded to bfloat16
#pragma once

#include "common/program.hpp"

namespace tfs {

// The error against the ratio of mean and deviation of a row, in four precisions. Prints a table; the figure has its columns.
LineFigure measure_precision(Show& show);

}  // namespace tfs

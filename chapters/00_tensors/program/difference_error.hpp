// chapters/00_tensors/program/difference_error.hpp · how exact finite differences are, against their step
#pragma once

#include "common/program.hpp"

namespace tfs {

// The largest error of the gradient of f(x) = sum of tanh(x_i) over 8 entries, from one side and from both, for steps from 1
// down to 1e-6. Prints a table; the figure has it as curves.
LineFigure measure_difference_error(Show& show);

}  // namespace tfs

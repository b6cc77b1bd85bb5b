// chapters/00_tensors/program/reductions.hpp · means and variances over an axis, and a formula that loses all digits
#pragma once

#include "common/program.hpp"

namespace tfs {

// Means over each axis; the variance in two passes and as E[x^2] - E[x]^2, for a row that is moved away from 0.
void show_reductions(Show& show);

}  // namespace tfs

// chapters/04_normalization/program/invariance.hpp · what a shift and a stretch of a row do to LayerNorm and RMSNorm
#pragma once

#include "common/program.hpp"

namespace tfs {

// Prints what changes.
void measure_invariance(Show& show);

}  // namespace tfs

// chapters/04_normalization/program/norm_cost.hpp · parameters of the norms, and their time beside that of a copy
#pragma once

#include "common/program.hpp"

namespace tfs {

// On one core, in turns. Prints times, and how many times as long each takes as the copy.
void measure_cost(Show& show);

}  // namespace tfs

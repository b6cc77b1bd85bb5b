// chapters/02_masks/program/windows.hpp · what a window costs, and how far layers of windows see
#pragma once

#include "common/program.hpp"

namespace tfs {

// How far back the last output of a stack of windowed layers sees.
void measure_reach(Show& show);

// How many cells full, causal and windowed attention allow, against the length; counted, and by formula.
void count_cells(Show& show);

}  // namespace tfs

// chapters/00_tensors/program/shapes_and_memory.hpp · where the values of a shape lie, and what broadcasting reads
#pragma once

#include "common/program.hpp"

namespace tfs {

// The buffer of a matrix, and what transpose and reshape do to it. The figure shows which float each cell reads.
HeatMapFigure show_memory(Show& show);

// A bias on the last axis; shapes that are aligned at the last axis, and two that don't fit.
void show_broadcasting(Show& show);

}  // namespace tfs

// chapters/04_normalization/program/shared_statistics.hpp · which cells of a batch decide about one cell of the result, under each norm
#pragma once

#include "common/program.hpp"

namespace tfs {

// Prints on how many cells a result depends, and how much: |d result / d cell|. The figure shows each cell.
HeatMapFigure measure_who_counts(Show& show);

}  // namespace tfs

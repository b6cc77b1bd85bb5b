// chapters/02_masks/program/future_leak.hpp · does a later input change an earlier output, or get a gradient from it?
#pragma once

#include "chapters/02_masks/program/padded_batch.hpp"

namespace tfs {

// Under no mask, under several, and under masks that act after the softmax. The figure shows |d output_i / d input_j| as a
// power of ten, exact zeros crossed.
HeatMapFigure measure_leak(Show& show, const Example& example);

}  // namespace tfs

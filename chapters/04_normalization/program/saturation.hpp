// chapters/04_normalization/program/saturation.hpp · why one normalises: saturated units, and the gradient through them
#pragma once

#include "common/program.hpp"

namespace tfs {

// tanh units fed with inputs of growing scale: how many saturate, and what is left of the gradient, with and without
// LayerNorm before them. And a stack of them: the gradient at its input against its depth.
LineFigure measure_saturation(Show& show);

}  // namespace tfs

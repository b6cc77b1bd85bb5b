// chapters/06_residual_dropout/program/dropout_masks.hpp · the masks of dropout on the embedding of a sentence
#pragma once

#include "common/program.hpp"
#include "common/tensor.hpp"

namespace tfs {

// Masks of three p, and of three calls of one generator, on x (1, seq, d_model).
HeatMapFigure draw_masks(Show& show, const Tensor& x);

}  // namespace tfs

// chapters/02_masks/program/cross_attention.hpp · a target that attends to three padded sources
#pragma once

#include "chapters/02_masks/program/padded_batch.hpp"

namespace tfs {

// Prints shapes and checks; the figure has the weights of head 1 for each source.
HeatMapFigure draw_cross_attention(Show& show, const Example& example);

}  // namespace tfs

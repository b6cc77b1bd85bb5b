// chapters/02_masks/program/mask_sheet.hpp · every mask side by side: what it allows, and the attention under it
#pragma once

#include "chapters/02_masks/program/padded_batch.hpp"

namespace tfs {

// Prints shape and allowed cells of each mask; the figure shows them.
HeatMapFigure draw_masks(Show& show, const Example& example);

// The weights of head 1 of the same attention under each of them.
HeatMapFigure draw_attention(Show& show, const Example& example);

}  // namespace tfs

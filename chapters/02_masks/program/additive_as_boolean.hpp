// chapters/02_masks/program/additive_as_boolean.hpp · the fault of the source notes: an additive mask, read as a boolean one
#pragma once

#include "chapters/02_masks/program/padded_batch.hpp"

namespace tfs {

// Runs the causal mask of the notes through the attention of the notes and prints what each query sees. The figure has the
// right map beside that of the notes.
HeatMapFigure show_additive_as_boolean(Show& show, const Example& example);

}  // namespace tfs

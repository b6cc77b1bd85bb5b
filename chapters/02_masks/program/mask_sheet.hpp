// chapters/02_masks/program/sheet.hpp · every mask side by side: what it allows, and the attention under it
#pragma once

#include "chapters/02_masks/program/example.hpp"

namespace tfs {

// Prints shape and allowed cells of each mask; the figure shows them.
HeatMapFigure draw_masks(std::ostream& out, const Example& example);

// The weights of head 1 of the same attention under each of them.
HeatMapFigure draw_attention(Trace& trace, const Example& example);

// A target attends to three padded sources.
HeatMapFigure draw_cross_attention(Trace& trace, const Example& example);

// How many cells full, causal and windowed attention allow, against the length; counted, and by formula.
void count_cells(std::ostream& out);

}  // namespace tfs

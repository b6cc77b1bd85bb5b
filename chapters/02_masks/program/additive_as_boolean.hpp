// chapters/02_masks/program/fault.hpp · the fault of the source notes: an additive mask, read as a boolean one
#pragma once

#include "chapters/02_masks/program/example.hpp"

namespace tfs {

// Runs the causal mask of the notes through the attention of the notes, prints what each query sees, and draws the right
// map beside it.
HeatMapFigure show_fault(Trace& trace, std::ostream& out, const Example& example, bool ascii);

// Trains a tiny model under the right mask and under what the fault leaves, with zeros for empty rows: its loss in
// training, and its loss when it writes and has no future to read.
void train_on_the_future(std::ostream& out, std::uint64_t seed);

}  // namespace tfs

// chapters/05_feed_forward/program/fact_memory.hpp · a feed-forward network that knows facts, because we wrote them into its weights
#pragma once

#include "common/program.hpp"

namespace tfs {

// Writes six capitals into a network, asks for them, for strangers and for two at once. Prints what comes out; the figure
// shows which slots fire.
HeatMapFigure show_memory(Show& show);

// How well a memory of width 32 recalls, the more facts it holds, with and without a threshold. Prints a table.
void measure_capacity(Show& show);

}  // namespace tfs

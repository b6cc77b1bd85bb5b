// chapters/05_feed_forward/program/dead_units.hpp · units that no input wakes any more, before and after training
#pragma once

#include "common/program.hpp"

namespace tfs {

// Trains with small and large steps. Prints the losses and the share of dead units.
void measure_dead_units(Show& show);

}  // namespace tfs

// chapters/02_masks/program/training_on_the_future.hpp · what training makes of a mask that shows only the future
#pragma once

#include "common/program.hpp"

namespace tfs {

// Trains a tiny model under the right mask and under what the fault leaves, with zeros for empty rows: its loss in
// training, and its loss when it writes and has no future to read.
void train_on_the_future(Show& show);

}  // namespace tfs

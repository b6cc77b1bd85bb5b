// chapters/04_normalization/program/notes_layer_norm.hpp · the formula beside the code of the source notes: (x - mean) / (std + 1e-6), std over n - 1
#pragma once

#include "common/program.hpp"

namespace tfs {

// The deviation of the results against d, and against the deviation of a row. Prints both tables.
void measure_notes(Show& show);

}  // namespace tfs

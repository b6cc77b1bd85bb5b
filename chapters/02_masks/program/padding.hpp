// chapters/02_masks/program/padding.hpp · a padded batch against each of its sentences alone
#pragma once

#include "chapters/02_masks/program/padded_batch.hpp"

namespace tfs {

// Prints how far the outputs of each sentence differ, with the padding mask and without.
void measure_padding(Show& show, const Example& example);

}  // namespace tfs

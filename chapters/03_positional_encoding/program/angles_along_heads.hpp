// chapters/03_positional_encoding/program/angles_along_heads.hpp · the rotation of the source notes, whose angles are laid along the heads
#pragma once

#include "chapters/03_positional_encoding/positional_encoding.hpp"
#include "common/program.hpp"

namespace tfs {

// It gives an error, another shape, or no positions. Prints which, for some numbers of heads and positions.
void measure_angles_along_heads(Show& show);

}  // namespace tfs

// chapters/03_positional_encoding/program/rotary_invariance.hpp · rotary positions: what a turn leaves as it is, and what it changes
#pragma once

#include "chapters/03_positional_encoding/positional_encoding.hpp"
#include "common/program.hpp"

namespace tfs {

// Norms stay; a score depends on the distance alone; a part with an offset equals the part of the whole; one layout is
// the other with its columns in another order; turned values would bring absolute positions back.
void measure_rotary(Show& show);

HeatMapFigure phases_figure(const RotaryEmbedding& rotary);  // the angle of each pair against the position

}  // namespace tfs

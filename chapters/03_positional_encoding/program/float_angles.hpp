// chapters/03_positional_encoding/program/float_angles.hpp · how far an angle computed in float is off
#pragma once

#include "common/program.hpp"

namespace tfs {

// The largest error of a sine against the position. Prints a table.
void measure_float_angles(Show& show);

}  // namespace tfs

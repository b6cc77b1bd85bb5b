// chapters/00_tensors/program/xtensor_traps.hpp · traps of xtensor, shown live where that is safe
#pragma once

#include <iosfwd>

namespace tfs {

// Prints what the traps do. Those that read outside of an array are told, not run.
void show_xtensor_traps(std::ostream& out);

}  // namespace tfs

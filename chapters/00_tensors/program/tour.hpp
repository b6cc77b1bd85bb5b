// chapters/00_tensors/program/tour.hpp · the sections of the program of chapter 00 that compute the same on every
// machine
#pragma once

#include <iosfwd>

#include "common/show/trace.hpp"

namespace tfs {

// Each prints one section to `out`; `trace` writes to the same stream.
void show_memory(std::ostream& out, Trace& trace);
void show_broadcasting(std::ostream& out, Trace& trace);
void show_products(std::ostream& out, Trace& trace, std::uint64_t seed);
void show_reductions(std::ostream& out, Trace& trace);
void show_tape(std::ostream& out, Trace& trace);

}  // namespace tfs

// chapters/05_feed_forward/program/superposition.hpp · f(a + b) against f(a) + f(b): what is linear, and what is not
#pragma once

#include "common/program.hpp"

namespace tfs {

// For attention with fixed weights, attention as a whole, and the network. Prints the largest difference of each.
void show_superposition(Show& show);

}  // namespace tfs

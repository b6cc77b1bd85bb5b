// chapters/05_feed_forward/program/two_bits_task.hpp · a task that attention alone cannot solve: is exactly one of two bits set?
#pragma once

#include "common/program.hpp"

namespace tfs {

// Trains attention alone, and attention with a feed-forward network of together no more parameters, on both bits in one
// token and on one bit in each of two tokens. Prints the table; the figure has the losses.
LineFigure measure_task(Show& show);

}  // namespace tfs

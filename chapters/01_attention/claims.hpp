// chapters/01_attention/claims.hpp · what the lesson claims, measured: why the scores are scaled, and what attention costs
#pragma once

#include "common/show.hpp"

namespace tfs {

// q·k has the variance d_k; unscaled, that saturates the softmax and its gradient dies. Prints a table against d_k.
LineFigure measure_scaling(Trace& trace, std::uint64_t seed);

// Time and memory of attention grow with the square of the length. Prints a table against the length.
LineFigure measure_cost(Trace& trace, std::uint64_t seed);

}  // namespace tfs

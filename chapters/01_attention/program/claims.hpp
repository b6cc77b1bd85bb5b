// chapters/01_attention/program/claims.hpp · what the lesson claims, measured: why scores are scaled, what attention costs
#pragma once

#include "common/program.hpp"
#include "common/tensor.hpp"

namespace tfs {

// q·k has the variance d_k; unscaled, that saturates the softmax and its gradient dies. Prints a table against d_k.
LineFigure measure_scaling(std::ostream& out, std::uint64_t seed);

// Time and memory of attention grow with the square of the length. Prints a table against the length.
LineFigure measure_cost(std::ostream& out, std::uint64_t seed);

}  // namespace tfs

// chapters/06_residual_dropout/program/depth.hpp · what residuals do to a deep stack, measured
#pragma once

#include "common/program.hpp"
#include "common/tensor.hpp"

namespace tfs {

// Stacks of 1 … 64 untrained layers, wired in five ways: prints and draws the gradient that reaches the first layer, the
// variance of what leaves the last, and how alike its positions have become.
LineFigure measure_depth(std::ostream& out, std::uint64_t seed);

// How much of its input a stack passes on, as the cosine between input and output, by how the last matrix of each
// sublayer starts.
LineFigure measure_identity(std::ostream& out, std::uint64_t seed);

}  // namespace tfs

// chapters/06_residual_dropout/program/stack_identity.hpp · how much of its input an untrained stack passes on
#pragma once

#include "common/program.hpp"

namespace tfs {

// The cosine between input and output, by how the last matrix of each sublayer starts. Prints a table; the figure has its
// columns.
LineFigure measure_identity(Show& show);

}  // namespace tfs

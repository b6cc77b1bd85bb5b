// chapters/00_tensors/program/product_speed.hpp · the same product by loops, by loops in another order, and by BLAS: how fast each is
#pragma once

#include "common/program.hpp"

namespace tfs {

// Products (n, n) x (n, n) for n = 16, 32, 64 … up to `largest`, and 32 small ones. Prints GFLOP/s (a multiply and an add
// count two) and by what factor they differ; the figure has the speeds.
LineFigure measure_product_speed(Show& show, std::size_t largest);

}  // namespace tfs

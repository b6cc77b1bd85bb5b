// chapters/00_tensors/program/timed/matmul_reordered.hpp · the loops of a product with the inner two swapped
#pragma once

#include "common/base/xtensor.hpp"

namespace tfs {

// The same arithmetic as matmul_loops: a (batch, m, k) b (batch, k, n) -> (batch, m, n). The innermost loop runs along a
// row of b and of the result.
Array matmul_reordered(const Array& a, const Array& b);

}  // namespace tfs

// Step 0.1 · views · ●●○ · 15 min
// exercises/00_tensors/views.cpp · check yours with ./tutorial check 0.1
#include "chapters/00_tensors/views.hpp"

#include <algorithm>
#include <utility>
#include <vector>

#include "chapters/00_tensors/given/tensor_checks.hpp"

namespace tfs {

Strided transposed_view(const Strided& x, std::size_t a, std::size_t b) {
    require_axes("transposed_view", x.shape, a, b);
    // TODO 0.1: The axes a and b exchanged. Return Strided{shape, strides, offset}.
    throw NotImplemented("0.1 views");
}

Strided broadcast_view(const Strided& x, const Shape& shape) {
    require_broadcast(x.shape, shape);
    // TODO 0.1: x in this shape, repeated where it is 1 long or has no such axis.
    throw NotImplemented("0.1 views");
}

Strided diagonal_view(const Strided& x) {
    require_matrix("diagonal_view", x.shape);
    // TODO 0.1: The entries (0, 0), (1, 1), … of x.
    throw NotImplemented("0.1 views");
}

}  // namespace tfs

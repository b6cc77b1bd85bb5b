// Step 0.1 · views · ●●○ · 15 min
// solutions/00_tensors/views.cpp
#include "chapters/00_tensors/views.hpp"

#include <algorithm>
#include <utility>
#include <vector>

#include "chapters/00_tensors/given/tensor_checks.hpp"

namespace tfs {

Strided transposed_view(const Strided& x, std::size_t a, std::size_t b) {
    require_axes("transposed_view", x.shape, a, b);
    // begin: The axes a and b exchanged. Return Strided{shape, strides, offset}.
    Strided view = x;
    std::swap(view.shape[a], view.shape[b]);
    std::swap(view.strides[a], view.strides[b]);
    return view;
    // end
}

Strided broadcast_view(const Strided& x, const Shape& shape) {
    require_broadcast(x.shape, shape);
    // begin: x in this shape, repeated where it is 1 long or has no such axis.
    std::vector<std::ptrdiff_t> strides(shape.size(), 0);  // repeated: the next entry is the same float
    const std::size_t missing = shape.size() - x.shape.size();
    for (std::size_t axis = 0; axis < x.shape.size(); ++axis) {
        if (x.shape[axis] != 1) strides[missing + axis] = x.strides[axis];
    }
    return {shape, strides, x.offset};
    // end
}

Strided diagonal_view(const Strided& x) {
    require_matrix("diagonal_view", x.shape);
    // begin: The entries (0, 0), (1, 1), … of x.
    return {{std::min(x.shape[0], x.shape[1])}, {x.strides[0] + x.strides[1]}, x.offset};
    // end
}

}  // namespace tfs

// Step 0.6 · overlapping_views · ●●○ · 15 min
// solutions/00_tensors/overlapping_views.cpp
#include "chapters/00_tensors/given/tensor_checks.hpp"
#include "chapters/00_tensors/views.hpp"

namespace tfs {

Strided window_view(const Strided& x, std::size_t length) {
    require_windows(x.shape, length);
    // begin: Puzzle: (n) becomes (n - length + 1, length).
    return {{x.shape[0] - length + 1, length}, {x.strides[0], x.strides[0]}, x.offset};
    // end
}

Strided diagonals_view(const Strided& x) {
    require_wide_matrix(x.shape);
    // begin: Puzzle: (n, m) becomes (m - n + 1, n).
    return {{x.shape[1] - x.shape[0] + 1, x.shape[0]}, {x.strides[1], x.strides[0] + x.strides[1]}, x.offset};
    // end
}

Strided toeplitz_view(const Strided& x) {
    require_distances(x.shape);
    // begin: Puzzle: (2 n - 1) becomes (n, n).
    const std::size_t n = (x.shape[0] + 1) / 2;
    const std::ptrdiff_t stride = x.strides[0];
    return {{n, n}, {-stride, stride}, x.offset + static_cast<std::ptrdiff_t>(n - 1) * stride};
    // end
}

}  // namespace tfs

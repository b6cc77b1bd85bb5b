// Step 0.6 · overlapping_views · ●●○ · 15 min
// exercises/00_tensors/overlapping_views.cpp · check yours with ./tutorial check 0.6
#include "chapters/00_tensors/given/tensor_checks.hpp"
#include "chapters/00_tensors/views.hpp"

namespace tfs {

Strided window_view(const Strided& x, std::size_t length) {
    require_windows(x.shape, length);
    // TODO 0.6: Puzzle: (n) becomes (n - length + 1, length).
    throw NotImplemented("0.6 overlapping_views");
}

Strided diagonals_view(const Strided& x) {
    require_wide_matrix(x.shape);
    // TODO 0.6: Puzzle: (n, m) becomes (m - n + 1, n).
    throw NotImplemented("0.6 overlapping_views");
}

Strided toeplitz_view(const Strided& x) {
    require_distances(x.shape);
    // TODO 0.6: Puzzle: (2 n - 1) becomes (n, n).
    throw NotImplemented("0.6 overlapping_views");
}

}  // namespace tfs

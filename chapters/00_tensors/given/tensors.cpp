// chapters/00_tensors/given/tensor_checks.cpp · the shape checks of chapter 00, given
#include "chapters/00_tensors/given/tensor_checks.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace tfs {

void require_product(std::string_view operation, const Array& a, const Array& b) {
    const std::string shapes =
        fmt::format("{}: {} x {}", operation, to_string(shape_of(a)), to_string(shape_of(b)));
    if (a.dimension() != 3 || b.dimension() != 3) {
        throw ShapeError(shapes + ": both need three axes, (batch, rows, columns); is a batch of 1 missing?");
    }
    if (a.shape(0) != b.shape(0)) {
        throw ShapeError(fmt::format("{}: a batch of {} meets a batch of {}; each needs its own partner",
                                     shapes, a.shape(0), b.shape(0)));
    }
    if (a.shape(2) != b.shape(1)) {
        throw ShapeError(fmt::format("{}: {} columns meet {} rows{}", shapes, a.shape(2), b.shape(1),
                                     a.shape(2) == b.shape(2) ? "; is b transposed?" : ""));
    }
}

void require_rows(const Array& x) {
    if (x.dimension() > 0 && x.shape().back() > 0) return;
    throw ShapeError(fmt::format("standardize_rows: x {} has {}, so there is no mean", to_string(shape_of(x)),
                                 x.dimension() == 0 ? "no axis" : "rows of no entries"));
}

void require_axes(std::string_view operation, const Shape& x, std::size_t a, std::size_t b) {
    if (std::max(a, b) < x.size()) return;
    throw ShapeError(fmt::format("{}: x {} has no axis {}; its axes are counted from 0", operation,
                                 to_string(x), std::max(a, b)));
}

void require_broadcast(const Shape& x, const Shape& shape) {
    if (broadcast_shapes(x, shape, "broadcast_view") == shape) return;
    throw ShapeError(fmt::format("broadcast_view: {} is larger than {}; only x is repeated", to_string(x),
                                 to_string(shape)));
}

void require_matrix(std::string_view operation, const Shape& x) {
    if (x.size() == 2) return;
    throw ShapeError(
        fmt::format("{}: x {} is no matrix: it does not have two axes", operation, to_string(x)));
}

void require_windows(const Shape& x, std::size_t length) {
    if (x.size() == 1 && length > 0 && length <= x[0]) return;
    throw ShapeError(fmt::format(
        "window_view: x {} has no windows of {}: it needs one axis, and a length from 1 on that fits in it",
        to_string(x), length));
}

void require_wide_matrix(const Shape& x) {
    require_matrix("diagonals_view", x);
    if (x[1] >= x[0]) return;
    throw ShapeError(
        fmt::format("diagonals_view: x {} has fewer columns than rows, so no diagonal reaches the last row",
                    to_string(x)));
}

void require_distances(const Shape& x) {
    if (x.size() == 1 && x[0] % 2 == 1) return;
    throw ShapeError(
        fmt::format("toeplitz_view: x {} does not have one axis of an odd length, one value for each "
                    "distance from 1 - n to n - 1",
                    to_string(x)));
}

}  // namespace tfs

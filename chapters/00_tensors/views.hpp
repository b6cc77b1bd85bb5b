// chapters/00_tensors/views.hpp · views: other shapes over the floats of one buffer, without a copy
//
// Source: the NumPy reference, numpy.ndarray.strides and numpy.lib.stride_tricks.as_strided; xtensor's strided_view.
//
//     Array x = …;                                              // (3, 4)
//     auto turned = view_of(x, transposed_view(row_major({3, 4}), 0, 1));
//     turned(0, 1) = 5.0f;                                      // x(1, 0) is 5
#pragma once

#include <cstddef>
#include <vector>

#include "common/base/xtensor.hpp"

namespace tfs {

// Where the entries of a view lie: entry (i, j, …) is the float
//   offset + i * strides[0] + j * strides[1] + …
// of the buffer. A stride may be 0 or negative.
struct Strided {
    Shape shape;
    std::vector<std::ptrdiff_t> strides;  // in floats, one for each axis
    std::ptrdiff_t offset = 0;            // the float of entry (0, 0, …)
};

// Given · How an Array lies: row after row, from the first float on. (3, 4) has the strides (4, 1).
[[nodiscard]] Strided row_major(const Shape& shape);

// Step views · Three views of what x sees. x may be a view itself, with any strides and offset.
//
// The axes a and b exchanged.
// Throws ShapeError if x does not have these axes.
[[nodiscard]] Strided transposed_view(const Strided& x, std::size_t a, std::size_t b);

// x repeated, so that it has this shape. Both shapes are aligned at the last axis; axes of x that are missing, or 1 long
// where the shape is longer, are repeated.
// Throws ShapeError if x has more axes than the shape, or a size of x is neither 1 nor that of the shape.
[[nodiscard]] Strided broadcast_view(const Strided& x, const Shape& shape);

// The entries (0, 0), (1, 1), … of a matrix: (n, m) -> (the smaller one of n and m)
// Throws ShapeError if x does not have two axes.
[[nodiscard]] Strided diagonal_view(const Strided& x);

// Step overlapping_views · Puzzle: three more, in the same way.
//
// All windows of `length` neighbours: (n) -> (n - length + 1, length); entry (i, j) is x(i + j)
// Throws ShapeError if x does not have one axis, or the length is 0 or more than n.
[[nodiscard]] Strided window_view(const Strided& x, std::size_t length);

// All diagonals that reach the last row, from the main one to the right: (n, m) -> (m - n + 1, n); entry (d, i) is x(i, i + d)
// Throws ShapeError if x does not have two axes, or m is smaller than n.
[[nodiscard]] Strided diagonals_view(const Strided& x);

// A Toeplitz matrix, one value for each distance j - i: (2 n - 1) -> (n, n); entry (i, j) is x(n - 1 + j - i)
// Throws ShapeError if x does not have one axis, or its length is even.
[[nodiscard]] Strided toeplitz_view(const Strided& x);

}  // namespace tfs

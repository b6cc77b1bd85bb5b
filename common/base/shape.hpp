// common/base/shape.hpp · arithmetic on shapes: sizes, axes, broadcasting
#pragma once

#include <string_view>

#include "common/base/errors.hpp"

namespace tfs {

// The number of elements: the product of all sizes, 1 for a scalar. ShapeError if the product of the sizes that are not 0
// exceeds std::size_t: of an array without elements, too, the strides are computed. (NumPy refuses the same.)
std::size_t element_count(const Shape& shape);

// The product of the sizes that are not 0, which bounds all strides. ShapeError as above.
std::size_t count_of_steps(const Shape& shape);

// The shape of an xtensor array as a Shape.
template <class XtensorArray>
Shape shape_of(const XtensorArray& array) {
    return Shape(array.shape().begin(), array.shape().end());
}

// Turns an axis that may count from the end (-1 is the last) into 0 … rank-1. Throws ShapeError outside of that.
std::size_t normalize_axis(int axis, std::size_t rank, std::string_view operation);

// A tensor seen as (outer, size, inner) around one axis: element (o, i, n) lies at (o * size + i) * inner + n.
struct AxisSplit {
    std::size_t outer = 1;
    std::size_t size = 1;
    std::size_t inner = 1;
};
AxisSplit split_at_axis(const Shape& shape, std::size_t axis);

// NumPy's rule: shapes are aligned at the last axis; sizes agree, or one of them is 1, or is missing.
// Throws ShapeError that names the axes that disagree.
Shape broadcast_shapes(const Shape& a, const Shape& b, std::string_view operation);

// The step in memory, per axis of `target`, of a contiguous array of shape `shape` broadcast to `target` (0 where
// repeated).
std::vector<std::size_t> broadcast_strides(const Shape& shape, const Shape& target);

// Where the element `index` of `shape`, counted in row-major order, lies in an array that is broadcast to it by these
// steps.
std::size_t broadcast_offset(std::size_t index, const Shape& shape, const std::vector<std::size_t>& steps);

}  // namespace tfs

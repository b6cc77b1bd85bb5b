// common/base/array.hpp · shapes and arrays: sizes, axes, broadcasting, arrays whose sizes come from outside
#pragma once

#include <initializer_list>
#include <span>
#include <string_view>

#include "common/base/errors.hpp"

namespace tfs {

// The product, the sum of these numbers. ValueError, which names them, where it is more than std::size_t holds.
[[nodiscard]] std::size_t checked_product(std::initializer_list<std::size_t> factors);
[[nodiscard]] std::size_t checked_sum(std::initializer_list<std::size_t> terms);

// The number of elements: the product of all sizes, 1 for a scalar. ShapeError if the product of the sizes that are not 0
// exceeds std::size_t: of an array without elements, too, the strides are computed. (NumPy refuses the same.)
std::size_t element_count(const Shape& shape);

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

// An array of this shape; its values are not set. ShapeError, which names the shape, where its bytes exceed what can be
// addressed, or the memory that there is. xtensor's own from_shape goes on with what an overflow leaves: an array that is
// smaller than its shape.
// Value: float, bool or std::int64_t.
//     xt::xarray<bool> allowed = make_array<bool>({1, 1, queries, keys});
template <class Value = float>
[[nodiscard]] xt::xarray<Value> make_array(const Shape& shape);

// The check alone, before work that such an array would end: ShapeError if no array can have this shape.
void require_addressable(const Shape& shape, std::size_t bytes_per_value = sizeof(float));

[[noreturn]] void throw_moved_from(const char* what);

// An array that was moved from keeps its shape, but has no values. ValueError of one, whose sentence
// begins with `what`: "this mask".
template <class AnyArray>
void require_values(const char* what, const AnyArray& array) {
    std::size_t count = 1;
    for (const std::size_t size : array.shape()) count *= size;
    if (array.storage().size() != count) throw_moved_from(what);
}

// The places of the largest values of a row, at most `count` of them, the largest first; of equal ones the first comes first.
[[nodiscard]] std::vector<std::size_t> largest_of(std::span<const float> row, std::size_t count);

}  // namespace tfs

// chapters/00_tensors/given/view_of.cpp · row-major views, and the check that a view stays inside its buffer, given
#include "chapters/00_tensors/given/view_of.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>

#include "common/base/array.hpp"
#include "common/base/errors.hpp"

namespace tfs {

Strided row_major(const Shape& shape) {
    Strided view{shape, std::vector<std::ptrdiff_t>(shape.size())};
    require_addressable(shape);
    std::size_t stride = 1;
    for (std::size_t axis = shape.size(); axis-- > 0;) {
        view.strides[axis] = static_cast<std::ptrdiff_t>(stride);
        stride *= shape[axis];
    }
    return view;
}

void require_inside(const Strided& view, std::size_t floats) {
    if (view.strides.size() != view.shape.size())
        throw ShapeError(fmt::format("the view {} has {} axes, but {} strides; it needs one for each axis",
                                     to_string(view.shape), view.shape.size(), view.strides.size()));
    require_addressable(view.shape);  // a length that went below 0 is too large, too
    Shape lowest(view.shape.size()),
        highest(view.shape.size());  // the entries that lie first and last in memory
    std::ptrdiff_t first = view.offset, last = view.offset;
    for (std::size_t axis = 0; axis < view.shape.size(); ++axis) {
        const std::size_t end = std::max<std::size_t>(view.shape[axis], 1) - 1;
        std::ptrdiff_t way = 0;
        std::ptrdiff_t& reached = view.strides[axis] < 0 ? first : last;
        if (__builtin_mul_overflow(static_cast<std::ptrdiff_t>(end), view.strides[axis], &way) ||
            __builtin_add_overflow(reached, way, &reached))
            throw ShapeError(
                fmt::format("axis {} of the view, {} entries with the stride {}, goes beyond any memory",
                            axis, view.shape[axis], view.strides[axis]));
        (way < 0 ? lowest : highest)[axis] = end;
    }
    if (element_count(view.shape) == 0) return;  // no entries, wherever they would be
    const bool before = first < 0;
    if (!before && last < static_cast<std::ptrdiff_t>(floats)) return;
    throw ShapeError(
        fmt::format("entry {} of the view would be float {}, but the buffer has {} floats, from 0 on",
                    to_string(before ? lowest : highest), before ? first : last, floats));
}

}  // namespace tfs

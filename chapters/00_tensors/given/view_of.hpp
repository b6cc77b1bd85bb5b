// chapters/00_tensors/given/view_of.hpp · a view as xtensor makes it, given
#pragma once

#include "chapters/00_tensors/views.hpp"
#include "common/base/xtensor_math.hpp"

namespace tfs {

// ShapeError where the strides are not one for each axis, or an entry would lie outside of a buffer of this many floats.
void require_inside(const Strided& view, std::size_t floats);

// Reads and writes the floats of base, as long as base lives.
inline auto view_of(Array& base, const Strided& view) {
    require_inside(view, base.size());
    return xt::strided_view(base, Shape(view.shape), std::vector<std::ptrdiff_t>(view.strides),
                            static_cast<std::size_t>(view.offset), xt::layout_type::dynamic);
}

}  // namespace tfs

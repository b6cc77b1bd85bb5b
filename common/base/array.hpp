// common/base/array.hpp · making arrays whose sizes come from outside
#pragma once

#include "common/base/errors.hpp"

namespace tfs {

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

}  // namespace tfs

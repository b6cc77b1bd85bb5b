// common/base/array.cpp · making arrays whose sizes come from outside
#include "common/base/array.hpp"

#include <fmt/format.h>

#include <cstddef>
#include <limits>
#include <new>

#include "common/base/shape.hpp"

namespace tfs {

void require_addressable(const Shape& shape, std::size_t bytes_per_value) {
    constexpr std::size_t most = std::numeric_limits<std::ptrdiff_t>::max();
    if (count_of_steps(shape) > most / bytes_per_value)
        throw ShapeError(fmt::format("an array of shape {} is too large for any memory", to_string(shape)));
}

void throw_moved_from(const char* what) {
    throw ValueError(fmt::format("{} was moved from, so it has no values; use what it was moved to", what));
}

template <class Value>
xt::xarray<Value> make_array(const Shape& shape) {
    require_addressable(shape, sizeof(Value));
    try {
        return xt::xarray<Value>::from_shape(shape);
    } catch (const std::bad_alloc&) {
        throw ShapeError(
            fmt::format("an array of shape {} takes {:.3g} GB, and there is not so much memory left",
                        to_string(shape), static_cast<double>(element_count(shape) * sizeof(Value)) * 1e-9));
    }
}

template xt::xarray<float> make_array<float>(const Shape&);
template xt::xarray<bool> make_array<bool>(const Shape&);
template xt::xarray<std::int64_t> make_array<std::int64_t>(const Shape&);

}  // namespace tfs

// common/text/named_shape.cpp · a shape with the names of its axes
#include "common/text/named_shape.hpp"

#include <fmt/format.h>

#include "common/base/array.hpp"
#include "common/base/errors.hpp"

namespace tfs {

std::string named_shape(const Shape& shape, const std::vector<std::string>& axes) {
    if (axes.size() != shape.size()) {
        throw ShapeError(fmt::format("{} names of axes for the shape {}", axes.size(), to_string(shape)));
    }
    std::string text = "(";
    for (std::size_t i = 0; i < axes.size(); ++i)
        text += fmt::format("{}{} {}", i == 0 ? "" : ", ", axes[i], shape[i]);
    return text + ")";
}

}  // namespace tfs

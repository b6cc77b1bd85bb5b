// common/text/named_shape.hpp · a shape with the names of its axes
#pragma once

#include <string>
#include <vector>

#include "common/base/xtensor.hpp"

namespace tfs {

// "(batch 1, query 10, key 10)"; a scalar is "()". Throws ShapeError if there is not one name for each axis.
std::string named_shape(const Shape& shape, const std::vector<std::string>& axes);

}  // namespace tfs

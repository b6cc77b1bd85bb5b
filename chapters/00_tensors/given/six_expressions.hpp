// chapters/00_tensors/given/six_expressions.hpp · the six expressions of the puzzle six_shapes, given
#pragma once

#include <array>
#include <string>

#include "common/tensor.hpp"

namespace tfs {

struct ShapeQuestion {
    std::string expression;  // as the contract writes it
    Tensor result;           // what the layer makes of it
};
[[nodiscard]] std::array<ShapeQuestion, 6> six_expressions();

}  // namespace tfs

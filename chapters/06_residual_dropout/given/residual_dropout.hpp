// chapters/06_residual_dropout/given/dropout_checks.hpp · the checks of chapter 06, given: errors with the likely cause
#pragma once

#include <string_view>

#include "common/tensor.hpp"

namespace tfs {

// ValueError if p is not in [0, 1). NaN is not.
void require_rate(std::string_view operation, double p);

// ShapeError if a sublayer made something of another shape than x. `+` alone would broadcast where it can.
void require_same_shape(std::string_view operation, const Tensor& x, const Tensor& from_sublayer);

}  // namespace tfs

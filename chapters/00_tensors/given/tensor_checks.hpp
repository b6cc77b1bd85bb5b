// chapters/00_tensors/given/tensor_checks.hpp · the shape checks of chapter 00, given: each throws ShapeError with the
// likely cause
#pragma once

#include <string_view>

#include "common/tensor.hpp"

namespace tfs {

// x (…, n) and bias (n).
void require_bias(const Array& x, const Array& bias);

// a (batch, m, k) and b (batch, k, n); `operation` begins the sentence.
void require_product(std::string_view operation, const Array& a, const Array& b);

// x (…, n) with n at least 1.
void require_rows(const Array& x);

}  // namespace tfs

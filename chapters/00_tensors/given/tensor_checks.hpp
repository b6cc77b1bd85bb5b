// chapters/00_tensors/given/tensor_checks.hpp · the shape checks of chapter 00, given: each throws ShapeError with the
// likely cause
#pragma once

#include <string_view>

#include "common/tensor.hpp"

namespace tfs {

// a (batch, m, k) and b (batch, k, n); `operation` begins the sentence.
void require_product(std::string_view operation, const Array& a, const Array& b);

// x (…, n) with n at least 1.
void require_rows(const Array& x);

// The shapes of views: x has the axes a and b · x broadcasts to the shape, which stays as it is · two axes · one axis of at least
// `length` · two axes, not higher than wide · one axis of an odd length.
void require_axes(std::string_view operation, const Shape& x, std::size_t a, std::size_t b);
void require_broadcast(const Shape& x, const Shape& shape);
void require_matrix(std::string_view operation, const Shape& x);
void require_windows(const Shape& x, std::size_t length);
void require_wide_matrix(const Shape& x);
void require_distances(const Shape& x);

}  // namespace tfs

// common/tensor/ops.hpp · the operations: each is its forward and its local derivative side by side
//
// All return a new tensor and leave their arguments as they are: a result that is thrown away is a mistake, and the
// compiler says so. They record the tape where a gradient is needed, and throw ShapeError if shapes don't fit.
#pragma once

#include "common/tensor/tensor.hpp"

namespace tfs {

// Element by element, with NumPy broadcasting: shapes are aligned at the last axis and sizes of 1 are repeated.
[[nodiscard]] Tensor operator+(const Tensor& a, const Tensor& b);
[[nodiscard]] Tensor operator-(const Tensor& a, const Tensor& b);
[[nodiscard]] Tensor operator*(const Tensor& a, const Tensor& b);
[[nodiscard]] Tensor operator/(const Tensor& a, const Tensor& b);
[[nodiscard]] Tensor operator+(const Tensor& a, float b);
[[nodiscard]] Tensor operator-(const Tensor& a, float b);
[[nodiscard]] Tensor operator*(const Tensor& a, float b);
[[nodiscard]] Tensor operator/(const Tensor& a, float b);
[[nodiscard]] Tensor operator+(float a, const Tensor& b);
[[nodiscard]] Tensor operator-(float a, const Tensor& b);
[[nodiscard]] Tensor operator*(float a, const Tensor& b);
[[nodiscard]] Tensor operator/(float a, const Tensor& b);
[[nodiscard]] Tensor operator-(const Tensor& x);

// Element by element. log and sqrt of a negative number are NaN, as in <cmath>.
[[nodiscard]] Tensor exp(const Tensor& x);
[[nodiscard]] Tensor log(const Tensor& x);
[[nodiscard]] Tensor sqrt(const Tensor& x);
[[nodiscard]] Tensor tanh(const Tensor& x);
[[nodiscard]] Tensor sigmoid(const Tensor& x);  // 1 / (1 + exp(-x))
[[nodiscard]] Tensor erf(const Tensor& x);      // 2/sqrt(pi) * integral of exp(-t^2) from 0 to x
// The larger of each entry and `floor`; no gradient where x < floor.
[[nodiscard]] Tensor maximum(const Tensor& x, float floor);

// Over one axis, which is dropped, or kept with size 1 so that the result broadcasts against x. max, mean and variance
// of an axis of size 0 are a ShapeError.
enum class KeepDims { no, yes };
[[nodiscard]] Tensor sum(const Tensor& x, int axis, KeepDims keep = KeepDims::no);
[[nodiscard]] Tensor mean(const Tensor& x, int axis, KeepDims keep = KeepDims::no);
// NaN counts as the largest. The gradient goes to the first largest entry.
[[nodiscard]] Tensor max(const Tensor& x, int axis, KeepDims keep = KeepDims::no);
// Of the population: divided by n, not n - 1.
[[nodiscard]] Tensor variance(const Tensor& x, int axis, KeepDims keep = KeepDims::no);
// Over all elements: a scalar of shape ().
[[nodiscard]] Tensor sum(const Tensor& x);
[[nodiscard]] Tensor mean(const Tensor& x);

// The same values in the same order under another shape of as many elements. All sizes are given: there is no -1.
[[nodiscard]] Tensor reshape(const Tensor& x, const Shape& shape);
// Swaps two axes (and moves the values: the result is contiguous again).
[[nodiscard]] Tensor transpose(const Tensor& x, int axis_a, int axis_b);
// Joins tensors along an axis; all other axes agree.
[[nodiscard]] Tensor concat(const std::vector<Tensor>& parts, int axis);
// The entries begin … end-1 of an axis.
[[nodiscard]] Tensor slice(const Tensor& x, int axis, std::size_t begin, std::size_t end);

// The product of the last two axes: (..., m, k) x (..., k, n) -> (..., m, n). Leading axes broadcast; a 2-D b is the
// same for all of a. The flag transposes the last two axes of an operand while multiplying, without a copy.
enum class Transpose { none, a, b, both };
[[nodiscard]] Tensor matmul(const Tensor& a, const Tensor& b, Transpose transposed = Transpose::none);

// x Wᵀ + bias: x (..., in), weight (out, in), bias (out) or null -> (..., out). PyTorch's layout of weights.
[[nodiscard]] Tensor linear(const Tensor& x, const Tensor& weight, const Tensor* bias = nullptr);

// Rows of a table: table (count, size), ids (...) -> (..., size). ValueError if an id is not in 0 … count-1.
[[nodiscard]] Tensor embedding(const Tensor& table, const Ids& ids);

}  // namespace tfs

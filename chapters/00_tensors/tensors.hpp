// chapters/00_tensors/tensors.hpp · what chapter 00 builds: the parts of a tensor layer that all later
// chapters rest on
//
// Sources: Goto and van de Geijn 2008 (matrix products); Higham 2002, "Accuracy and
// Stability of Numerical Algorithms" (variance); Baydin et al. 2018, arXiv:1502.05767 (gradients and finite differences).
// An Array is xtensor's: row-major and contiguous. x.data()[0 … x.size()-1] are its values, the last axis fastest.
// Read the lesson in README.md beside this file; write your steps in exercises/00_tensors/.
#pragma once

#include <functional>

#include "common/tensor.hpp"

namespace tfs {

// Step matmul_loops · A product for each batch element, by loops: c[s, i, j] = sum over p of a[s, i, p] b[s, p, j]
//   a (batch, m, k) · b (batch, k, n) -> (batch, m, n); where k is 0 the result is 0
// Products with 0 count, too: 0 * infinity is NaN.
// Throws ShapeError if an operand does not have three axes, or the batches or the inner sizes disagree.
Array matmul_loops(const Array& a, const Array& b);

// Given · The same by one kernels::gemm, that is one call of BLAS, for each batch element.
//   a (batch, m, k) · b (batch, k, n) -> (batch, m, n)
// Throws ShapeError as above.
Array matmul_blas(const Array& a, const Array& b);

// What the rows of standardize_rows had before, each (..., 1).
struct RowStatistics {
    Array mean, variance;
};

// Step standardize_rows · Find the fault: gives each row of x the mean 0 and the variance 1, in its place:
//   mean = sum(x_j) / n,  variance = sum((x_j - mean)^2) / n,  x_j becomes (x_j - mean) / sqrt(variance + eps)
//   x (..., n) -> mean, variance (..., 1) of the rows as they came
// eps keeps the root of a row of equal entries away from 0.
// Throws ShapeError if x has no axis or its last axis is empty.
RowStatistics standardize_rows(Array& x, float eps = 1e-5f);

// Step finite_difference · The gradient of a function of many numbers by central differences, entry by entry:
//   gradient[i] = (f(x + h e_i) - f(x - h e_i)) / 2h,  where e_i is 1 at entry i and 0 elsewhere
//   f: takes an array of the shape of x · x: any shape -> the gradient, of the shape of x
// f is called twice for each entry: at x with only this entry moved up by h, and at x with it moved down by h.
// 2h is the distance between the two points as floats, because x_i + h and x_i - h are rounded; where h is so
// small that both round to x_i the entry is NaN.
// Throws ValueError if the step h is not positive and finite.
Array finite_difference_gradient(const std::function<double(const Array&)>& f, const Array& x,
                                 float step = 1e-2f);

}  // namespace tfs

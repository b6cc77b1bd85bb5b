// chapters/00_tensors/program/measurements.hpp · what the program of chapter 00 measures: speed of products, error
// of differences
#pragma once

#include <vector>

#include "common/tensor.hpp"

namespace tfs {

// Billions of floating-point operations a second (a multiply and an add count two) in one size x size
// product.
struct ProductSpeed {
    std::size_t size;
    double loops;       // matmul_loops, step 0.2: the innermost loop runs down a column of b
    double reordered;   // the same loops with the innermost one along a row of b and of the result
    double blas;        // matmul_blas, step 0.3, on one core, as the loops
    double blas_cores;  // the same on all cores
};

// The sizes 16, 32, 64 … up to `largest`. Each figure is the best of several runs.
std::vector<ProductSpeed> product_speeds(std::size_t largest, std::uint64_t seed);

// The same arithmetic as matmul_loops with the two inner loops swapped.
Array matmul_reordered(const Array& a, const Array& b);

// `count` products (m, k) x (k, n): one after another by matmul_blas, and by the layer's matmul, which runs
// them in parallel. In GFLOP/s.
struct BatchSpeed {
    double one_by_one, in_parallel;
};
BatchSpeed batch_speeds(std::size_t count, std::size_t m, std::size_t k, std::size_t n, std::uint64_t seed);

// The largest error of a gradient of f(x) = sum of tanh(x_i), whose true gradient is 1 - tanh(x_i)^2, for
// one step h.
struct DifferenceError {
    double step;
    double one_sided;       // (f(x + h) - f(x)) / h, f in float32
    double central;         // finite_difference_gradient, step 0.5, f in float32
    double central_double;  // the same with f in float64
};

// Steps from 1 down to 1e-6, two for each power of ten.
std::vector<DifferenceError> difference_errors(std::uint64_t seed);

}  // namespace tfs

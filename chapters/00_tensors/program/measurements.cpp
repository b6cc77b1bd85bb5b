// chapters/00_tensors/program/measurements.cpp · what the program of chapter 00 measures: speed of products, error
// of differences
#include "chapters/00_tensors/program/measurements.hpp"

#include <algorithm>
#include <cmath>

#include <omp.h>

#include "chapters/00_tensors/tensors.hpp"
#include "common/show/measure.hpp"

namespace tfs {

namespace {

double gflops(double multiply_adds, double seconds) { return 2.0 * multiply_adds / seconds * 1e-9; }

// One volatile write, so that no result counts as unused.
void use(const Array& result) {
    [[maybe_unused]] static volatile float sink;
    sink = result.data()[0];
}

// The gradient by (f(x + h) - f(x)) / h.
template <class Function>
Array one_sided_gradient(const Function& f, const Array& x, float step) {
    Array gradient = Array::from_shape(x.shape());
    Array point = x;
    const double here = f(x);
    for (std::size_t i = 0; i < x.size(); ++i) {
        point.data()[i] = x.data()[i] + step;
        gradient.data()[i] =
            static_cast<float>((f(point) - here) / (static_cast<double>(point.data()[i]) - x.data()[i]));
        point.data()[i] = x.data()[i];
    }
    return gradient;
}

double largest_error(const Array& gradient, const Array& x) {
    double largest = 0.0;
    for (std::size_t i = 0; i < x.size(); ++i) {
        const double t = std::tanh(static_cast<double>(x.data()[i]));
        largest = std::max(largest, std::abs(gradient.data()[i] - (1.0 - t * t)));
    }
    return largest;
}

template <class Real>
double sum_of_tanh(const Array& x) {
    Real total = 0;
    for (std::size_t i = 0; i < x.size(); ++i) total += std::tanh(static_cast<Real>(x.data()[i]));
    return static_cast<double>(total);
}

}  // namespace

Array matmul_reordered(const Array& a, const Array& b) {
    const std::size_t batch = a.shape(0), m = a.shape(1), k = a.shape(2), n = b.shape(2);
    Array c(Array::shape_type{batch, m, n}, 0.0f);
    for (std::size_t s = 0; s < batch; ++s) {
        for (std::size_t i = 0; i < m; ++i) {
            float* c_row = c.data() + (s * m + i) * n;
            for (std::size_t p = 0; p < k; ++p) {
                const float a_ip = a.data()[(s * m + i) * k + p];
                const float* b_row = b.data() + (s * k + p) * n;
                for (std::size_t j = 0; j < n; ++j) c_row[j] += a_ip * b_row[j];
            }
        }
    }
    return c;
}

std::vector<ProductSpeed> product_speeds(std::size_t largest, std::uint64_t seed) {
    Rng rng(seed);
    std::vector<ProductSpeed> speeds;
    for (std::size_t size = 16; size <= largest; size *= 2) {
        const Array a = rng.normal_array({1, size, size}), b = rng.normal_array({1, size, size});
        const double work = std::pow(static_cast<double>(size), 3.0);
        const auto speed = [&](Array (*multiply)(const Array&, const Array&)) {
            return gflops(work, best_seconds([&] { use(multiply(a, b)); }));
        };
        const int cores = omp_get_max_threads();
        omp_set_num_threads(1);  // OpenBLAS's OpenMP build heeds it; another build keeps its own threads
        const double blas = speed(matmul_blas);
        omp_set_num_threads(cores);
        speeds.push_back({size, speed(matmul_loops), speed(matmul_reordered), blas, speed(matmul_blas)});
    }
    return speeds;
}

BatchSpeed batch_speeds(std::size_t count, std::size_t m, std::size_t k, std::size_t n, std::uint64_t seed) {
    Rng rng(seed);
    const Array a = rng.normal_array({count, m, k}), b = rng.normal_array({count, k, n});
    const double work = static_cast<double>(count * m * k * n);
    const Tensor tensor_a(a), tensor_b(b);
    return {gflops(work, best_seconds([&] { use(matmul_blas(a, b)); })),
            gflops(work, best_seconds([&] { use(matmul(tensor_a, tensor_b).array()); }))};
}

std::vector<DifferenceError> difference_errors(std::uint64_t seed) {
    Rng rng(seed);
    const Array x = rng.uniform_array({8}, -1.5, 1.5);
    std::vector<DifferenceError> errors;
    for (int half_decade = 0; half_decade <= 12; ++half_decade) {
        const float h = static_cast<float>(std::pow(10.0, -0.5 * half_decade));
        errors.push_back({h, largest_error(one_sided_gradient(sum_of_tanh<float>, x, h), x),
                          largest_error(finite_difference_gradient(sum_of_tanh<float>, x, h), x),
                          largest_error(finite_difference_gradient(sum_of_tanh<double>, x, h), x)});
    }
    return errors;
}

}  // namespace tfs

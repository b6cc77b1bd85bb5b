// Step 10.4 · clip_by_global_norm, fast
// solutions/10_training/clip_by_global_norm.fast.cpp · the squares of pieces side by side, on all cores
#include <cmath>
#include <numeric>

#include "chapters/10_training/given/checks.hpp"
#include "common/base/parallel.hpp"
#include "common/kernels/lane_sums.hpp"

namespace tfs {

namespace {

// In double, and each piece by itself: the sum does not depend on the number of threads.
double squares_of(const Array& grad) {
    constexpr std::size_t piece = 8192;
    std::vector<double> sums((grad.size() + piece - 1) / piece);
    parallel_rows(sums.size(), piece, [&](std::size_t i) {
        const float* g = grad.data() + i * piece;
        const std::size_t size = grad.size() - i * piece < piece ? grad.size() - i * piece : piece;
        sums[i] = kernels::lane_sum(size, [=](std::size_t j) { return static_cast<double>(g[j]) * g[j]; });
    });
    return std::accumulate(sums.begin(), sums.end(), 0.0);
}

void scale(Array& grad, float factor) {
    float* g = grad.data();
    parallel_pieces(grad.size(), [=](std::size_t begin, std::size_t end) {
#pragma omp simd
        for (std::size_t i = begin; i < end; ++i) g[i] *= factor;
    });
}

}  // namespace

double clip_by_global_norm(Parameters parameters, double largest) {
    double squares = 0.0;
    for (const NamedTensor& parameter : parameters)
        if (parameter.tensor.has_grad()) squares += squares_of(parameter.tensor.grad());
    const double norm = std::sqrt(squares);
    require_norm(parameters, largest, norm);
    if (norm > largest) {
        for (NamedTensor& parameter : parameters)
            if (parameter.tensor.has_grad())
                scale(parameter.tensor.mutable_grad(), static_cast<float>(largest / norm));
    }
    return norm;
}

}  // namespace tfs

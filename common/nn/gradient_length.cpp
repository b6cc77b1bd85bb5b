// common/nn/gradient_length.cpp · sums of squares and factors, in vectorised pieces on all cores
#include "common/nn/gradient_length.hpp"

#include <algorithm>
#include <numeric>
#include <vector>

#include "common/base/parallel.hpp"
#include "common/kernels/lane_sums.hpp"

namespace tfs {

// Each piece is added by itself, and then the pieces in their order, whatever thread has added which.
double sum_of_squares(const Array& gradient) {
    constexpr std::size_t piece = 8192;
    std::vector<double> sums((gradient.size() + piece - 1) / piece);
    parallel_rows(sums.size(), piece, [&](std::size_t i) {
        const float* g = gradient.data() + i * piece;
        sums[i] = kernels::lane_sum(std::min(piece, gradient.size() - i * piece),
                                    [=](std::size_t j) { return static_cast<double>(g[j]) * g[j]; });
    });
    return std::accumulate(sums.begin(), sums.end(), 0.0);
}

void scale_by(Array& gradient, float factor) {
    float* g = gradient.data();
    parallel_pieces(gradient.size(), [=](std::size_t begin, std::size_t end) {
#pragma omp simd
        for (std::size_t i = begin; i < end; ++i) g[i] *= factor;
    });
}

}  // namespace tfs

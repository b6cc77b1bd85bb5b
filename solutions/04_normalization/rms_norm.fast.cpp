// Step 4.2 · rms_norm, fast
// solutions/04_normalization/rms_norm.fast.cpp · one fused kernel over contiguous rows, with its gradient
#include <cmath>

#include "chapters/04_normalization/given/checks.hpp"
#include "chapters/04_normalization/normalization.hpp"
#include "common/base/parallel.hpp"
#include "common/kernels/lane_sums.hpp"
#include "common/kernels/row_kernels.hpp"

namespace tfs {

namespace {

// y = gamma xhat with xhat = x rrms, rrms = 1 / sqrt(mean of x^2 + eps), for each row. The gradient needs
// rrms again.
void forward(const Tensor& x, const Tensor& gamma, float eps, float* y, std::vector<float>& rrms) {
    const std::size_t size = gamma.size();
    const float *g = gamma.values().data(), *all = x.values().data();
    parallel_rows(rrms.size(), size, [&, g, all, y](std::size_t row) {
        const float* x_row = all + row * size;
        float* y_row = y + row * size;
        // Pass 1: the sum of the squares.
        const float squares = kernels::lane_sum(size, [=](std::size_t i) { return x_row[i] * x_row[i]; });
        const float mean_square = squares / static_cast<float>(size);
        const float r = rrms[row] = 1.0f / std::sqrt(mean_square + eps);
        // Pass 2: divide and scale.
#pragma omp simd
        for (std::size_t i = 0; i < size; ++i) y_row[i] = x_row[i] * r * g[i];
    });
}

// One row back. With g = gamma dy, the gradient at xhat:
//     dx = rrms (g - xhat mean(g xhat))
// The second term goes through the root mean square, and takes away from g what a stretch of the row would
// do.
void row_backward(const float* x, const float* dy, const float* gamma, float r, std::size_t size, float* dx) {
    const float sum_g_xhat =
        kernels::lane_sum(size, [=](std::size_t i) { return gamma[i] * dy[i] * (x[i] * r); });
    const float mean_g_xhat = sum_g_xhat / static_cast<float>(size);
#pragma omp simd
    for (std::size_t i = 0; i < size; ++i) dx[i] = r * (gamma[i] * dy[i] - x[i] * r * mean_g_xhat);
}

// All rows back. dgamma = sum over rows of dy xhat: each block of rows, whose number does not depend on the
// threads, sums its part while the row is in the cache.
void backward(const Tensor& x, const Tensor& gamma, const std::vector<float>& rrms, const Array& grad) {
    constexpr std::size_t most_blocks = 64;
    const std::size_t size = gamma.size(), rows = rrms.size();
    const std::size_t block = (rows + most_blocks - 1) / most_blocks;  // in rows
    const std::size_t blocks = block == 0 ? 0 : (rows + block - 1) / block;
    Array dx = Array::from_shape(x.requires_grad() ? x.shape() : Shape{0});
    std::vector<float> parts(gamma.requires_grad() ? blocks * size : 0);  // of dgamma, one row for each block
    parallel_rows(blocks, block * size, [&](std::size_t i) {
        const std::size_t end = (i + 1) * block < rows ? (i + 1) * block : rows;
        for (std::size_t row = i * block; row < end; ++row) {
            const float *x_row = x.values().data() + row * size, *dy_row = grad.data() + row * size;
            const float r = rrms[row];
            if (dx.size() > 0)
                row_backward(x_row, dy_row, gamma.values().data(), r, size, dx.data() + row * size);
            if (parts.empty()) continue;
            float* dgamma = parts.data() + i * size;
#pragma omp simd
            for (std::size_t j = 0; j < size; ++j) dgamma[j] += dy_row[j] * (x_row[j] * r);
        }
    });
    if (x.requires_grad()) add_to_grad(x, std::move(dx));
    if (!gamma.requires_grad()) return;
    Array dgamma = Array::from_shape({size});
    kernels::sum_over_rows(parts, {dgamma.data(), size});
    add_to_grad(gamma, std::move(dgamma));
}

}  // namespace

Tensor rms_norm(const Tensor& x, const Tensor& gamma, float eps) {
    require_rms_norm(x, gamma, eps);
    std::vector<float> rrms(x.size() / gamma.size());
    Array y = Array::from_shape(x.shape());
    forward(x, gamma, eps, y.data(), rrms);
    return record(std::move(y), {x, gamma},
                  [x, gamma, rrms = std::move(rrms)](const Array&, const Array& grad) {
                      backward(x, gamma, rrms, grad);
                  });
}

Tensor RMSNorm::operator()(const Tensor& x) const { return rms_norm(x, gamma, eps); }

}  // namespace tfs

// Step 4.1 · norms, fast
// solutions/04_normalization/norms.fast.cpp · fused kernels over contiguous rows, with their gradients
#include <algorithm>
#include <cmath>
#include <tuple>

#include "chapters/04_normalization/given/norm_checks.hpp"
#include "chapters/04_normalization/normalization.hpp"
#include "common/base/parallel.hpp"
#include "common/kernels/lane_sums.hpp"
#include "common/kernels/row_kernels.hpp"

namespace tfs {

namespace {

// The gradients of gamma and beta sum over rows. Each block of rows, whose number does not depend on the threads, sums its
// part while the row is in the cache.
struct Blocks {
    std::size_t rows, rows_of_one, count;

    explicit Blocks(std::size_t all) : rows(all) {
        constexpr std::size_t most = 64;
        rows_of_one = (rows + most - 1) / most;
        count = rows_of_one == 0 ? 0 : (rows + rows_of_one - 1) / rows_of_one;
    }

    // visit(row, block) for each row of `size`.
    template <typename Visit>
    void for_each_row(std::size_t size, const Visit& visit) const {
        parallel_rows(count, rows_of_one * size, [&](std::size_t block) {
            const std::size_t end = std::min((block + 1) * rows_of_one, rows);
            for (std::size_t row = block * rows_of_one; row < end; ++row) visit(row, block);
        });
    }
};

// The sum of the blocks' parts, one row each.
Array summed(const std::vector<float>& parts, std::size_t size) {
    Array sums = Array::from_shape({size});
    kernels::sum_over_rows(parts, {sums.data(), size});
    return sums;
}

// LayerNorm

// The sums of x - shift and of its square over a row, in one pass.
auto sums_around(float shift, const float* x, std::size_t size) {
    return kernels::lane_sums(
        size, [=](std::size_t i) { return x[i] - shift; },
        [=](std::size_t i) { return (x[i] - shift) * (x[i] - shift); });
}

// What normalises a row, and is needed again for its gradient: rstd = 1 / sqrt(variance + eps), and the mean
// in two parts, shift + offset, because near a mean of 10000 a single float is off by up to 0.0005.
struct RowStatistics {
    float shift = 0.0f, scaled_offset = 0.0f, rstd = 0.0f;

    // (x - mean) rstd = (x - shift) rstd - offset rstd
    float xhat(float x) const { return (x - shift) * rstd - scaled_offset; }
};

// Variance = E[(x - shift)^2] - (mean - shift)^2 for any shift, here the first entry of the row: one pass
// where mean and variance one after the other take two. With shift 0 it would cancel where the mean is large.
// Here it cancels only where the first entry is an outlier, more than three deviations away; such a row gets
// a second pass, around the mean. (Chan, Golub and LeVeque 1983, "Algorithms for computing the sample
// variance", on shifted data.)
RowStatistics statistics_of(const float* x, std::size_t size, float eps) {
    const float n = static_cast<float>(size);
    float shift = x[0];
    auto [differences, squares] = sums_around(shift, x, size);
    float offset = differences / n;  // mean - shift
    if (offset * offset > 0.9f * squares / n) {
        shift += offset;
        std::tie(differences, squares) = sums_around(shift, x, size);
        offset = differences / n;
    }
    const float rstd = 1.0f / std::sqrt(squares / n - offset * offset + eps);
    return {shift, offset * rstd, rstd};
}

// y = gamma xhat + beta with xhat = (x - mean) rstd, for each row, which stays in the first cache.
void forward(const Tensor& x, const Tensor& gamma, const Tensor& beta, float eps, float* y,
             std::vector<RowStatistics>& statistics) {
    const std::size_t size = gamma.size();
    const float *g = gamma.values().data(), *b = beta.values().data(), *all = x.values().data();
    parallel_rows(statistics.size(), size, [&, g, b, all, y](std::size_t row) {
        const float* x_row = all + row * size;
        float* y_row = y + row * size;
        const RowStatistics s = statistics[row] = statistics_of(x_row, size, eps);
        // The last pass: normalise, scale and shift.
#pragma omp simd
        for (std::size_t i = 0; i < size; ++i) y_row[i] = s.xhat(x_row[i]) * g[i] + b[i];
    });
}

// One row back. With g = gamma dy, the gradient at xhat:
//     dx = rstd (g - mean(g) - xhat mean(g xhat))
// The first term is dy's direct way to x. The other two go through the mean and the variance of the row, and
// take away from g what a shift and what a stretch of the row would do: to those layer_norm is blind.
void row_backward(const float* x, const float* dy, const float* gamma, RowStatistics s, std::size_t size,
                  float* dx) {
    const float n = static_cast<float>(size);
    const auto [sum_g, sum_g_xhat] = kernels::lane_sums(
        size, [=](std::size_t i) { return gamma[i] * dy[i]; },
        [=](std::size_t i) { return gamma[i] * dy[i] * s.xhat(x[i]); });
    const float mean_g = sum_g / n, mean_g_xhat = sum_g_xhat / n;
#pragma omp simd
    for (std::size_t i = 0; i < size; ++i) {
        dx[i] = s.rstd * (gamma[i] * dy[i] - mean_g - s.xhat(x[i]) * mean_g_xhat);
    }
}

// dgamma += dy xhat, dbeta += dy
void add_parameter_gradients(const float* x, const float* dy, RowStatistics s, std::size_t size,
                             float* dgamma, float* dbeta) {
#pragma omp simd
    for (std::size_t i = 0; i < size; ++i) {
        dgamma[i] += dy[i] * s.xhat(x[i]);
        dbeta[i] += dy[i];
    }
}

void backward(const Tensor& x, const Tensor& gamma, const Tensor& beta,
              const std::vector<RowStatistics>& statistics, const Array& grad) {
    const std::size_t size = gamma.size();
    const Blocks blocks(statistics.size());
    const bool for_x = x.requires_grad(), for_parameters = gamma.requires_grad() || beta.requires_grad();
    Array dx = Array::from_shape(for_x ? x.shape() : Shape{0});
    std::vector<float> dgamma(for_parameters ? blocks.count * size : 0), dbeta(dgamma.size());
    blocks.for_each_row(size, [&](std::size_t row, std::size_t block) {
        const float *x_row = x.values().data() + row * size, *dy_row = grad.data() + row * size;
        if (for_x)
            row_backward(x_row, dy_row, gamma.values().data(), statistics[row], size, dx.data() + row * size);
        if (for_parameters) {
            add_parameter_gradients(x_row, dy_row, statistics[row], size, dgamma.data() + block * size,
                                    dbeta.data() + block * size);
        }
    });
    if (for_x) add_to_grad(x, std::move(dx));
    if (gamma.requires_grad()) add_to_grad(gamma, summed(dgamma, size));
    if (beta.requires_grad()) add_to_grad(beta, summed(dbeta, size));
}

// RMSNorm

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

// dgamma += dy xhat
void add_gamma_gradient(const float* x, const float* dy, float r, std::size_t size, float* dgamma) {
#pragma omp simd
    for (std::size_t i = 0; i < size; ++i) dgamma[i] += dy[i] * (x[i] * r);
}

void backward(const Tensor& x, const Tensor& gamma, const std::vector<float>& rrms, const Array& grad) {
    const std::size_t size = gamma.size();
    const Blocks blocks(rrms.size());
    const bool for_x = x.requires_grad(), for_gamma = gamma.requires_grad();
    Array dx = Array::from_shape(for_x ? x.shape() : Shape{0});
    std::vector<float> dgamma(for_gamma ? blocks.count * size : 0);
    blocks.for_each_row(size, [&](std::size_t row, std::size_t block) {
        const float *x_row = x.values().data() + row * size, *dy_row = grad.data() + row * size;
        if (for_x)
            row_backward(x_row, dy_row, gamma.values().data(), rrms[row], size, dx.data() + row * size);
        if (for_gamma) add_gamma_gradient(x_row, dy_row, rrms[row], size, dgamma.data() + block * size);
    });
    if (for_x) add_to_grad(x, std::move(dx));
    if (for_gamma) add_to_grad(gamma, summed(dgamma, size));
}

}  // namespace

Tensor layer_norm(const Tensor& x, const Tensor& gamma, const Tensor& beta, float eps) {
    require_layer_norm(x, gamma, beta, eps);
    std::vector<RowStatistics> statistics(x.size() / gamma.size());
    Array y = Array::from_shape(x.shape());
    forward(x, gamma, beta, eps, y.data(), statistics);
    return record(std::move(y), {x, gamma, beta},
                  [x, gamma, beta, statistics = std::move(statistics)](const Array&, const Array& grad) {
                      backward(x, gamma, beta, statistics, grad);
                  });
}

LayerNorm::LayerNorm(std::size_t d_model, float epsilon) : eps(epsilon) {
    require_norm_sizes("LayerNorm", d_model, 2, epsilon);
    gamma = Tensor::ones({d_model}).set_requires_grad(true);
    beta = Tensor::zeros({d_model}).set_requires_grad(true);
}

Tensor LayerNorm::operator()(const Tensor& x) const { return layer_norm(x, gamma, beta, eps); }

Parameters LayerNorm::parameters() const { return {{"gamma", gamma}, {"beta", beta}}; }

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

RMSNorm::RMSNorm(std::size_t d_model, float epsilon) : eps(epsilon) {
    require_norm_sizes("RMSNorm", d_model, 1, epsilon);
    gamma = Tensor::ones({d_model}).set_requires_grad(true);
}

Tensor RMSNorm::operator()(const Tensor& x) const { return rms_norm(x, gamma, eps); }

Parameters RMSNorm::parameters() const { return {{"gamma", gamma}}; }

}  // namespace tfs

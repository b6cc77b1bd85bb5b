// common/nn/parameters.cpp
#include "common/nn/parameters.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <vector>

#include "common/base/parallel.hpp"
#include "common/kernels/lane_sums.hpp"

namespace tfs {

Tensor parameter(const Tensor& x) { return Tensor(x.array(), true); }

std::string join_path(const std::string& prefix, const std::string& name) {
    return prefix.empty() ? name : prefix + "." + name;
}

void append(Parameters& all, const std::string& prefix, const Parameters& part) {
    for (const NamedTensor& parameter : part)
        all.push_back({join_path(prefix, parameter.name), parameter.tensor});
}

std::size_t count_parameters(const Parameters& parameters) {
    std::size_t count = 0;
    for (const NamedTensor& parameter : parameters) count += parameter.tensor.size();
    return count;
}

void clear_grads(Parameters parameters) {
    for (NamedTensor& parameter : parameters) parameter.tensor.clear_grad();
}

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

void gradient_step(const Tensor& loss, Parameters parameters, float rate) {
    if (!std::isfinite(rate))
        throw ValueError(fmt::format("gradient_step: the rate {} must be finite", rate));
    clear_grads(parameters);
    loss.backward();
    for (NamedTensor& parameter : parameters) {
        if (!parameter.tensor.has_grad()) continue;
        float* values = parameter.tensor.mutable_array().data();
        const float* grad = parameter.tensor.grad().data();
        for (std::size_t i = 0; i < parameter.tensor.size(); ++i) values[i] -= rate * grad[i];
    }
}

}  // namespace tfs

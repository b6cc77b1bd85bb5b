// chapters/00_tensors/program/timed/row_loops.cpp · the same work as an expression of xtensor, and as a loop over rows
#include "chapters/00_tensors/program/timed/row_loops.hpp"

#include <cmath>

#include "common/base/xtensor_math.hpp"
#include "common/kernels/lane_sums.hpp"

namespace tfs {

namespace {

constexpr float eps = 1e-5f;

void standardize(const Array& x, Array& y) {
    const Array mean = xt::mean(x, {1}, xt::keep_dims);
    const Array variance = xt::mean(xt::square(x - mean), {1}, xt::keep_dims);
    y = (x - mean) / xt::sqrt(variance + eps);
}

void standardize_by_rows(const Array& x, Array& y) {
    const std::size_t n = x.shape(1);
    const auto count = static_cast<float>(n);
    for (std::size_t row = 0; row < x.shape(0); ++row) {
        const float* from = x.data() + row * n;
        float* to = y.data() + row * n;
        const float mean = kernels::lane_sum(n, [&](std::size_t j) { return from[j]; }) / count;
        const float squares =
            kernels::lane_sum(n, [&](std::size_t j) { return (from[j] - mean) * (from[j] - mean); });
        const float scale = 1.0f / std::sqrt(squares / count + eps);
        for (std::size_t j = 0; j < n; ++j) to[j] = (from[j] - mean) * scale;
    }
}

}  // namespace

std::vector<Twins> expressions_and_loops() {
    return {{"x + x", [](const Array& x, Array& y) { y = x + x; },
             [](const Array& x, Array& y) {
                 for (std::size_t i = 0; i < x.size(); ++i) y.data()[i] = x.data()[i] + x.data()[i];
             }},
            {"x + row",
             [](const Array& x, Array& y) {
                 const Array row = xt::row(x, 0);
                 y = x + row;
             },
             [](const Array& x, Array& y) {
                 const std::size_t n = x.shape(1);
                 for (std::size_t row = 0; row < x.shape(0); ++row)
                     for (std::size_t j = 0; j < n; ++j)
                         y.data()[row * n + j] = x.data()[row * n + j] + x.data()[j];
             }},
            {"standardize the rows", standardize, standardize_by_rows}};
}

}  // namespace tfs

// common/kernels/row_kernels.cpp · softmax, sigmoid, bias and sums over contiguous rows
#include "common/kernels/row_kernels.hpp"

#include <algorithm>
#include <cstddef>
#include <limits>
#include <vector>

#include "common/base/parallel.hpp"
#include "common/kernels/exp.hpp"
#include "common/kernels/lane_sums.hpp"

namespace tfs::kernels {

void exp(std::span<const float> x, std::span<float> y) {
    parallel_pieces(x.size(), [&](std::size_t begin, std::size_t end) {
#pragma omp simd
        for (std::size_t i = begin; i < end; ++i) y[i] = exp(x[i]);
    });
}

void sigmoid(std::span<const float> x, std::span<float> y) {
    parallel_pieces(x.size(), [&](std::size_t begin, std::size_t end) {
#pragma omp simd
        for (std::size_t i = begin; i < end; ++i) y[i] = sigmoid(x[i]);
    });
}

void softmax_row(const float* x, float* y, std::size_t size, float scale) {
    // Pass 1: the largest entry of x, or of -x where the scale is negative. The scale comes after the subtraction: in
    // scale * x - largest the product would not be rounded (fma) while `largest` is, and with entries of a thousand
    // million the difference of the two is an exponent that overflows.
    const float sign = scale < 0.0f ? -1.0f : 1.0f, size_of_scale = sign * scale;
    float largest = -std::numeric_limits<float>::infinity();
#pragma omp simd reduction(max : largest)
    for (std::size_t i = 0; i < size; ++i) largest = sign * x[i] > largest ? sign * x[i] : largest;
    // All -inf: nothing may be attended to. Shifting by 0 leaves exp(-inf) = 0 everywhere instead of NaN.
    if (largest == -std::numeric_limits<float>::infinity()) largest = 0.0f;
    // Pass 2: exponentials and their sum. No exponent is positive, so nothing overflows.
    const float sum =
        lane_sum(size, [=](std::size_t i) { return y[i] = exp(size_of_scale * (sign * x[i] - largest)); });
    // Pass 3: divide. A sum of 0 happens only in a row of -inf.
    const float factor = sum == 0.0f ? 0.0f : 1.0f / sum;
#pragma omp simd
    for (std::size_t i = 0; i < size; ++i) y[i] *= factor;
}

void softmax_rows(std::span<const float> x, std::span<float> y, std::size_t size, float scale) {
    if (size == 0) return;
    parallel_rows(x.size() / size, size, [&](std::size_t row) {
        softmax_row(x.data() + row * size, y.data() + row * size, size, scale);
    });
}

void softmax_row_backward(const float* y, const float* dy, float* dx, std::size_t size, float scale) {
    const float dot = lane_sum(size, [=](std::size_t i) { return dy[i] * y[i]; });
#pragma omp simd
    for (std::size_t i = 0; i < size; ++i) dx[i] = scale * y[i] * (dy[i] - dot);
}

void softmax_rows_backward(std::span<const float> y, std::span<const float> dy, std::span<float> dx,
                           std::size_t size, float scale) {
    if (size == 0) return;
    parallel_rows(y.size() / size, size, [&](std::size_t row) {
        const std::size_t begin = row * size;
        softmax_row_backward(y.data() + begin, dy.data() + begin, dx.data() + begin, size, scale);
    });
}

float* room_of_thread(std::size_t size) {
    thread_local std::vector<float> room;
    if (room.size() < size) room.resize(size);
    return room.data();
}

void fill_rows(std::span<float> y, std::span<const float> row) {
    if (row.empty()) return;
    parallel_rows(y.size() / row.size(), row.size(), [&](std::size_t i) {
        std::copy(row.begin(), row.end(), y.begin() + static_cast<std::ptrdiff_t>(i * row.size()));
    });
}

void sum_over_rows(std::span<const float> x, std::span<float> sums) {
    const std::size_t size = sums.size();
    if (size == 0) return;
    const std::size_t rows = x.size() / size;
    constexpr std::size_t columns = 64;  // each thread owns a strip of columns: the order of the sum is fixed
    parallel_rows((size + columns - 1) / columns, rows * columns, [&](std::size_t strip) {
        const std::size_t begin = strip * columns;
        const std::size_t end = begin + columns < size ? begin + columns : size;
        for (std::size_t i = begin; i < end; ++i) sums[i] = 0.0f;
        for (std::size_t row = 0; row < rows; ++row) {
            const float* x_row = x.data() + row * size;
#pragma omp simd
            for (std::size_t i = begin; i < end; ++i) sums[i] += x_row[i];
        }
    });
}

}  // namespace tfs::kernels

// common/kernels/row_kernels.hpp · plain loops over contiguous rows, vectorised, in parallel over rows
//
// Each kernel takes a tensor as `rows` contiguous rows of `size` floats. They are what the `.fast.cpp` solutions are
// made of. xtensor expressions for the same are 8 to 45 times slower (./tutorial bench).
#pragma once

#include <cstddef>
#include <span>

namespace tfs::kernels {

// y = exp(x), element by element.
void exp(std::span<const float> x, std::span<float> y);
// y = 1 / (1 + exp(-x)), element by element.
void sigmoid(std::span<const float> x, std::span<float> y);

// y = softmax(scale * x) for each row. x and y may be the same memory. A row of only -inf gives zeros.
void softmax_rows(std::span<const float> x, std::span<float> y, std::size_t size, float scale = 1.0f);
// One row of the same, for callers that run their own parallel loop.
void softmax_row(const float* x, float* y, std::size_t size, float scale);
// The gradient of y = softmax(scale * x) for each row: dx = scale * y * (dy - sum(dy * y)). dy and dx may be the same.
void softmax_rows_backward(std::span<const float> y, std::span<const float> dy, std::span<float> dx,
                           std::size_t size, float scale = 1.0f);
void softmax_row_backward(const float* y, const float* dy, float* dx, std::size_t size, float scale);

// Room for so many floats, of this thread, not initialised. The next call may move it.
[[nodiscard]] float* room_of_thread(std::size_t size);

// Each row of y becomes this one.
void fill_rows(std::span<float> y, std::span<const float> row);
// sums[j] = sum over all rows of x[row][j]: the gradient of a bias.
void sum_over_rows(std::span<const float> x, std::span<float> sums);

}  // namespace tfs::kernels

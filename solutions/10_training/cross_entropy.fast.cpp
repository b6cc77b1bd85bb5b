// Step 10.1 · cross_entropy, fast
// solutions/10_training/cross_entropy.fast.cpp · softmax, logarithm and mean in one pass per row, with its gradient
#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "chapters/10_training/given/training_checks.hpp"
#include "common/base/parallel.hpp"
#include "common/kernels/exp.hpp"
#include "common/kernels/lane_sums.hpp"

namespace tfs {

namespace {

// The row shares out the weight 1 among the classes: 1 - smoothing for its target, and smoothing / vocab for all.
struct Wanted {
    float target, each;

    Wanted(double smoothing, std::size_t vocab)
        : target(static_cast<float>(1.0 - smoothing)),
          each(static_cast<float>(smoothing / static_cast<double>(vocab))) {}
};

float largest_of(const float* x, std::size_t size) {
    float largest = -std::numeric_limits<float>::infinity();
#pragma omp simd reduction(max : largest)
    for (std::size_t i = 0; i < size; ++i) largest = x[i] > largest ? x[i] : largest;
    return largest;
}

// What turns a row into its softmax again: p_i = exp(x_i - largest - log_sum).
struct RowSum {
    float largest = 0.0f, log_sum = 0.0f;
};

// The loss of a row: sum_i wanted_i (ln sum_j exp x_j - x_i).
double loss_of_row(const float* x, std::size_t size, std::int64_t target, const Wanted& wanted, RowSum& row) {
    const float largest = largest_of(x, size);
    const auto [sum, all] = kernels::lane_sums(
        size, [=](std::size_t i) { return kernels::exp(x[i] - largest); },
        [=](std::size_t i) { return x[i] - largest; });
    const double log_sum = std::log(static_cast<double>(sum));
    row = {largest, static_cast<float>(log_sum)};
    const double n = static_cast<double>(size), x_target = static_cast<double>(x[target]) - largest;
    // The second term only where it is asked for: a class with a score of -infinity has no part in it otherwise.
    const double smooth = wanted.each > 0.0f ? static_cast<double>(wanted.each) * (n * log_sum - all) : 0.0;
    return static_cast<double>(wanted.target) * (log_sum - x_target) + smooth;
}

// dx_i = (p_i - wanted_i) factor
void row_backward(const float* x, std::size_t size, std::int64_t target, const Wanted& wanted, RowSum row,
                  float factor, float* dx) {
#pragma omp simd
    for (std::size_t i = 0; i < size; ++i)
        dx[i] = (kernels::exp(x[i] - row.largest - row.log_sum) - wanted.each) * factor;
    dx[target] -= wanted.target * factor;
}

}  // namespace

Tensor cross_entropy(const Tensor& logits, const Ids& targets, double label_smoothing) {
    const std::size_t asked = require_targets(logits, targets, label_smoothing);
    const std::size_t vocab = logits.size(-1), rows = targets.size();
    const Wanted wanted(label_smoothing, vocab);
    std::vector<RowSum> sums(rows);
    std::vector<double> losses(rows, 0.0);
    parallel_rows(rows, vocab, [&](std::size_t row) {
        const std::int64_t target = targets.data()[row];
        if (target != ignored)
            losses[row] = loss_of_row(logits.values().data() + row * vocab, vocab, target, wanted, sums[row]);
    });
    const double count = static_cast<double>(asked);
    const double loss = std::accumulate(losses.begin(), losses.end(), 0.0) / count;
    return record(Array(static_cast<float>(loss)), {logits},
                  [=, sums = std::move(sums)](const Array&, const Array& grad) {
                      Array dx = Array::from_shape(logits.shape());
                      const float factor = static_cast<float>(static_cast<double>(grad.data()[0]) / count);
                      parallel_rows(rows, vocab, [&](std::size_t row) {
                          const float* x = logits.values().data() + row * vocab;
                          float* dx_row = dx.data() + row * vocab;
                          const std::int64_t target = targets.data()[row];
                          if (target == ignored) {
                              std::fill_n(dx_row, vocab, 0.0f);
                          } else {
                              row_backward(x, vocab, target, wanted, sums[row], factor, dx_row);
                          }
                      });
                      add_to_grad(logits, std::move(dx));
                  });
}

}  // namespace tfs

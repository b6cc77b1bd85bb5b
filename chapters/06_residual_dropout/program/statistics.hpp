// chapters/06_residual_dropout/program/statistics.hpp · what dropout does to means, variances and distributions, measured
#pragma once

#include "common/program.hpp"
#include "common/tensor.hpp"

namespace tfs {

struct Moments {
    double mean = 0.0, deviation = 0.0, smallest = 0.0, largest = 0.0;
};
Moments moments(std::span<const float> values);

// Mean and variance over many masks against p, beside the formulas, and what comes of it without 1 / (1 - p).
void measure_mean_and_variance(std::ostream& out, std::uint64_t seed);

// The sums of the rows of attention weights after dropout: x (1, seq, d_model) attends to itself, over many masks.
void measure_row_sums(std::ostream& out, const Tensor& x, std::size_t heads, std::uint64_t seed);

// A unit that reads many dropped inputs: its values in training and in evaluation, with and without 1 / (1 - p).
LineFigure measure_output_distribution(std::ostream& out, double p, std::uint64_t seed);

// The mean over many calls comes to the value of evaluation, unless every call draws the same mask.
void measure_copied_generator(std::ostream& out, std::uint64_t seed);

}  // namespace tfs

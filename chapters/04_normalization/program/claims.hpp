// chapters/04_normalization/program/claims.hpp · what the lesson claims, measured; each prints a table
#pragma once

#include "common/program.hpp"
#include "common/tensor.hpp"

namespace tfs {

// saturation.cpp

// tanh units fed with inputs of growing scale: how many saturate, and what is left of the gradient, with and without
// LayerNorm before them. And a stack of them: the gradient at its input against its depth.
LineFigure measure_saturation(std::ostream& out, std::uint64_t seed);

// histogram.cpp

// Normalising moves and stretches a histogram; its shape stays. Mean, variance, skewness and kurtosis before and after.
LineFigure measure_histogram(std::ostream& out, std::uint64_t seed);

// batches.cpp

// Which cells of a batch decide about one cell of the result, and how much: |d result / d cell|.
HeatMapFigure measure_who_counts(std::ostream& out, std::uint64_t seed);

// The same sentence x (1, seq, d_model) among other sentences, and with padding, under BatchNorm and LayerNorm.
void measure_neighbours(std::ostream& out, const Tensor& x, std::uint64_t seed);

// How far BatchNorm's results in training lie from those in evaluation, against the number of tokens in a batch.
void measure_batch_size(std::ostream& out, std::uint64_t seed);

// numbers.cpp

// Parameters, and the time of one call, beside that of a copy.
void measure_cost(std::ostream& out, std::uint64_t seed);

// The formula beside the code of the source notes: (x - mean) / (std + 1e-6), std over n - 1.
void measure_notes(std::ostream& out, std::uint64_t seed);

// What a shift and a stretch of a row do to LayerNorm and RMSNorm.
void measure_invariance(std::ostream& out, std::uint64_t seed);

// LayerNorm with every intermediate result rounded to bfloat16, against the ratio of mean and deviation of a row.
LineFigure measure_precision(std::ostream& out, std::uint64_t seed);

}  // namespace tfs

// chapters/04_normalization/program/sections.hpp · what the program of chapter 04 shows: a function for each section, by the file it lies in
#pragma once

#include "common/program.hpp"
#include "common/tensor.hpp"

namespace tfs {

// token_statistics.cpp · a sentence before and after LayerNorm and RMSNorm: the statistics of each token

// Embeddings of the sentence (1, seq, d_model). We give each token its own size and offset, as later layers see them.
Tensor uneven_embeddings(const Show& show);

// The shapes of both norms, and mean, deviation and root mean square of each token.
void show_token_statistics(Show& show, const Tensor& x);

// feature_statistics.cpp · the sentence by BatchNorm: the statistics of each feature

// x (1, seq, d_model) in training and in evaluation, and the running statistics.
void show_batch_norm(Show& show, const Tensor& x);

// saturation.cpp · why one normalises: saturated units, and the gradient through them

// tanh units fed with inputs of growing scale: how many saturate, and what is left of the gradient, with and without
// LayerNorm before them. And a stack of them: the gradient at its input against its depth.
LineFigure measure_saturation(Show& show);

// histogram.cpp · what normalising does to a distribution, measured

// Normalising moves and stretches a histogram; its shape stays. Prints mean, variance, skewness and kurtosis before and
// after; the figure has the histograms.
LineFigure measure_histogram(Show& show);

// shared_statistics.cpp · which cells of a batch decide about one cell of the result, under each norm

// Prints on how many cells a result depends, and how much: |d result / d cell|. The figure shows each cell.
HeatMapFigure measure_who_counts(Show& show);

// batch_dependence.cpp · BatchNorm: neighbours, padding and the size of the batch change a result

// The same sentence x (1, seq, d_model) among other sentences, and with padding, under BatchNorm and LayerNorm.
void measure_neighbours(Show& show, const Tensor& x);

// How far BatchNorm's results in training lie from those in evaluation, against the number of tokens in a batch.
void measure_batch_size(Show& show);

// notes_layer_norm.cpp · the formula beside the code of the source notes: (x - mean) / (std + 1e-6), std over n - 1

// The deviation of the results against d, and against the deviation of a row. Prints both tables.
void measure_notes(Show& show);

// invariance.cpp · what a shift and a stretch of a row do to LayerNorm and RMSNorm

// Prints what changes.
void measure_invariance(Show& show);

// bfloat16_error.cpp · LayerNorm with intermediate results rounded to bfloat16

// The error against the ratio of mean and deviation of a row, in four precisions. Prints a table; the figure has its columns.
LineFigure measure_precision(Show& show);

// norm_cost.cpp · parameters of the norms, and their time beside that of a copy

// On one core, in turns. Prints times, and how many times as long each takes as the copy.
void measure_cost(Show& show);

}  // namespace tfs

// chapters/04_normalization/program/sections.hpp · what the program of chapter 04 shows: a function for each section, by the file it lies in
#pragma once

#include "common/program.hpp"
#include "common/tensor.hpp"

namespace tfs {

// by_hand.cpp · the row of the lesson that fits on paper

// Its mean, deviation and root mean square, and both norms of it.
void show_by_hand(Show& show);

// token_statistics.cpp · a sentence before and after LayerNorm and RMSNorm: the statistics of each token

// Embeddings of the sentence (1, seq, d_model). We give each token its own size and offset, as later layers see them.
Tensor uneven_embeddings(const Show& show);

// Mean and deviation of each token, before and after both norms.
void show_token_statistics(Show& show, const Tensor& x);

// The shapes of what both norms compute.
void show_shapes(Show& show, const Tensor& x);

// feature_statistics.cpp · the sentence by BatchNorm: the statistics of each feature

// x (1, seq, d_model) in training and in evaluation, and the running statistics.
void show_batch_norm(Show& show, const Tensor& x);

// stream_size.cpp · why one normalises: the size of the stream against the depth

// Layers that add their result to the stream, with LayerNorm before each and without. Prints the size of the stream after
// some of them; the figure has the curves.
LineFigure measure_stream(Show& show);

// norm_before_attention.cpp · a trained head, fed with a stream of many sizes

// The row of the last word, with LayerNorm before attention and without: how much it attends to its noun. The figure has
// the rows.
void show_norm_before_attention(Show& show);

// gamma_beta.cpp · what gamma and beta do to a feature, drawn
LineFigure draw_gamma_and_beta(Show& show);

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

// leak.cpp · BatchNorm over positions tells earlier words about later ones

// The last word of x (1, seq, d_model) is replaced: how much the results of the words before it change, under each norm.
void measure_leak(Show& show, const Tensor& x);

// sample_deviation.cpp · the formula beside (x - mean) / (std + 1e-6), where std divides by n - 1

// The deviation of the results against d, and against the deviation of a row. Prints both tables.
void measure_sample_deviation(Show& show);

// invariance.cpp · what a shift and a stretch of a row do to LayerNorm and RMSNorm

// Prints what changes.
void measure_invariance(Show& show);

// bfloat16_error.cpp · LayerNorm with intermediate results rounded to bfloat16

// The error against the ratio of mean and deviation of a row, in four precisions. Prints a table; the figure has its columns.
LineFigure measure_precision(Show& show);

// twins.cpp · the puzzle: two pairs of rows, and what the norms leave of them

// Prints how far apart the rows of each pair are, before and after both norms. The figure has the rows after each norm.
void show_twins(Show& show);

// norm_cost.cpp · parameters of the norms, and their time beside that of a copy

// On one core, in turns. Prints times, and how many times as long each takes as the copy.
void measure_cost(Show& show);

}  // namespace tfs

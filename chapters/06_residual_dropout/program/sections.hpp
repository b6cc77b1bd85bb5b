// chapters/06_residual_dropout/program/sections.hpp · what the program of chapter 06 shows: a function for each section, by the file it lies in
#pragma once

#include "common/program.hpp"
#include "common/tensor.hpp"

namespace tfs {

// by_hand.cpp · the lesson's example: three layers that halve a number, in three ways

// Prints the numbers after each layer and the gradient; the figure shows the three ways to add a sublayer.
void show_by_hand(Show& show);
FlowFigure ways_figure();

// stream_sizes.cpp · the puzzle: the size of the stream with the factor and without it

// Prints a table; the figure has its columns for more depths.
LineFigure show_stream_sizes(Show& show);

// sentence_dropout.cpp · dropout on the embedding of a sentence and on its attention weights

// Token embeddings plus positions (1, seq, d_model), and dropout on the sum. Returns the sum, without dropout.
Tensor show_embedding(Show& show, double p);

// The weights of one head before and after dropout, printed and as a figure.
HeatMapFigure show_attention(Show& show, double p, const Tensor& x);

// row_sums.cpp · the rows of attention weights after dropout

// The sums of the rows over many masks, where x (1, seq, d_model) attends to itself; and one row that is divided by its sum
// again. Prints both.
void measure_row_sums(Show& show, const Tensor& x);

// dropout_block.cpp · a pre-norm block of attention and feed-forward network with dropout in every place

// x (1, seq, d_model) in training and in evaluation; how far the mean over many masks is from evaluation.
void show_block(Show& show, double p, const Tensor& x);

// two_dropouts.cpp · dropout on the attention weights and on the output are two places

// How many outputs of attention are 0 with the one, the other, and both; x (1, seq, d_model).
void show_two_dropouts(Show& show, double p, const Tensor& x);

// coin_statistics.cpp · mean and variance of dropout over many coins

// Against p, beside the formulas, and what comes of it without 1 / (1 - p). Prints a table.
void measure_mean_and_variance(Show& show);

// unit_distribution.cpp · a unit that reads many dropped inputs: its values in training and in evaluation

// With and without 1 / (1 - p). Prints means and deviations; the figure has the histograms.
LineFigure measure_unit_distribution(Show& show, double p);

// copied_generator.cpp · a generator that is copied draws the same mask at every call

// The mean over many calls comes to the value of evaluation, unless every call draws the same mask. Prints a table.
void measure_copied_generator(Show& show);

// stack_identity.cpp · how much of its input an untrained stack passes on

// The cosine between input and output, by how the last matrix of each sublayer starts. Prints a table; the figure has its
// columns.
LineFigure measure_identity(Show& show);

}  // namespace tfs

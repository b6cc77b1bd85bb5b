// chapters/01_attention/program/sections.hpp · what the program of chapter 01 shows: a function for each section, by the file it lies in
#pragma once

#include "chapters/01_attention/attention.hpp"
#include "common/program.hpp"

namespace tfs {

// trained_head.cpp · a head that chapter 10 trained: what one row of its map says

// Prints what the last word looks at, and draws it. A line says why where the text is none that the trained model knows.
void show_trained_head(Show& show);

// attention_maps.cpp · attention on a sentence: every shape, and a map for each head

// Step by step what one head of width d_k does with the sentence x (1, seq, d_model), and its map. The figure has the
// scores, the scaled scores and the weights.
HeatMapFigure show_one_head(Show& show, const Tensor& x);

// All heads at once, compared with a list of single heads. The figure has one map for each of them.
std::vector<View> show_heads(Show& show, const Tensor& x, const MultiHeadAttention& attention);

// The last tokens of the sentence are the queries; keys and values are those of all tokens.
void show_cross_attention(Show& show, const Tensor& x, const MultiHeadAttention& attention);

// score_scaling.cpp · why the scores are scaled by 1/sqrt(d_k), measured

// q·k has the variance d_k; unscaled, that saturates the softmax and its gradient dies. Prints a table against d_k.
LineFigure measure_scaling(Show& show);

// attention_cost.cpp · what attention costs against the length of the sequence, measured

// Time and memory of attention against the length T, and how many times as long twice the length takes. Prints a table.
LineFigure measure_cost(Show& show);

}  // namespace tfs

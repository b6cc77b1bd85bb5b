// chapters/01_attention/program/sections.hpp · what the program of chapter 01 shows: a function for each section, by the file it lies in
#pragma once

#include <optional>

#include "chapters/01_attention/attention.hpp"
#include "chapters/01_attention/given/noun_finder.hpp"
#include "common/program.hpp"

namespace tfs {

// by_hand.cpp · the lesson's two examples for pencil and paper

// A weighted mean: values whose keys are near the query count most.
void show_weighted_mean(Show& show);

// Attention with three words of two features.
void show_attention_by_hand(Show& show);

// trained_head.cpp · a head that chapter 10 trained, step by step, and what it looks for

// The trained model where it knows all words of the text, with a line that says what the last word looks at; else
// nothing, and a line that says why.
std::optional<NounFinder> load_trained_head(Show& show);

// What one head does with the sentence, step by step, and the answer of the model. Saves the figures of its map.
void show_trained_head(Show& show, const NounFinder& model);

// The same for random weights: head 1 of `attention` on x (1, seq, d_model), and its map.
void show_untrained_head(Show& show, const Tensor& x, const MultiHeadAttention& attention);

// Of all words that the model knows: which ones fit two adjectives best.
void show_best_keys(Show& show, const NounFinder& model);

// hand_made_head.cpp · the puzzle's head

// What its last word looks at, and a figure of its map.
void show_head_by_hand(Show& show);

// heads.cpp · several heads side by side

// One head of several as a head of its own, with its slice of the weights.
SelfAttention single_head(const MultiHeadAttention& attention, std::size_t head);

// All heads at once, compared with a list of single heads.
void show_heads(Show& show, const Tensor& x, const MultiHeadAttention& attention);

// The last tokens of the sentence are the queries; keys and values come from all tokens.
void show_cross_attention(Show& show, const Tensor& x, const MultiHeadAttention& attention);

// The data flow of one head with its shapes; and which head gets which columns, with split_heads and with a reshape alone.
FlowFigure head_flow();
HeatMapFigure head_slices();

// score_scaling.cpp · why the scores are scaled by 1/sqrt(d_k), measured

// Variance of the scores, entropy of the weights and gradient through the softmax. Prints a table against d_k.
LineFigure measure_scaling(Show& show);

// attention_cost.cpp · what attention costs against the length of the sequence, measured

// Time and memory of attention against the length T, and how many times as long twice the length takes. Prints a table.
LineFigure measure_cost(Show& show);

}  // namespace tfs

// chapters/01_attention/program/attention_maps.hpp · attention on a sentence: every shape, and a map for each head
#pragma once

#include "chapters/01_attention/attention.hpp"
#include "common/program.hpp"

namespace tfs {

// Step by step what one head of width d_k does with the sentence x (1, seq, d_model), and its map. The figure has the
// scores, the scaled scores and the weights.
HeatMapFigure show_one_head(Show& show, const Tensor& x);

// All heads at once, compared with a list of single heads. The figure has one map for each of them.
HeatMapFigure show_heads(Show& show, const Tensor& x, const MultiHeadAttention& attention);

// The last tokens of the sentence are the queries; keys and values are those of all tokens.
void show_cross_attention(Show& show, const Tensor& x, const MultiHeadAttention& attention);

}  // namespace tfs

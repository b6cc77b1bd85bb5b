// chapters/06_residual_dropout/program/sentence_dropout.hpp · dropout on the embedding of a sentence and on its attention weights
#pragma once

#include "common/program.hpp"
#include "common/tensor.hpp"

namespace tfs {

// Token embeddings plus positions (1, seq, d_model), and dropout on the sum. Returns the sum, without dropout.
Tensor show_embedding(Show& show, double p);

// The weights of one head before and after dropout, printed and as a figure.
HeatMapFigure show_attention(Show& show, double p, const Tensor& x);

}  // namespace tfs

// chapters/06_residual_dropout/program/dropout_block.hpp · a pre-norm block of attention and feed-forward network with dropout in every place
#pragma once

#include "common/program.hpp"
#include "common/tensor.hpp"

namespace tfs {

// x (1, seq, d_model) in training and in evaluation; how far the mean over many masks is from evaluation.
void show_block(Show& show, double p, const Tensor& x);

}  // namespace tfs

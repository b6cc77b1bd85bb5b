// chapters/04_normalization/program/batch_dependence.hpp · BatchNorm: neighbours, padding and the size of the batch change a result
#pragma once

#include "common/program.hpp"
#include "common/tensor.hpp"

namespace tfs {

// The same sentence x (1, seq, d_model) among other sentences, and with padding, under BatchNorm and LayerNorm.
void measure_neighbours(Show& show, const Tensor& x);

// How far BatchNorm's results in training lie from those in evaluation, against the number of tokens in a batch.
void measure_batch_size(Show& show);

}  // namespace tfs

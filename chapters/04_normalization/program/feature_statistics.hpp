// chapters/04_normalization/program/feature_statistics.hpp · the sentence by BatchNorm: the statistics of each feature
#pragma once

#include "common/program.hpp"

namespace tfs {

// x (1, seq, d_model) in training and in evaluation, and the running statistics.
void show_batch_norm(Show& show, const Tensor& x);

}  // namespace tfs

// chapters/04_normalization/program/token_statistics.hpp · a sentence before and after LayerNorm and RMSNorm: the statistics of each token
#pragma once

#include "common/program.hpp"
#include "common/tensor.hpp"

namespace tfs {

// Embeddings of the sentence (1, seq, d_model). We give each token its own size and offset, as later layers see them.
Tensor uneven_embeddings(const Show& show);

// The shapes of both norms, and mean, deviation and root mean square of each token.
void show_token_statistics(Show& show, const Tensor& x);

}  // namespace tfs

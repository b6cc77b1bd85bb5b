// chapters/06_residual_dropout/given/stream_checks.hpp · the checks of the step logit_shares, given
#pragma once

#include "chapters/06_residual_dropout/residual_dropout.hpp"

namespace tfs {

// ShapeError if parts (parts, d_model), the norm (d_model) and table (vocab, d_model) don't fit.
void require_stream(const Tensor& parts, const FinalNorm& norm, const Tensor& table);

// ShapeError if shares have not two axes, ValueError if there are fewer than two characters or no part.
void require_shares(const Tensor& shares);

}  // namespace tfs

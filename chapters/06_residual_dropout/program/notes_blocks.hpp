// chapters/06_residual_dropout/program/notes_blocks.hpp · what the source notes do in their blocks: norms run three times and twice, two dropouts
#pragma once

#include "common/program.hpp"
#include "common/tensor.hpp"

namespace tfs {

// Three calls of one norm, a norm of a norm, two dropouts around attention; x (1, seq, d_model).
void show_notes(Show& show, double p, const Tensor& x);

}  // namespace tfs

// chapters/00_tensors/program/tape.hpp · a small computation, its gradients, and the same by finite differences
#pragma once

#include "common/program.hpp"

namespace tfs {

// mean(tanh(x weight + bias)^2): the steps, what backward() leaves in the leaves, and the check.
void show_tape(Show& show);

}  // namespace tfs

// chapters/01_attention/program/score_scaling.hpp · why the scores are scaled by 1/sqrt(d_k), measured
#pragma once

#include "common/program.hpp"

namespace tfs {

// q·k has the variance d_k; unscaled, that saturates the softmax and its gradient dies. Prints a table against d_k.
LineFigure measure_scaling(Show& show);

}  // namespace tfs

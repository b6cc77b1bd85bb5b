// chapters/13_long_inputs/program/options.hpp · what several sections of chapter 13 share
#pragma once

#include "chapters/13_long_inputs/models/long_attention.hpp"
#include "common/program.hpp"

namespace tfs {

namespace options {

inline const CountOption positions{"--positions", 2048, 128, 16384,
                                   "how many positions the measured text has"};

inline const CountOption block_positions{"--block-positions", 2048, 128, 4096,
                                         "how many positions the text has that a whole block reads"};

}  // namespace options

// (1, 1, rows, width)
[[nodiscard]] Tensor as_tensor(const Matrix& matrix);

}  // namespace tfs

// common/nn/weights.hpp · whether attention returns its weights
#pragma once

#include "common/tensor/tensor.hpp"

namespace tfs {

// The weights of one layer are (batch, heads, query, key): with GPT-2's 12 heads and 1,024 positions 50 MB. A caller who does not
// look at them says `none`. Attention may return them all the same.
enum class Weights { keep, none };

// What stands in place of weights that nobody asked for: a tensor without entries, (0).
[[nodiscard]] inline Tensor no_weights() { return Tensor(Array::from_shape({0})); }

}  // namespace tfs

// chapters/05_feed_forward/given/memory_checks.hpp · the checks of chapter 05, given
#pragma once

#include "common/tensor.hpp"

namespace tfs {

// keys and values both (slots, d_model) with at least one slot, no key of zeros; threshold in [0, 1).
void require_memory(const Tensor& keys, const Tensor& values, float threshold);

}  // namespace tfs

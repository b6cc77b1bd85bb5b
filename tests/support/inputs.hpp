// tests/support/inputs.hpp · what checklists feed to a step
#pragma once

#include "common/tensor.hpp"

namespace tfs::test {

// Normally distributed values; the same seed gives the same.
Tensor normal(const Shape& shape, std::uint64_t seed, double mean = 0.0, double deviation = 1.0);

}  // namespace tfs::test

// tests/support/inputs.hpp · what checklists feed to a step
#pragma once

#include <limits>

#include "common/tensor.hpp"

namespace tfs::test {

inline constexpr float infinity = std::numeric_limits<float>::infinity();
inline constexpr float nan = std::numeric_limits<float>::quiet_NaN();

// Normally distributed values; the same seed gives the same.
Tensor normal(const Shape& shape, std::uint64_t seed, double mean = 0.0, double deviation = 1.0);

}  // namespace tfs::test

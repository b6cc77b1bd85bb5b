// tests/00_tensors/checklist.hpp · what the checks of several steps of chapter 00 share; none of it uses a step
#pragma once

#include <string>
#include <vector>

#include "chapters/00_tensors/tensors.hpp"
#include "tests/support/close.hpp"
#include "tests/support/golden.hpp"
#include "tests/support/inputs.hpp"

namespace tfs::test {

// The steps of this chapter take arrays: values without a tape.
inline Array golden_array(const std::string& name) { return golden()[name].array(); }
inline Array normal_array(const Shape& shape, std::uint64_t seed) { return normal(shape, seed).array(); }
Array array(const Shape& shape, std::vector<float> values);

// Not named `equal`: xtensor has one, and would be found first (argument-dependent lookup).
testing::AssertionResult matches(const Array& actual, const Array& expected,
                                 const std::vector<Suspect>& suspects = {},
                                 Tolerance tolerance = {1e-5, 1e-5});

}  // namespace tfs::test

// tests/00_tensors/checklist.hpp · what the checks of several steps of chapter 00 share; none of it uses a step
#pragma once

#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

#include "chapters/00_tensors/tensors.hpp"
#include "tests/support/close.hpp"
#include "tests/support/golden.hpp"

namespace tfs::test {

// The steps of this chapter take arrays: values without a tape.
inline Array golden_array(const std::string& name) { return golden()[name].array(); }
inline Array normal_array(const Shape& shape, std::uint64_t seed) { return normal(shape, seed).array(); }
inline Array array(const Shape& shape, std::vector<float> values) {
    return Tensor::from(shape, std::move(values)).array();
}
// The first `count` of axis 0.
inline Array first_of(const Array& x, std::size_t count) { return slice(Tensor(x), 0, 0, count).array(); }

// Not named `equal`: xtensor has one, and would be found first (argument-dependent lookup).
inline testing::AssertionResult matches(const Array& actual, const Array& expected,
                                        Tolerance tolerance = {1e-5, 1e-5}) {
    return close(actual, expected, tolerance);
}

}  // namespace tfs::test

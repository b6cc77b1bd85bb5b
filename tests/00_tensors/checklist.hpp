// tests/00_tensors/checklist.hpp · what the checks of several steps of chapter 00 share; none of it uses a step
#pragma once

#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

#include "chapters/00_tensors/tensors.hpp"
#include "chapters/00_tensors/views.hpp"
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

// Success where both see the same floats in the same order. Else: the shapes, or the first entry that differs.
testing::AssertionResult sees(const Strided& actual, const Strided& expected);

// Writes through the view of a buffer of this many floats: the entries get 1, 2, 3 …. Returns the buffer, whose other floats are 0.
// An entry that shares its float with others leaves the last number.
std::vector<float> written_through(const Strided& view, std::size_t floats);

}  // namespace tfs::test

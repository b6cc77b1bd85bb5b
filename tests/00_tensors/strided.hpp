// tests/00_tensors/strided.hpp · comparing views by the floats that they see
#pragma once

#include <gtest/gtest.h>

#include <vector>

#include "chapters/00_tensors/views.hpp"

namespace tfs::test {

// Success where both see the same floats in the same order. Else: the shapes, or the first entry that differs.
testing::AssertionResult sees(const Strided& actual, const Strided& expected);

// Writes through the view of a buffer of this many floats: the entries get 1, 2, 3 …. Returns the buffer, whose other floats are 0.
// An entry that shares its float with others leaves the last number.
std::vector<float> written_through(const Strided& view, std::size_t floats);

}  // namespace tfs::test

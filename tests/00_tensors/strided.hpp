// tests/00_tensors/strided.hpp · comparing views by the floats that they see
#pragma once

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "chapters/00_tensors/views.hpp"

namespace tfs::test {

// A view that is wrong, and what was overlooked.
struct WrongView {
    std::string message;
    Strided view;
};

// Success where both see the same floats in the same order. Else: the shapes, or the first entry that differs, and the message of
// each wrong view that sees what was given.
testing::AssertionResult sees(const Strided& actual, const Strided& expected,
                              const std::vector<WrongView>& wrong = {});

// Writes through the view of a buffer of this many floats: the entries get 1, 2, 3 …. Returns the buffer, whose other floats are 0.
// An entry that shares its float with others leaves the last number.
std::vector<float> written_through(const Strided& view, std::size_t floats);

}  // namespace tfs::test

// tests/06_residual_dropout/wrong_choices.hpp · wrong ways to choose the part that decided, and how a check finds out which one it was
#pragma once

#include <gtest/gtest.h>

#include "common/tensor.hpp"

namespace tfs::test {

// deciding_part(shares) is `expected`. If not, the cause is the wrong way, of those in wrong_choices.cpp, that chooses as the
// learner's deciding_part does in each of some random tables.
testing::AssertionResult decides(const Tensor& shares, std::size_t expected);

}  // namespace tfs::test

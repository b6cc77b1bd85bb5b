// tests/support/prediction.hpp · steps in which a learner predicts what a run will give
#pragma once

#include <gtest/gtest.h>

namespace tfs::test {

// Passes if neither is more than `factor` times the other. Says both and their ratio in any case.
// Both must be positive.
testing::AssertionResult predicts(double prediction, double run, double factor);

}  // namespace tfs::test

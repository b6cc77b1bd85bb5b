// tests/support/gradients_reach.hpp · which parameters a backward pass reaches
#pragma once

#include <gtest/gtest.h>

#include "common/nn/parameters.hpp"

namespace tfs::test {

// After send_back: whether each of these received a gradient. A failure says in one sentence which did not, all of those under
// one name as one: "nothing under encoder. received a gradient (34 of 84 parameters): …".
testing::AssertionResult gradients_reach(const Parameters& parameters);

}  // namespace tfs::test

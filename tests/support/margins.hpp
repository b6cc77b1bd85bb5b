// tests/support/margins.hpp · how near each comparison comes to its tolerance
//
//   build/release/bin/01_attention_test --margins     a line for each: "margin 0.031 softmax.equals_pytorch"
#pragma once

#include <gtest/gtest.h>

namespace tfs::test {

// From now on note_margin() prints.
void print_margins();

// A comparison of the running test was off by `error` where it may be off by `tolerance`.
void note_margin(double error, double tolerance);

// |value - expected| <= tolerance, as gtest tells it, with its margin noted.
testing::AssertionResult near(const char* value_text, const char* expected_text, const char* tolerance_text,
                              double value, double expected, double tolerance);

}  // namespace tfs::test

// The same names, so that no test is without a margin by oversight.
#undef EXPECT_NEAR
#undef ASSERT_NEAR
#define EXPECT_NEAR(value, expected, tolerance) \
    EXPECT_PRED_FORMAT3(::tfs::test::near, value, expected, tolerance)
#define ASSERT_NEAR(value, expected, tolerance) \
    ASSERT_PRED_FORMAT3(::tfs::test::near, value, expected, tolerance)

// tests/support/close.hpp · comparing tensors and counts, what came, and how near a comparison is to its tolerance
//
//     build/release/bin/01_attention_test --margins       a line for each: "margin 0.031 softmax.equals_pytorch"
#pragma once

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "common/tensor.hpp"

namespace tfs::test {

// |actual - expected| <= absolute + relative * |expected|, for every element. NaN is never close; equal infinities are.
struct Tolerance {
    double relative = 1e-5;
    double absolute = 1e-6;
};

// Success, or a failure that says: both shapes, how many elements differ, the first and the worst of them with index, and
// NaN if there is one.
//     EXPECT_TRUE(close(softmax(x), golden));
testing::AssertionResult close(const Tensor& actual, const Tensor& expected, Tolerance tolerance = {});
testing::AssertionResult close(const Array& actual, const Array& expected, Tolerance tolerance = {});

// The same, and the failure begins with what was compared: "gradient of w_q.weight: 3 of 12 values differ …".
testing::AssertionResult close_named(const std::string& what, const Tensor& actual, const Tensor& expected,
                                     Tolerance tolerance = {});

// The gradient of `input`, after backward().
testing::AssertionResult gradient_close(const std::string& name, const Tensor& input, const Tensor& expected,
                                        Tolerance tolerance = {});

// To assert before an operation of the test's own, whose exception would look like one of the learner's.
testing::AssertionResult has_shape(const Tensor& actual, const Shape& expected);

// Sends `weights` back through `result`. Fails where the shapes differ, or `result` has no tape.
testing::AssertionResult send_back(const Tensor& result, const Tensor& weights);

bool contains_nan(const Tensor& x);

// One number counted in many cases.
//     counts.add("BERT-base", counted, 7087872);
//     EXPECT_TRUE(counts.right());
class Counts {
  public:
    void add(const std::string& where, std::size_t counted, std::size_t expected);

    // Success, or a failure that tells the first wrong case, and how many others are wrong.
    testing::AssertionResult right() const;

  private:
    struct Case {
        std::string where;
        std::size_t counted, expected;
    };
    std::vector<Case> cases_;
};

// For a failure's text, from keep_values() on: all that came, so that wrong answers can be told apart. The collector takes it out
// of the text again.
void keep_values();
std::string came(const Array& array, Tolerance tolerance);
std::string came(const std::string& text);
inline constexpr char came_mark = '\x1d';  // before and behind it: a separator of ASCII, which nobody prints

// How many comparisons of this file and of refusal.hpp the running test has made: with its line, that tells which of a loop one is.
void begin_counting();
void count_comparison();
std::size_t comparisons();

// From now on note_margin() prints.
void print_margins();
// A comparison of the running test was off by `error` where it may be off by `tolerance`.
void note_margin(double error, double tolerance);
// EXPECT_NEAR, with its margin.
testing::AssertionResult near(const char* value_text, const char* expected_text, const char* tolerance_text,
                              double value, double expected, double tolerance);

}  // namespace tfs::test

// The same names, so that no margin is left out by oversight.
#undef EXPECT_NEAR
#undef ASSERT_NEAR
#define EXPECT_NEAR(value, expected, tolerance) \
    EXPECT_PRED_FORMAT3(::tfs::test::near, value, expected, tolerance)
#define ASSERT_NEAR(value, expected, tolerance) \
    ASSERT_PRED_FORMAT3(::tfs::test::near, value, expected, tolerance)

// tests/support/comparisons.hpp · what came in each comparison of a checklist, and how near to its tolerance
//
//   build/release/bin/01_attention_test --margins         a line for each: "margin 0.031 softmax.equals_pytorch"
//   build/release/bin/01_attention_test --record=FILE     the events of tools/report/channel.hpp, with what came
#pragma once

#include <gtest/gtest.h>

#include "common/tensor.hpp"
#include "tools/report/channel.hpp"

namespace tfs::test {

// From now on note_margin() prints.
void print_margins();

// A comparison of the running test was off by `error` where it may be off by `tolerance`.
void note_margin(double error, double tolerance);

// From now on note_came() writes to this channel.
void record_comparisons(report::Channel channel);
bool records_comparisons();

// What came in a comparison of the running test: its text; of an array the shape and its values, or 256 of them, evenly spread.
void note_came(std::string_view text);
void note_came(const Array& array);

// What gtest's comparisons do, with what came noted.
testing::AssertionResult near(const char* value_text, const char* expected_text, const char* tolerance_text,
                              double value, double expected, double tolerance);

#define TFS_NOTED(name, compare)                                                                \
    struct name {                                                                               \
        template <class A, class B>                                                             \
        testing::AssertionResult operator()(const char* a_text, const char* b_text, const A& a, \
                                            const B& b) const {                                 \
            if (records_comparisons()) note_came(testing::PrintToString(a));                    \
            return testing::internal::compare(a_text, b_text, a, b);                            \
        }                                                                                       \
    };
TFS_NOTED(Equal, EqHelper::Compare)
TFS_NOTED(NotEqual, CmpHelperNE)
TFS_NOTED(Less, CmpHelperLT)
TFS_NOTED(LessEqual, CmpHelperLE)
TFS_NOTED(Greater, CmpHelperGT)
TFS_NOTED(GreaterEqual, CmpHelperGE)
#undef TFS_NOTED

}  // namespace tfs::test

// The same names, so that no comparison is left out by oversight.
#undef EXPECT_NEAR
#undef ASSERT_NEAR
#define EXPECT_NEAR(value, expected, tolerance) \
    EXPECT_PRED_FORMAT3(::tfs::test::near, value, expected, tolerance)
#define ASSERT_NEAR(value, expected, tolerance) \
    ASSERT_PRED_FORMAT3(::tfs::test::near, value, expected, tolerance)
#undef EXPECT_EQ
#undef EXPECT_NE
#undef EXPECT_LT
#undef EXPECT_LE
#undef EXPECT_GT
#undef EXPECT_GE
#undef ASSERT_EQ
#undef ASSERT_NE
#undef ASSERT_LT
#undef ASSERT_LE
#undef ASSERT_GT
#undef ASSERT_GE
#define EXPECT_EQ(value, expected) EXPECT_PRED_FORMAT2(::tfs::test::Equal(), value, expected)
#define EXPECT_NE(value, other) EXPECT_PRED_FORMAT2(::tfs::test::NotEqual(), value, other)
#define EXPECT_LT(value, bound) EXPECT_PRED_FORMAT2(::tfs::test::Less(), value, bound)
#define EXPECT_LE(value, bound) EXPECT_PRED_FORMAT2(::tfs::test::LessEqual(), value, bound)
#define EXPECT_GT(value, bound) EXPECT_PRED_FORMAT2(::tfs::test::Greater(), value, bound)
#define EXPECT_GE(value, bound) EXPECT_PRED_FORMAT2(::tfs::test::GreaterEqual(), value, bound)
#define ASSERT_EQ(value, expected) ASSERT_PRED_FORMAT2(::tfs::test::Equal(), value, expected)
#define ASSERT_NE(value, other) ASSERT_PRED_FORMAT2(::tfs::test::NotEqual(), value, other)
#define ASSERT_LT(value, bound) ASSERT_PRED_FORMAT2(::tfs::test::Less(), value, bound)
#define ASSERT_LE(value, bound) ASSERT_PRED_FORMAT2(::tfs::test::LessEqual(), value, bound)
#define ASSERT_GT(value, bound) ASSERT_PRED_FORMAT2(::tfs::test::Greater(), value, bound)
#define ASSERT_GE(value, bound) ASSERT_PRED_FORMAT2(::tfs::test::GreaterEqual(), value, bound)

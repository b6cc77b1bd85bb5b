// tests/common/show_measure_test.cpp · differences that a program reports
#include "common/show/measure.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace tfs::test {
namespace {

TEST(LargestDifference, IsThatOfTheEntriesFurthestApart) {
    EXPECT_DOUBLE_EQ(largest_difference(Array{1.0f, 2.0f, 3.0f}, Array{1.0f, 4.5f, 2.0f}), 2.5);
    EXPECT_EQ(largest_difference(Array{1.0f, 2.0f}, Array{1.0f, 2.0f}), 0.0);
}

TEST(LargestDifference, IsNeverSmallWhereAnEntryIsNaN) {
    EXPECT_TRUE(std::isinf(largest_difference(Array{1.0f, std::nanf("")}, Array{1.0f, 2.0f})));
    EXPECT_TRUE(std::isinf(largest_difference(Array{std::nanf(""), 1.0f}, Array{std::nanf(""), 1.0f})));
}

TEST(LargestDifference, IsNeverSmallWhereTheShapesDiffer) {
    EXPECT_TRUE(std::isinf(largest_difference(Array{1.0f, 2.0f}, Array{1.0f})));
    EXPECT_TRUE(std::isinf(largest_difference(Array{{1.0f, 2.0f}}, Array{1.0f, 2.0f})));
}

TEST(BestSeconds, RunsAtLeastThreeTimes) {
    int runs = 0;
    EXPECT_GE(best_seconds([&] { ++runs; }), 0.0);
    EXPECT_GE(runs, 3);
}

}  // namespace
}  // namespace tfs::test

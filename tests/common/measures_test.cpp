// tests/common/measures_test.cpp · differences that a program reports
#include "common/measure.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace tfs::test {
namespace {

TEST(largest_difference, is_that_of_the_entries_furthest_apart) {
    EXPECT_DOUBLE_EQ(largest_difference(Array{1.0f, 2.0f, 3.0f}, Array{1.0f, 4.5f, 2.0f}), 2.5);
    EXPECT_EQ(largest_difference(Array{1.0f, 2.0f}, Array{1.0f, 2.0f}), 0.0);
}

TEST(largest_difference, is_never_small_where_an_entry_is_nan) {
    EXPECT_TRUE(std::isinf(largest_difference(Array{1.0f, std::nanf("")}, Array{1.0f, 2.0f})));
    EXPECT_TRUE(std::isinf(largest_difference(Array{std::nanf(""), 1.0f}, Array{std::nanf(""), 1.0f})));
}

TEST(largest_difference, is_never_small_where_the_shapes_differ) {
    EXPECT_TRUE(std::isinf(largest_difference(Array{1.0f, 2.0f}, Array{1.0f})));
    EXPECT_TRUE(std::isinf(largest_difference(Array{{1.0f, 2.0f}}, Array{1.0f, 2.0f})));
}

TEST(root_mean_square, is_that_of_all_entries) {
    const std::vector<float> x{3.0f, -4.0f, 0.0f, 0.0f};
    EXPECT_DOUBLE_EQ(root_mean_square(x), 2.5);
}

TEST(cosine, is_one_in_the_same_direction_and_zero_at_right_angles) {
    const std::vector<float> a{1.0f, 2.0f}, b{10.0f, 20.0f}, c{-2.0f, 1.0f};
    EXPECT_DOUBLE_EQ(dot(a, b), 50.0);
    EXPECT_DOUBLE_EQ(cosine(a, b), 1.0);
    EXPECT_DOUBLE_EQ(cosine(a, c), 0.0);
    EXPECT_TRUE(std::isnan(cosine(a, std::vector<float>{0.0f, 0.0f})));
}

TEST(mean_entropy, is_the_mean_over_rows_in_nats) {
    const Tensor weights = Tensor::from({1, 2, 4}, {0.25f, 0.25f, 0.25f, 0.25f, 0.0f, 1.0f, 0.0f, 0.0f});
    EXPECT_NEAR(mean_entropy(weights), std::log(4.0) / 2.0, 1e-7);
}

}  // namespace
}  // namespace tfs::test

// tests/common/xtensor_traps_test.cpp · what xtensor makes dangerous, and that we are safe from it
//
// docs/tensor-layer.md explains each trap. Braces, missing indices and expressions: writing_a_step_test.cpp, has_traps.
#include "common/base/xtensor_math.hpp"

#include <cmath>

#include "common/tensor.hpp"
#include "tests/support/close.hpp"

namespace tfs::test {
namespace {

Array counted() { return Array{{0, 1, 2}, {3, 4, 5}}; }

// ---- C++20 and xtensor before 0.26: these died with bad_array_new_length without -fno-new-ttp-matching --------------

TEST(xtensor_under_cpp20, variance_of_an_array) {
    const Array by_row = xt::variance(counted(), {1});
    EXPECT_EQ(shape_of(by_row), (Shape{2}));
    EXPECT_NEAR(by_row(0), 2.0f / 3.0f, 1e-6f);
}

TEST(xtensor_under_cpp20, immediate_reduction) {
    const Array sums = xt::sum(counted(), {1}, xt::evaluation_strategy::immediate);
    EXPECT_EQ(shape_of(sums), (Shape{2}));
    EXPECT_EQ(sums(1), 12.0f);
}

TEST(xtensor_under_cpp20, pad_and_tile) {
    const Array padded = xt::pad(counted(), {{0, 1}, {0, 0}});
    EXPECT_EQ(shape_of(padded), (Shape{3, 3}));
    EXPECT_EQ(padded(2, 0), 0.0f);
    const Array tiled = xt::tile(counted(), {2, 1});
    EXPECT_EQ(shape_of(tiled), (Shape{4, 3}));
    EXPECT_EQ(tiled(3, 2), 5.0f);
}

// ---- what a line means ----------------------------------------------------------------------------------------------

TEST(xtensor_meaning, unqualified_calls_on_tensors_are_ours) {
    const Tensor x(counted(), true);
    static_assert(std::is_same_v<decltype(sum(x)), Tensor>);
    static_assert(std::is_same_v<decltype(exp(x)), Tensor>);
    static_assert(std::is_same_v<decltype(mean(x, 0)), Tensor>);
    EXPECT_EQ(sum(x).item(), 15.0f);
}

// ---- the textbook softmax -------------------------------------------------------------------------------------------

TEST(xtensor_reducers, ours_is_right_in_one_expression) {
    const Tensor a(counted());
    const Tensor e = exp(a - max(a, 1, KeepDims::yes));
    const Tensor rows = sum(exp(a - max(a, 1, KeepDims::yes)) / sum(e, 1, KeepDims::yes), 1);
    EXPECT_TRUE(close(rows, Tensor::ones({2})));
}

}  // namespace
}  // namespace tfs::test

// tests/common/xtensor_traps_test.cpp · what xtensor makes dangerous, and that we are safe from it
//
// docs/tensor-layer.md explains each trap. Products of views: properties_test.cpp, Matmul.OfTwoSlicesOfOneTensor…
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

TEST(xtensor_meaning, braces_are_values_and_from_shape_is_a_shape) {
    const Array values{2, 3};
    EXPECT_EQ(shape_of(values), (Shape{2}));
    EXPECT_EQ(values(1), 3.0f);
    EXPECT_EQ(shape_of(Array::from_shape({2, 3})), (Shape{2, 3}));
    EXPECT_EQ(Tensor::zeros({2, 3}).shape(), (Shape{2, 3}));  // in our layer, braces are a shape
}

TEST(xtensor_meaning, one_index_on_a_matrix_counts_from_the_last_axis) {
    const Array a = counted();
    EXPECT_EQ(a(1), a(0, 1));                                        // not the second row
    EXPECT_THROW(static_cast<void>(Tensor(a).at({1})), ShapeError);  // our own access wants every index
}

TEST(xtensor_meaning, a_view_writes_into_its_array_and_a_slice_does_not) {
    Array a = counted();
    const Tensor copy = slice(Tensor(a), 0, 0, 1);
    xt::view(a, 0, xt::all()) = 9.0f;
    EXPECT_EQ(a(0, 0), 9.0f);
    EXPECT_EQ(copy.at({0, 0}), 0.0f);
}

TEST(xtensor_meaning, an_auto_expression_is_read_again_each_time) {
    Array a = counted();
    const auto lazy = a * 2.0f;  // holds a, not its doubled values
    const Array evaluated = a * 2.0f;
    a(0, 1) = 10.0f;
    EXPECT_EQ(lazy(0, 1), 20.0f);
    EXPECT_EQ(evaluated(0, 1), 2.0f);
}

TEST(xtensor_meaning, unqualified_calls_on_tensors_are_ours) {
    const Tensor x(counted(), true);
    static_assert(std::is_same_v<decltype(sum(x)), Tensor>);
    static_assert(std::is_same_v<decltype(exp(x)), Tensor>);
    static_assert(std::is_same_v<decltype(mean(x, 0)), Tensor>);
    EXPECT_EQ(sum(x).item(), 15.0f);
}

// ---- the textbook softmax -------------------------------------------------------------------------------------------

// xt::exp(a - xt::amax(a, {1}, xt::keep_dims)) in one expression reads out of bounds. Evaluated first, it is right.
TEST(xtensor_reducers, keep_dims_is_right_when_evaluated_first) {
    const Array a = counted();
    const Array largest = xt::amax(a, {1}, xt::keep_dims);
    const Array e = xt::exp(a - largest);
    const Array total = xt::sum(e, {1}, xt::keep_dims);
    const Array weights = e / total;
    EXPECT_EQ(shape_of(largest), (Shape{2, 1}));
    const float denominator = 1.0f + std::exp(-1.0f) + std::exp(-2.0f);
    for (std::size_t row = 0; row < 2; ++row) EXPECT_NEAR(weights(row, 2), 1.0f / denominator, 1e-6f);
}

TEST(xtensor_reducers, ours_is_right_in_one_expression) {
    const Tensor a(counted());
    const Tensor e = exp(a - max(a, 1, KeepDims::yes));
    const Tensor rows = sum(exp(a - max(a, 1, KeepDims::yes)) / sum(e, 1, KeepDims::yes), 1);
    EXPECT_TRUE(close(rows, Tensor::ones({2})));
}

}  // namespace
}  // namespace tfs::test

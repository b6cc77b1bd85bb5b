// tests/00_tensors/standardize_rows_test.cpp · step standardize_rows: PyTorch's values, rows worked out by hand
#include <cmath>
#include <tuple>

#include "tests/00_tensors/checklist.hpp"

namespace tfs::test {
namespace {

constexpr float eps = 0.01f;  // large enough to be seen where it does not belong

void expect_standardized(const Array& x, const Array& rows, const Array& mean, const Array& variance) {
    Array after = x;
    const RowStatistics before = standardize_rows(after, eps);
    EXPECT_TRUE(close_named("x", Tensor(after), Tensor(rows), {1e-5, 1e-5}));
    EXPECT_TRUE(close_named("mean", Tensor(before.mean), Tensor(mean), {1e-5, 1e-5}));
    EXPECT_TRUE(close_named("variance", Tensor(before.variance), Tensor(variance), {1e-5, 1e-5}));
}

// An expression that is computed inside another one may read the next rows, and behind the last one what lies there: so the first of
// many rows are compared before others are. They vary much, little, and not at all.
Array many_rows() {
    Array x = normal_array({12, 5}, 9);
    for (std::size_t i = 5; i < x.size(); ++i)
        x.data()[i] = i < 10 ? 0.01f * x.data()[i] : 0.5f * std::floor(static_cast<float>(i) / 5.0f);
    return x;
}

testing::AssertionResult first_rows_are_right() {
    const Tensor x(many_rows()), mean_of_x = mean(x, -1, KeepDims::yes),
                                 variance_of_x = variance(x, -1, KeepDims::yes);
    Array after = x.array();
    const RowStatistics before = standardize_rows(after, eps);
    const Tensor rows = (x - mean_of_x) / sqrt(variance_of_x + eps);
    for (const auto& [name, got, expected] : {std::tuple{"variance", Tensor(before.variance), variance_of_x},
                                              {"mean", Tensor(before.mean), mean_of_x},
                                              {"x", Tensor(after), rows}})
        if (got.shape() != expected.shape()) return close_named(name, got, expected);
    const auto first = [](const Tensor& of_x, const Tensor& means, const Tensor& variances) {
        return slice(concat({of_x, means, variances}, 1), 0, 0, 3);
    };
    return close_named("x, mean and variance of the first rows",
                       first(Tensor(after), Tensor(before.mean), Tensor(before.variance)),
                       first(rows, mean_of_x, variance_of_x), {1e-5, 1e-5});
}

TEST(standardize_rows, standardizes_the_first_of_many_rows) { EXPECT_TRUE(first_rows_are_right()); }

TEST(standardize_rows, equals_pytorch) {
    ASSERT_TRUE(first_rows_are_right());
    expect_standardized(golden_array("standardize_rows.x"), golden_array("standardize_rows.output"),
                        golden_array("standardize_rows.mean"), golden_array("standardize_rows.variance"));
}

TEST(standardize_rows, goes_along_the_rows_of_a_square_matrix) {
    ASSERT_TRUE(first_rows_are_right());
    const float a = 1.0f / std::sqrt(1.0f + eps), b = 2.0f / std::sqrt(4.0f + eps);
    expect_standardized(array({4, 4}, {1, 3, 1, 3, 5, 1, 1, 5, -2, -2, 0, 0, 8, 6, 6, 8}),
                        array({4, 4}, {-a, a, -a, a, b, -b, -b, b, -a, -a, a, a, a, -a, -a, a}),
                        array({4, 1}, {2, 3, -1, 7}), array({4, 1}, {1, 4, 1, 1}));
}

TEST(standardize_rows, keeps_the_variance_where_the_mean_is_large) {
    ASSERT_TRUE(first_rows_are_right());
    Array x = array({4, 2}, {0, 1, 4096, 4097, 16384, 16385, 1, 0});
    EXPECT_TRUE(
        matches(standardize_rows(x).variance, array({4, 1}, {0.25f, 0.25f, 0.25f, 0.25f}), {0.0, 1e-4}));
}

TEST(standardize_rows, leaves_zeros_in_a_row_of_equal_entries) {
    ASSERT_TRUE(first_rows_are_right());
    expect_standardized(array({4, 2}, {3, 3, -7, -7, 0, 0, 5, 5}), array({4, 2}, {0, 0, 0, 0, 0, 0, 0, 0}),
                        array({4, 1}, {3, -7, 0, 5}), array({4, 1}, {0, 0, 0, 0}));
}

TEST(standardize_rows, takes_a_single_row) {
    ASSERT_TRUE(first_rows_are_right());
    const float a = 2.0f / std::sqrt(4.0f + eps);
    expect_standardized(array({4}, {1, 5, 1, 5}), array({4}, {-a, a, -a, a}), array({1}, {3}),
                        array({1}, {4}));
}

TEST(standardize_rows, refuses_only_what_has_no_entries) {
    Array x = normal_array({4, 3}, 1), none = Array::from_shape({2, 0}), single = Tensor().array();
    standardize_rows(x);
    EXPECT_THROW(standardize_rows(single), ShapeError);
    EXPECT_THROW(standardize_rows(none), ShapeError);
}

}  // namespace
}  // namespace tfs::test

// tests/00_tensors/row_statistics_test.cpp · step row_statistics: PyTorch's values, values worked out by hand, diagnosis
#include "tests/00_tensors/checklist.hpp"

#include <cmath>
#include <vector>

#include "tests/support/close.hpp"

namespace tfs::test {
namespace {

std::vector<Suspect> variance_suspects(const Array& x) {
    const Tensor input(x);
    const auto n = static_cast<float>(x.shape().back());
    std::vector<Suspect> suspects = {
        {"the variance was divided by n - 1 (of a sample); of the population it is divided by n",
         [=] { return variance(input, -1) * (n / (n - 1.0f)); }},
        {"this is the standard deviation, the root of the variance",
         [=] { return sqrt(variance(input, -1)); }},
        {"this is the mean of the squares; subtract the mean before you square",
         [=] { return mean(input * input, -1); }},
        {"the sum of the squares was not divided by n", [=] { return variance(input, -1) * n; }}};
    if (x.dimension() > 1) {
        suspects.push_back(
            {"the variance was taken over the wrong axis: down the columns, not along the rows",
             [=] { return variance(input, -2); }});
    }
    return suspects;
}

std::vector<Suspect> mean_suspects(const Array& x) {
    const Tensor input(x);
    std::vector<Suspect> suspects = {{"the sum was not divided by n", [=] { return sum(input, -1); }}};
    if (x.dimension() > 1) {
        suspects.push_back({"the mean was taken over the wrong axis: down the columns, not along the rows",
                            [=] { return mean(input, -2); }});
    }
    return suspects;
}

TEST(row_statistics, equals_pytorch) {
    const Array x = golden_array("row_statistics.x");
    const RowStatistics result = row_statistics(x);
    EXPECT_TRUE(matches(result.mean, golden_array("row_statistics.mean"), mean_suspects(x)));
    EXPECT_TRUE(matches(result.variance, golden_array("row_statistics.variance"), variance_suspects(x)));
}

TEST(row_statistics, goes_along_the_rows_of_a_square_matrix) {
    const Array x = array({3, 3}, {1, 2, 3, 0, 0, 6, 5, 5, 5});
    const RowStatistics result = row_statistics(x);
    EXPECT_TRUE(matches(result.mean, array({3}, {2, 2, 5}), mean_suspects(x)));
    EXPECT_TRUE(matches(result.variance, array({3}, {2.0f / 3.0f, 8, 0}), variance_suspects(x)));
}

TEST(row_statistics, takes_a_single_row) {
    const Array x = array({4}, {1, 2, 3, 6});
    const RowStatistics result = row_statistics(x);
    EXPECT_TRUE(matches(result.mean, array({}, {3}), mean_suspects(x)));
    EXPECT_TRUE(matches(result.variance, array({}, {3.5f}), variance_suspects(x)));
}

TEST(row_statistics, keeps_the_variance_where_the_mean_is_large) {
    const Array x = array({1, 6}, {0, 0.25f, 0.5f, 0.75f, 1, 1.25f});
    const Array far = array({1, 6}, {4096, 4096.25f, 4096.5f, 4096.75f, 4097, 4097.25f});  // exact as floats
    const float near_zero = row_statistics(x).variance.data()[0],
                near_4096 = row_statistics(far).variance.data()[0];
    EXPECT_NEAR(near_4096, near_zero, 1e-3f * std::abs(near_zero))
        << "Adding 4096 to every entry must not change the variance.\nLikely cause: E[x^2] - E[x]^2 "
           "subtracts two nearly "
           "equal numbers, of which a float keeps 7 digits; subtract the mean first, in a second pass";
}

TEST(row_statistics, finds_no_variance_in_a_row_of_one_entry) {
    const RowStatistics result = row_statistics(array({2, 1}, {3, -7}));
    EXPECT_TRUE(matches(result.mean, array({2}, {3, -7})));
    EXPECT_TRUE(matches(result.variance, array({2}, {0, 0})));
}

TEST(row_statistics, refuses_only_what_has_nothing_to_average) {
    row_statistics(normal_array({2, 3}, 1));
    EXPECT_THROW(row_statistics(Tensor().array()), ShapeError);
    EXPECT_THROW(row_statistics(Array::from_shape({2, 0})), ShapeError);
}

}  // namespace
}  // namespace tfs::test

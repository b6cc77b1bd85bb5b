// tests/00_tensors/standardize_rows_test.cpp · step standardize_rows: PyTorch's values, rows worked out by hand, what lazy expressions give
#include "tests/00_tensors/checklist.hpp"

#include <cmath>
#include <string>
#include <vector>

#include "tests/support/close.hpp"

namespace tfs::test {
namespace {

constexpr float eps = 0.01f;  // large enough to be seen where it does not belong

// --- what expressions give that are computed too late, or inside a larger one -----------------------------------------

const std::string too_late =
    "it was computed after x had changed: an expression is computed where it is read";
const std::string inside_another =
    "xtensor reads wrong entries where a reduction with keep_dims is computed inside a larger expression: "
    "give it a name, of the "
    "type Array, in a line before";

// The mean of n floats from this one on: what xtensor takes, in the first row, for the mean at column `at`.
double moving_mean(const Array& x, std::size_t at) {
    const std::size_t n = x.shape().back();
    double sum = 0.0;
    for (std::size_t j = 0; j < n; ++j) sum += x.data()[at + j];
    return sum / static_cast<double>(n);
}

// Which of them is computed inside of a larger expression: the mean that is subtracted, that of the variance, the variance.
struct Inside {
    bool subtracted_mean, mean_of_variance, variance;
};

double first_row_at(const Array& x, std::size_t column, Inside inside) {
    const std::size_t n = x.shape().back();
    double squares = 0.0;
    for (std::size_t j = 0; j < n; ++j) {
        const std::size_t at = (inside.variance ? column : 0) + j;
        squares += std::pow(x.data()[at] - moving_mean(x, inside.mean_of_variance ? at : 0), 2);
    }
    const double difference = x.data()[column] - moving_mean(x, inside.subtracted_mean ? column : 0);
    return difference / std::sqrt(squares / static_cast<double>(n) + eps);
}

// `x` before and after the call. At least four rows: the moving means go on into the next ones. Of three expressions one inside the
// other, what xtensor reads for the first entry is known.
bool was_computed_inside(const Array& x, const Array& after) {
    const auto same_row = [&](Inside inside) {
        const bool nested = inside.subtracted_mean && inside.mean_of_variance && inside.variance;
        for (std::size_t column = 0; column < (nested ? 1 : x.shape().back()); ++column)
            if (!(std::abs(after.data()[column] - first_row_at(x, column, inside)) <= 1e-3)) return false;
        return true;
    };
    for (const bool subtracted : {false, true})
        for (const bool of_variance : {false, true})
            for (const bool variance : {false, true})
                if ((subtracted || of_variance || variance) && same_row({subtracted, of_variance, variance}))
                    return true;
    return false;
}

// --- other wrong answers ------------------------------------------------------------------------------------------------

std::vector<Suspect> row_suspects(const Array& rows) {
    const Tensor x(rows);
    const auto n = static_cast<float>(rows.shape().back());
    const auto centred = [x] { return x - mean(x, -1, KeepDims::yes); };
    const auto spread = [x] { return variance(x, -1, KeepDims::yes); };
    std::vector<Suspect> suspects = {
        {"the variance was not divided by n: it is the mean of the squares",
         [=] { return centred() / sqrt(spread() * n + eps); }},
        {"x was not changed; the rows are standardized in their place", [=] { return x; }},
        {"the rows are divided by the variance; divide by its root",
         [=] { return centred() / (spread() + eps); }},
        {"the mean was not subtracted", [=] { return x / sqrt(spread() + eps); }},
        {"the rows were not divided by the root of the variance", [=] { return centred(); }},
        {"eps was left out, or added behind the root", [=] { return centred() / sqrt(spread()); }},
        {"eps was left out, or added behind the root", [=] { return centred() / (sqrt(spread()) + eps); }},
        {"the variance was divided by n - 1 (sample variance); divide by n (population variance)",
         [=] { return centred() / sqrt(spread() * (n / (n - 1.0f)) + eps); }}};
    if (rows.dimension() > 1)
        suspects.push_back(
            {"mean and variance were taken over the wrong axis: down the columns, not along the rows",
             [=] { return (x - mean(x, -2, KeepDims::yes)) / sqrt(variance(x, -2, KeepDims::yes) + eps); }});
    return suspects;
}

// `after`: x after the call.
std::vector<Suspect> mean_suspects(const Array& x, const Array& after) {
    return {{too_late, [=] { return mean(Tensor(after), -1, KeepDims::yes); }},
            {"mean and variance are swapped", [=] { return variance(Tensor(x), -1, KeepDims::yes); }}};
}

std::vector<Suspect> variance_suspects(const Array& x, const Array& after) {
    const Tensor before(x);
    const auto n = static_cast<float>(x.shape().back());
    return {{too_late, [=] { return variance(Tensor(after), -1, KeepDims::yes); }},
            {too_late,
             [=] {
                 const Tensor difference = Tensor(after) - mean(before, -1, KeepDims::yes);
                 return mean(difference * difference, -1, KeepDims::yes);
             }},
            {"the sum of the squares was not divided by n",
             [=] { return variance(before, -1, KeepDims::yes) * n; }},
            {"this is the standard deviation, the root of the variance",
             [=] { return sqrt(variance(before, -1, KeepDims::yes)); }},
            {"eps is added to the variance that is returned; it belongs under the root",
             [=] { return variance(before, -1, KeepDims::yes) + eps; }},
            {"this is the mean of the squares; subtract the mean before you square",
             [=] { return mean(before * before, -1, KeepDims::yes); }},
            {"the variance was divided by n - 1 (sample variance); divide by n (population variance)",
             [=] { return variance(before, -1, KeepDims::yes) * (n / (n - 1.0f)); }}};
}

void expect_standardized(const Array& x, const Array& rows, const Array& mean, const Array& variance) {
    Array after = x;
    const RowStatistics before = standardize_rows(after, eps);
    const testing::AssertionResult right = matches(after, rows, row_suspects(x));
    EXPECT_TRUE(right) << likely_if(
        !right && x.size() >= 4 * x.shape().back() && was_computed_inside(x, after), inside_another);
    EXPECT_TRUE(
        close_named("mean", Tensor(before.mean), Tensor(mean), {1e-5, 1e-5}, mean_suspects(x, after)));
    EXPECT_TRUE(close_named("variance", Tensor(before.variance), Tensor(variance), {1e-5, 1e-5},
                            variance_suspects(x, after)));
}

TEST(standardize_rows, equals_pytorch) {
    expect_standardized(golden_array("standardize_rows.x"), golden_array("standardize_rows.output"),
                        golden_array("standardize_rows.mean"), golden_array("standardize_rows.variance"));
}

TEST(standardize_rows, goes_along_the_rows_of_a_square_matrix) {
    const float a = 1.0f / std::sqrt(1.0f + eps), b = 2.0f / std::sqrt(4.0f + eps);
    expect_standardized(array({4, 4}, {1, 3, 1, 3, 5, 1, 1, 5, -2, -2, 0, 0, 8, 6, 6, 8}),
                        array({4, 4}, {-a, a, -a, a, b, -b, -b, b, -a, -a, a, a, a, -a, -a, a}),
                        array({4, 1}, {2, 3, -1, 7}), array({4, 1}, {1, 4, 1, 1}));
}

TEST(standardize_rows, keeps_the_variance_where_the_mean_is_large) {
    Array x = array({4, 2}, {0, 1, 4096, 4097, 16384, 16385, 1, 0});
    const Array variances = standardize_rows(x).variance;
    for (std::size_t row = 0; row < variances.size(); ++row)
        EXPECT_NEAR(variances.data()[row], 0.25f, 1e-4)
            << "the variance of row " << row
            << likely_if(row > 0 && std::abs(variances.data()[0] - 0.25f) < 1e-4f,
                         "E[x^2] - E[x]^2 subtracts two nearly equal numbers, of which a float keeps 7 "
                         "digits; subtract "
                         "the row's own mean first");
}

TEST(standardize_rows, leaves_zeros_in_a_row_of_equal_entries) {
    expect_standardized(array({4, 2}, {3, 3, -7, -7, 0, 0, 5, 5}), array({4, 2}, {0, 0, 0, 0, 0, 0, 0, 0}),
                        array({4, 1}, {3, -7, 0, 5}), array({4, 1}, {0, 0, 0, 0}));
}

TEST(standardize_rows, takes_a_single_row) {
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

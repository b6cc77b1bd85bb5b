// tests/00_tensors/row_statistics_test.cpp · step row_statistics: PyTorch's values, values worked out by hand, diagnosis
#include "tests/00_tensors/checklist.hpp"

#include <cmath>
#include <numeric>
#include <string>
#include <vector>

#include "tests/support/close.hpp"

namespace tfs::test {
namespace {

// One number for each row of n floats, from this row: of(index of the row, its n floats).
template <class Of>
Tensor by_row(const Array& x, const Of& of) {
    const std::size_t n = x.shape().back();
    Array y = Array::from_shape(Shape(x.shape().begin(), x.shape().end() - 1));
    for (std::size_t row = 0; row < y.size(); ++row) y.data()[row] = of(row, x.data() + row * n);
    return Tensor(y);
}

// What comes out where the sum of a row goes on in the next one.
Tensor running(const Tensor& means) {
    Array y = means.array();
    for (std::size_t row = 1; row < y.size(); ++row) y.data()[row] += y.data()[row - 1];
    return Tensor(y);
}

// The means of rows that begin where `begin` says.
template <class Begin>
Tensor mean_from(const Array& x, const Begin& begin) {
    const std::size_t n = x.shape().back();
    return by_row(x, [&](std::size_t row, const float*) {
        const float* values = x.data() + begin(row);
        return std::accumulate(values, values + n, 0.0f) / static_cast<float>(n);
    });
}

float as_is(float value) { return value; }
float as_int(float value) { return std::trunc(value); }

// The mean where an entry, the sum or the mean goes through an int.
Tensor integer_mean(const Array& x, float (*entry)(float), float (*sum)(float), float (*mean)(float)) {
    const std::size_t n = x.shape().back();
    return by_row(x, [&](std::size_t, const float* values) {
        float total = 0.0f;
        for (std::size_t j = 0; j < n; ++j) total = sum(total + entry(values[j]));
        return mean(total / static_cast<float>(n));
    });
}

// As rows what a step of the number of rows finds: the columns of a matrix.
Tensor columns(const Array& x) {
    const std::size_t n = x.shape().back();
    return reshape(transpose(reshape(Tensor(x), {n, x.size() / n}), 0, 1), shape_of(x));
}

// What is added to the variance: that of one entry is 0.
float epsilon_in_the_variance() {
    const float epsilon = row_statistics(array({1, 1}, {0})).variance.data()[0];
    return epsilon > 0.0f && epsilon < 0.1f ? epsilon : 0.0f;
}

float row_count(const Array& x) { return static_cast<float>(x.size() / x.shape().back()); }

// The variance in one pass, as Welford's, but with one of his two differences squared: that from the old mean or that from
// the new one.
Tensor running_variance(const Array& x, std::size_t first, bool from_old_mean) {
    const std::size_t n = x.shape().back();
    return by_row(x, [&](std::size_t, const float* values) {
        float mean = 0.0f, squares = 0.0f;
        for (std::size_t j = 0; j < n; ++j) {
            const float old = values[j] - mean;
            mean += old / static_cast<float>(j + 1);
            const float difference = from_old_mean ? old : values[j] - mean;
            if (j >= first) squares += difference * difference;
        }
        return squares / static_cast<float>(n);
    });
}
const std::string wrong_update =
    "the mean moves while the squares are summed, and only one difference, from the old or from the new "
    "mean, is "
    "squared: finish the mean in a pass of its own";

std::vector<Suspect> mean_suspects(const Array& x) {
    const Tensor input(x);
    const std::string rows = "row r begins at r * n: ";
    std::vector<Suspect> suspects = {
        {"mean and variance are swapped", [=] { return variance(input, -1); }},
        {"the sum is not set back to 0 for each row", [=] { return running(mean(input, -1)); }},
        {rows + "here every row begins at 0",
         [=] { return mean_from(x, [](std::size_t) { return std::size_t{0}; }); }},
        {rows + "here each row begins one float behind the last",
         [=] { return mean_from(x, [](std::size_t row) { return row; }); }}};
    const std::string integer = "an int drops all decimals: the sum and mean of floats are floats";
    suspects.push_back({integer, [=] { return integer_mean(x, as_int, as_is, as_is); }});
    suspects.push_back({integer, [=] { return integer_mean(x, as_is, as_int, as_is); }});
    suspects.push_back({integer, [=] { return integer_mean(x, as_is, as_is, as_int); }});
    suspects.push_back({integer, [=] { return integer_mean(x, as_is, as_int, as_int); }});
    if (x.dimension() > 1) {
        suspects.insert(suspects.end(),
                        {{"the sum was not divided by n", [=] { return sum(input, -1); }},
                         {"the sum was divided by the number of rows; divide it by n, the length of a row",
                          [=] { return sum(input, -1) / row_count(x); }},
                         {"the mean was taken over the wrong axis: down the columns, not along the rows",
                          [=] { return mean(columns(x), -1); }}});
    }
    return suspects;
}

std::vector<Suspect> variance_suspects(const Array& x) {
    const Tensor input(x);
    const auto n = static_cast<float>(x.shape().back());
    std::vector<Suspect> suspects = {
        {"the variance was divided by n - 1 (sample variance); divide by n (population variance)",
         [=] { return variance(input, -1) * (n / (n - 1.0f)); }},
        {"this is the standard deviation, the root of the variance",
         [=] { return sqrt(variance(input, -1)); }},
        {"this is the mean of the squares; subtract the mean before you square",
         [=] { return mean(input * input, -1); }},
        {"the sum of the squares is not set back to 0 for each row",
         [=] { return running(variance(input, -1)); }},
        {"a small number is added to the variance; it belongs under the root of a normalization, not here",
         [=] { return variance(input, -1) + epsilon_in_the_variance(); }},
        {wrong_update, [=] { return running_variance(x, 0, true); }},
        {wrong_update, [=] { return running_variance(x, 1, true); }},
        {wrong_update, [=] { return running_variance(x, 0, false); }}};
    if (x.dimension() > 1) {
        const Tensor squares = variance(input, -1) * n;
        suspects.insert(
            suspects.end(),
            {{"the sum of the squares was not divided by n", [=] { return squares; }},
             {"the sum of the squares was divided by the number of rows; divide it by n, the length of a row",
              [=] { return squares / row_count(x); }},
             {"the variance was taken over the wrong axis: down the columns, not along the rows",
              [=] { return variance(columns(x), -1); }}});
    }
    return suspects;
}

// The variance is looked at where the mean is right: it is made of it.
void expect_statistics(const Array& x, const Array& mean, const Array& variance,
                       Tolerance tolerance = {1e-5, 1e-5}) {
    const RowStatistics result = row_statistics(x);
    ASSERT_TRUE(close_named("mean", Tensor(result.mean), Tensor(mean), tolerance, mean_suspects(x)));
    EXPECT_TRUE(
        close_named("variance", Tensor(result.variance), Tensor(variance), tolerance, variance_suspects(x)));
}

TEST(row_statistics, equals_pytorch) {
    expect_statistics(golden_array("row_statistics.x"), golden_array("row_statistics.mean"),
                      golden_array("row_statistics.variance"));
}

TEST(row_statistics, goes_along_the_rows_of_a_square_matrix) {
    expect_statistics(array({3, 3}, {1, 2, 3, 0, 0, 6, 5, 5, 5}), array({3}, {2, 2, 5}),
                      array({3}, {2.0f / 3.0f, 8, 0}));
}

TEST(row_statistics, takes_a_single_row) {
    expect_statistics(array({4}, {1, 2, 3, 6}), array({}, {3}), array({}, {3.5f}));
}

TEST(row_statistics, keeps_the_variance_where_the_mean_is_large) {
    const Array x = array({2, 6}, {0, 0.25f, 0.5f, 0.75f, 1, 1.25f,  // and 4096 more, exact as floats
                                   4096, 4096.25f, 4096.5f, 4096.75f, 4097, 4097.25f});
    const Array variances = row_statistics(x).variance;
    const float near_zero = variances.data()[0], near_4096 = variances.data()[1];
    const bool right_on_ordinary_rows = matches(row_statistics(golden_array("row_statistics.x")).variance,
                                                golden_array("row_statistics.variance"));
    EXPECT_NEAR(near_4096, near_zero, 1e-3f * std::abs(near_zero))
        << "Adding 4096 to every entry must not change the variance."
        << likely_if(right_on_ordinary_rows,
                     "one pass, as E[x^2] - E[x]^2, subtracts two nearly equal numbers, of which a float "
                     "keeps 7 digits; subtract the row's own mean first, in a second pass");
}

TEST(row_statistics, finds_no_variance_in_a_row_of_one_entry) {
    expect_statistics(array({2, 1}, {3, -7}), array({2}, {3, -7}), array({2}, {0, 0}), {1e-5, 0});
}

TEST(row_statistics, refuses_only_what_has_nothing_to_average) {
    row_statistics(normal_array({2, 3}, 1));
    EXPECT_THROW(row_statistics(Tensor().array()), ShapeError);
    EXPECT_THROW(row_statistics(Array::from_shape({2, 0})), ShapeError);
}

}  // namespace
}  // namespace tfs::test

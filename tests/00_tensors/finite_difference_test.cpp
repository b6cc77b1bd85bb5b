// tests/00_tensors/finite_difference_test.cpp · step finite_difference: PyTorch's values, values worked out by hand, where f is called
#include <algorithm>
#include <cmath>

#include "tests/00_tensors/checklist.hpp"

namespace tfs::test {
namespace {

double sum_of_squares(const Array& x) {
    double total = 0.0;
    for (std::size_t i = 0; i < x.size(); ++i) total += static_cast<double>(x.data()[i]) * x.data()[i];
    return total;
}

// The sum over the rows of log(sum of exp(x_j)): each entry's slope depends on the others of its row.
double log_sum_exp(const Array& x) {
    if (x.dimension() != 2) throw ShapeError("f is called with an array of another shape than that of x");
    const std::size_t n = x.shape(1);
    double total = 0.0;
    for (std::size_t row = 0; row < x.shape(0); ++row) {
        double sum = 0.0;
        for (std::size_t j = 0; j < n; ++j) sum += std::exp(static_cast<double>(x.data()[row * n + j]));
        total += std::log(sum);
    }
    return total;
}

TEST(finite_difference, equals_pytorch) {
    // The slope is p, the softmax of the row, between 0 and 1. What h = 0.01 leaves out is
    // h^2/6 times the third derivative, p (1 - p) (1 - 2p): at most 1.6e-6. Entries up to 2 + h are rounded
    // by up to 1.2e-7: that moves the middle of the two points, which changes the slope by less than 1e-7.
    EXPECT_TRUE(matches(finite_difference_gradient(log_sum_exp, golden_array("log_sum_exp.x"), 0.01f),
                        golden_array("log_sum_exp.grad_x"), {1e-6, 2e-6}));
}

TEST(finite_difference, is_exact_for_a_parabola) {
    // f(x) = x^2 has the slope 2x. From the two sides together that is exact.
    EXPECT_TRUE(matches(finite_difference_gradient(sum_of_squares, array({3}, {1, -2, 0.5f}), 0.25f),
                        array({3}, {2, -4, 1})));
}

TEST(finite_difference, divides_by_the_distance_of_the_rounded_points) {
    // Floats near 1000 are 2^-14 = 6.1e-5 apart, so a step of 1e-4 becomes 1.22e-4. The slope is still 2x.
    const Array x = array({1}, {1000});
    EXPECT_TRUE(matches(finite_difference_gradient(sum_of_squares, x, 1e-4f), array({1}, {2000})));
    // 1e-5 is lost altogether: both points are 1000, and 0 / 0 says so where a slope of 0 would deceive.
    const float lost = finite_difference_gradient(sum_of_squares, x, 1e-5f).data()[0];
    EXPECT_EQ(std::isnan(lost) ? "NaN" : std::to_string(lost), "NaN") << "where both points round to x";
}

TEST(finite_difference, calls_f_one_step_above_and_below_each_entry) {
    const std::vector<float> x = {0.003f, -2, 3, 5};
    // 0.003 + 0.125 is rounded: minus 0.125 it is not 0.003 again.
    std::vector<std::vector<float>> points, expected;
    const auto f = [&](const Array& point) {
        points.emplace_back(point.begin(), point.end());
        return sum_of_squares(point);
    };
    finite_difference_gradient(f, array({4}, x), 0.125f);
    for (std::size_t i = 0; i < x.size(); ++i)
        for (const float moved : {x[i] - 0.125f, x[i] + 0.125f}) {
            expected.push_back(x);
            expected.back()[i] = moved;
        }
    std::sort(points.begin(), points.end());
    std::sort(expected.begin(), expected.end());
    EXPECT_EQ(points, expected);
}

TEST(finite_difference, takes_a_scalar_and_an_empty_array) {
    EXPECT_TRUE(matches(finite_difference_gradient(sum_of_squares, array({}, {3}), 0.5f), array({}, {6})));
    EXPECT_TRUE(matches(finite_difference_gradient(sum_of_squares, Array::from_shape({0}), 0.5f),
                        Array::from_shape({0})));
}

TEST(finite_difference, refuses_only_a_step_that_goes_nowhere) {
    finite_difference_gradient(sum_of_squares, array({1}, {1}), 0.5f);
    EXPECT_THROW(finite_difference_gradient(sum_of_squares, array({1}, {1}), 0.0f), ValueError);
    EXPECT_THROW(finite_difference_gradient(sum_of_squares, array({1}, {1}), -1.0f), ValueError);
    EXPECT_THROW(finite_difference_gradient(sum_of_squares, array({1}, {1}), INFINITY), ValueError);
    EXPECT_THROW(finite_difference_gradient(sum_of_squares, array({1}, {1}), NAN), ValueError);
}

}  // namespace
}  // namespace tfs::test

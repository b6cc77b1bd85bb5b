// tests/00_tensors/finite_difference_test.cpp · step finite_difference: PyTorch's values, values worked out by hand, diagnosis
#include "tests/00_tensors/checklist.hpp"

#include <fmt/format.h>

#include <cmath>
#include <string>

#include "tests/support/close.hpp"

namespace tfs::test {
namespace {

double sum_of_squares(const Array& x) {
    double total = 0.0;
    for (std::size_t i = 0; i < x.size(); ++i) total += static_cast<double>(x.data()[i]) * x.data()[i];
    return total;
}

// The sum over the rows of log(sum of exp(x_j)): each entry's slope depends on the others of its row.
double log_sum_exp(const Array& x) {
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
    const Tolerance tolerance{1e-6, 2e-6};
    const Array x = golden_array("log_sum_exp.x"), expected = golden_array("log_sum_exp.grad_x");
    const Array gradient = finite_difference_gradient(log_sum_exp, x, 0.01f);
    EXPECT_TRUE(matches(gradient, expected, {}, tolerance))
        << likely_if(matches(gradient, expected, {}, {0.0, 1e-4}),
                     "a rounding that is too coarse: keep the two values of f as doubles, and divide by the "
                     "distance between the two points as they were rounded");
}

TEST(finite_difference, is_exact_for_a_parabola) {
    // f(x) = x^2 has the slope 2x. From the two sides together that is exact; from one side it is 2x + h or
    // 2x - h.
    const Array x = array({3}, {1, -2, 0.5f});
    const float h = 0.25f;
    const Tensor slope = 2.0f * Tensor(x);
    EXPECT_TRUE(
        matches(finite_difference_gradient(sum_of_squares, x, h), slope.array(),
                {{"this is a one-sided difference, (f(x + h) - f(x)) / h; step to both sides",
                  [&] { return slope + h; }},
                 {"this is a one-sided difference, (f(x) - f(x - h)) / h; step to both sides",
                  [&] { return slope - h; }},
                 {"divided by h, but the two points are 2h apart", [&] { return 2.0f * slope; }},
                 {"the difference was not divided by the distance of the two points",
                  [&] { return 2.0f * h * slope; }},
                 {"the sign is the wrong way round: it is f(x + h) - f(x - h)", [&] { return -slope; }}}));
}

TEST(finite_difference, divides_by_the_distance_of_the_rounded_points) {
    // Floats near 1000 are 2^-14 = 6.1e-5 apart, so a step of 1e-4 becomes 1.22e-4. The slope is still 2x.
    const std::string cause = "divided by 2h, but the points are floats: subtract the one from the other";
    const Array x = array({1}, {1000}), slope = array({1}, {2000});
    EXPECT_TRUE(matches(finite_difference_gradient(sum_of_squares, x, 1e-4f), slope,
                        {{cause, [&] { return Tensor(slope) * (0x1p-13f / 1e-4f); }}}));
    // 1e-5 is lost altogether: both points are 1000, and 0 / 0 says so where a slope of 0 would deceive.
    const float lost = finite_difference_gradient(sum_of_squares, x, 1e-5f).data()[0];
    EXPECT_TRUE(std::isnan(lost)) << "is " << lost << likely_if(lost == 0.0f, cause);
}

TEST(finite_difference, moves_one_entry_at_a_time) {
    const Array x = array({4}, {1, 2, 3, 4});
    std::string complaint;
    finite_difference_gradient(
        [&](const Array& point) {
            std::size_t moved = 0, first = 0;
            for (std::size_t i = 0; i < x.size(); ++i) {
                if (point.data()[i] != x.data()[i] && moved++ == 0) first = i;
            }
            if (moved > 1 && complaint.empty()) {
                complaint = fmt::format(
                    "f was called with {} entries moved at once\nLikely cause: entry {} was not set back "
                    "to its value before the next one was moved",
                    moved, first);
            }
            return 0.0;
        },
        x, 0.1f);
    EXPECT_TRUE(complaint.empty()) << complaint;
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
}

}  // namespace
}  // namespace tfs::test

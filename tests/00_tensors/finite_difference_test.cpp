// tests/00_tensors/finite_difference_test.cpp · step finite_difference: PyTorch's values, values worked out by hand, diagnosis
#include "tests/00_tensors/checklist.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <string>
#include <vector>

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

// f of arrays of this shape, and the points at which it was called.
struct Recorded {
    std::function<double(const Array&)> f;
    Shape shape;
    std::vector<Array> points;

    double operator()(const Array& point) {
        if (shape_of(point) != shape)
            throw ShapeError(fmt::format("f is called with an array of shape {}, where x has the shape {}",
                                         to_string(shape_of(point)), to_string(shape)));
        points.push_back(point);
        return f(point);
    }
};

std::vector<std::size_t> moved_entries(const Array& point, const Array& x) {
    std::vector<std::size_t> moved;
    for (std::size_t i = 0; i < x.size(); ++i)
        if (point.data()[i] != x.data()[i]) moved.push_back(i);
    return moved;
}

float moved_by(const Array& point, const Array& x, std::size_t entry) {
    return std::abs(point.data()[entry] - x.data()[entry]);
}

// What is wrong with the points at which f was called; empty where they lie one step above and below each entry of x.
std::string mistake_in(const std::vector<Array>& points, const Array& x, float step) {
    std::size_t unmoved = 0, above = 0, below = 0;
    float shortest = infinity, longest = 0.0f;
    if (x.size() > 1 && !points.empty() && moved_entries(points[0], x).size() == x.size())
        return "all entries are moved at once, so that each slope is the sum of all; move one entry at a "
               "time";
    for (const Array& point : points) {
        const std::vector<std::size_t> moved = moved_entries(point, x);
        if (moved.size() > 1)
            return moved_by(point, x, moved[0]) < 0.01f * step
                       ? "an entry is moved back by the step, which rounds; set it to its value in x again"
                       : "an entry is not set back to its value before the next one is moved";
        if (moved.empty()) {
            ++unmoved;
            continue;
        }
        const float by = moved_by(point, x, moved[0]);
        ++(point.data()[moved[0]] > x.data()[moved[0]] ? above : below);
        shortest = std::min(shortest, by), longest = std::max(longest, by);
    }
    if (points.empty()) return "f is never called";
    if (above + below == 0) return "f is called with x itself; call it with the copy whose entry is moved";
    if (above == 0 || below == 0)
        return fmt::format("this is a one-sided difference: no point lies {} x; step to both sides",
                           below == 0 ? "below" : "above");
    if (unmoved > 0) return "f is called at x itself; the points above and below each entry are enough";
    if (points.size() > 2 * x.size())
        return "f is called more than twice for each entry; it takes one point h above and one h below";
    if (longest > 1.01f * shortest)
        return "the step depends on the entry; every entry is moved by the same step h";
    if (std::abs(longest - step) > 0.01f * step)
        return fmt::format("each entry is moved by {:.2g} h; the points lie h above and h below it, 2h apart",
                           longest / step);
    return "";
}

std::vector<Suspect> slope_suspects(const Array& slope, float step) {
    const Tensor right(slope);
    return {
        {"divided by h, but the two points are 2h apart", [=] { return 2.0f * right; }},
        {"the difference was not divided by the distance of the two points",
         [=] { return 2.0f * step * right; }},
        {"divided by 2 and multiplied by h: a / 2 * h is (a / 2) * h", [=] { return step * step * right; }},
        {"the sign is the wrong way round: it is f(x + h) - f(x - h)", [=] { return -right; }}};
}

TEST(finite_difference, equals_pytorch) {
    // The slope is p, the softmax of the row, between 0 and 1. What h = 0.01 leaves out is
    // h^2/6 times the third derivative, p (1 - p) (1 - 2p): at most 1.6e-6. Entries up to 2 + h are rounded
    // by up to 1.2e-7: that moves the middle of the two points, which changes the slope by less than 1e-7.
    const Tolerance tolerance{1e-6, 2e-6};
    const Array x = golden_array("log_sum_exp.x"), expected = golden_array("log_sum_exp.grad_x");
    Recorded f{log_sum_exp, shape_of(x), {}};
    const Array gradient = finite_difference_gradient(std::ref(f), x, 0.01f);
    const std::string mistake = mistake_in(f.points, x, 0.01f);
    EXPECT_TRUE(matches(gradient, expected, slope_suspects(expected, 0.01f), tolerance))
        << likely_if(!mistake.empty(), mistake)
        << likely_if(mistake.empty() && matches(gradient, expected, {}, {0.0, 1e-4}),
                     "a rounding that is too coarse: keep the two values of f as doubles, and divide by the "
                     "distance between the two points as they were rounded");
}

TEST(finite_difference, is_exact_for_a_parabola) {
    // f(x) = x^2 has the slope 2x. From the two sides together that is exact.
    const Array x = array({3}, {1, -2, 0.5f});
    const Array slope = (2.0f * Tensor(x)).array();
    EXPECT_TRUE(
        matches(finite_difference_gradient(sum_of_squares, x, 0.25f), slope, slope_suspects(slope, 0.25f)));
}

TEST(finite_difference, divides_by_the_distance_of_the_rounded_points) {
    // Floats near 1000 are 2^-14 = 6.1e-5 apart, so a step of 1e-4 becomes 1.22e-4. The slope is still 2x.
    const std::string cause = "divided by 2h, but the points are floats: subtract the one from the other";
    const Array x = array({1}, {1000}), slope = array({1}, {2000});
    const Array by_2h = (Tensor(slope) * (0x1p-13f / 1e-4f)).array();
    const Array got = finite_difference_gradient(sum_of_squares, x, 1e-4f);
    const Array one_sided =
        array({1}, {0x1p-14f / 1e-4f * 2000.0f});  // of (f(x + h) - f(x)) / h: another check names it
    if (matches(got, one_sided, {}, {1e-2, 0.0})) GTEST_SKIP() << "a one-sided difference";
    EXPECT_TRUE(matches(got, slope, {{cause, [&] { return Tensor(by_2h); }}}));
    // 1e-5 is lost altogether: both points are 1000, and 0 / 0 says so where a slope of 0 would deceive.
    const float lost = finite_difference_gradient(sum_of_squares, x, 1e-5f).data()[0];
    EXPECT_TRUE(std::isnan(lost)) << fmt::format("where both points round to x: got {:g}, expected NaN", lost)
                                  << likely_if(lost == 0.0f && matches(got, by_2h), cause)
                                  << likely_if(lost == 0.0f && matches(got, slope),
                                               "a special case gives 0 where the step is lost, which looks "
                                               "like a flat f; 0 / 0 is NaN by itself");
}

TEST(finite_difference, calls_f_one_step_above_and_below_each_entry) {
    const Array x =
        array({4}, {0.001f, -2, 3, 5});  // 0.001 + 0.125 rounds: minus 0.125 it is not 0.001 again
    Recorded f{sum_of_squares, shape_of(x), {}};
    finite_difference_gradient(std::ref(f), x, 0.125f);
    const std::string mistake = mistake_in(f.points, x, 0.125f);
    const std::string calls = fmt::format("f is called {} times for {} entries", f.points.size(), x.size());
    EXPECT_TRUE(mistake.empty()) << calls << likely_if(true, mistake);
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

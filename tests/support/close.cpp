// tests/support/close.cpp
#include "tests/support/close.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <functional>

#include "common/text/units.hpp"
#include "tools/verdict/channel.hpp"

namespace tfs::test {

namespace {

// Set once, by the main function.
bool prints_margins = false, keeps_values = false;
std::size_t counted = 0;

double allowed(double expected, const Tolerance& t) { return t.absolute + t.relative * std::abs(expected); }

bool is_near(float a, float b, const Tolerance& t) {
    if (a == b) return true;          // equal infinities too
    if (std::isinf(b)) return false;  // a relative tolerance of it would let everything pass
    return std::abs(static_cast<double>(a) - b) <= allowed(b, t);
}

std::string index_of(std::size_t offset, const Shape& shape) {
    Shape index(shape.size());
    for (std::size_t axis = shape.size(); axis-- > 0; offset /= shape[axis])
        index[axis] = offset % shape[axis];
    return to_string(index);
}

struct Difference {
    std::string text;     // empty where all is close, else one sentence about the differences
    double margin = 0.0;  // the largest error, as a share of what is allowed there
};

Difference difference(const Array& actual, const Array& expected, const Tolerance& t) {
    const Shape shape = shape_of(expected);
    if (shape_of(actual) != shape) {
        return {fmt::format("the shape is {}, expected {}", to_string(shape_of(actual)), to_string(shape))};
    }
    std::size_t count = 0, first = 0, worst = 0;
    double worst_by = -1.0, margin = 0.0;
    for (std::size_t i = 0; i < expected.size(); ++i) {
        const float a = actual.data()[i], b = expected.data()[i];
        if (std::isfinite(a) && std::isfinite(b))
            margin = std::max(margin, std::abs(static_cast<double>(a) - b) / allowed(b, t));
        if (is_near(a, b, t)) continue;
        if (count++ == 0) first = i;
        if (std::isnan(a)) return {fmt::format("NaN at {}, expected {:g}", index_of(i, shape), b)};
        const double by = std::abs(static_cast<double>(a) - b);
        if (by > worst_by) worst = i, worst_by = by;
    }
    if (count == 0) return {{}, margin};
    std::string text =
        fmt::format("{} of {} values differ: at {} got {:.7g}, expected {:.7g}", count, expected.size(),
                    index_of(first, shape), actual.data()[first], expected.data()[first]);
    if (worst != first) {
        text += fmt::format("; the largest difference is at {}: got {:.7g}, expected {:.7g}",
                            index_of(worst, shape), actual.data()[worst], expected.data()[worst]);
    }
    return {text, margin};
}

}  // namespace

testing::AssertionResult close(const Array& actual, const Array& expected, Tolerance tolerance) {
    count_comparison();
    const auto [text, margin] = difference(actual, expected, tolerance);
    note_margin(margin, 1.0);
    return text.empty() ? testing::AssertionSuccess()
                        : testing::AssertionFailure() << text << came(actual, tolerance);
}

testing::AssertionResult close(const Tensor& actual, const Tensor& expected, Tolerance tolerance) {
    return close(actual.array(), expected.array(), tolerance);
}

testing::AssertionResult close_named(const std::string& what, const Tensor& actual, const Tensor& expected,
                                     Tolerance tolerance) {
    const testing::AssertionResult result = close(actual, expected, tolerance);
    return result ? result : testing::AssertionFailure() << what << ": " << result.message();
}

testing::AssertionResult gradient_close(const std::string& name, const Tensor& input, const Tensor& expected,
                                        Tolerance tolerance) {
    if (input.has_grad())
        return close_named("gradient of " + name, Tensor(input.grad()), expected, tolerance);
    count_comparison();
    return testing::AssertionFailure() << "gradient of " << name << ": there is none; " << name
                                       << " is not used, or the way to it is cut";
}

testing::AssertionResult has_shape(const Tensor& actual, const Shape& expected) {
    count_comparison();
    if (actual.shape() == expected) return testing::AssertionSuccess();
    return testing::AssertionFailure()
           << fmt::format("the shape is {}, expected {}", to_string(actual.shape()), to_string(expected));
}

testing::AssertionResult send_back(const Tensor& result, const Tensor& weights) {
    const testing::AssertionResult fits = has_shape(result, weights.shape());
    if (!fits) return fits;
    if (!result.requires_grad()) {
        return testing::AssertionFailure()
               << "the result does not remember how it was computed, so no gradient goes back: it is made "
                  "from raw values, or detached; the operations of common/tensor/ops.hpp record the gradient";
    }
    sum(result * weights).backward();
    return testing::AssertionSuccess();
}

bool contains_nan(const Tensor& x) {
    return std::any_of(x.values().begin(), x.values().end(), [](float value) { return std::isnan(value); });
}

void Counts::add(const std::string& where, std::size_t actual, std::size_t expected) {
    cases_.push_back({where, actual, expected});
}

testing::AssertionResult Counts::right() const {
    const auto wrong = [](const Case& one) { return one.counted != one.expected; };
    const auto first = std::find_if(cases_.begin(), cases_.end(), wrong);
    if (first == cases_.end()) return testing::AssertionSuccess();
    const auto others = std::count_if(first + 1, cases_.end(), wrong);
    testing::AssertionResult failure = testing::AssertionFailure();
    failure << fmt::format("{}: got {}, expected {}", first->where, with_separators(first->counted),
                           with_separators(first->expected));
    if (others > 0) failure << fmt::format(" (and {} more of {} cases differ)", others, cases_.size());
    std::vector<std::size_t> all;
    for (const Case& one : cases_) all.push_back(one.counted);
    return failure << came(fmt::format("{}", fmt::join(all, " ")));
}

void begin_counting() { counted = 0; }
void count_comparison() { ++counted; }
std::size_t comparisons() { return counted; }

void keep_values() { keeps_values = true; }

std::string came(const Array& array, Tolerance tolerance) {
    if (!keeps_values) return {};
    constexpr std::size_t most = 1024;
    const std::size_t count = std::min(array.size(), most);
    verdict::Came came{tolerance.relative, tolerance.absolute, to_string(shape_of(array)), {}};
    for (std::size_t i = 0; i < count; ++i) came.values.push_back(array.data()[i * array.size() / count]);
    return came_mark + verdict::in_text(came) + came_mark;
}

std::string came(const std::string& text) {
    if (!keeps_values) return {};
    constexpr std::size_t most = 400;
    const bool all = text.size() <= most;
    const std::string kept =
        all ? text : fmt::format("{} {:x}", text.substr(0, most), std::hash<std::string>()(text));
    return came_mark + verdict::in_text({.text = kept}) + came_mark;
}

void print_margins() { prints_margins = true; }

void note_margin(double error, double tolerance) {
    const testing::TestInfo* test = testing::UnitTest::GetInstance()->current_test_info();
    if (!prints_margins || test == nullptr || error == 0.0) return;
    std::printf("margin %.4f %s.%s\n", error / tolerance, test->test_suite_name(), test->name());
}

testing::AssertionResult near(const char*, const char*, const char*, double value, double expected,
                              double tolerance) {
    count_comparison();
    note_margin(std::abs(value - expected), tolerance);
    if (std::abs(value - expected) <= tolerance) return testing::AssertionSuccess();
    return testing::AssertionFailure()
           << fmt::format("got {:.9g}, expected {:.9g} within {:g}", value, expected, tolerance);
}

}  // namespace tfs::test

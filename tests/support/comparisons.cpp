// tests/support/comparisons.cpp · what came in each comparison of a checklist, and how near to its tolerance
#include "tests/support/comparisons.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdio>

namespace tfs::test {

namespace {

// Set once, by the main function.
bool printing = false;
report::Channel record;

}  // namespace

void print_margins() { printing = true; }

void note_margin(double error, double tolerance) {
    const testing::TestInfo* test = testing::UnitTest::GetInstance()->current_test_info();
    if (!printing || test == nullptr || error == 0.0) return;
    std::printf("margin %.4f %s.%s\n", error / tolerance, test->test_suite_name(), test->name());
}

void record_comparisons(report::Channel channel) { record = channel; }

bool records_comparisons() { return record.is_open(); }

void note_came(std::string_view text) { record.came(text); }

void note_came(const Array& array) {
    if (!records_comparisons()) return;
    constexpr std::size_t most = 256;
    const std::size_t count = std::min(array.size(), most);
    std::string text = to_string(shape_of(array)) + ":";
    for (std::size_t i = 0; i < count; ++i)
        text += fmt::format(" {:.9g}", array.data()[i * array.size() / count]);
    record.came(text);
}

testing::AssertionResult near(const char* value_text, const char* expected_text, const char* tolerance_text,
                              double value, double expected, double tolerance) {
    note_margin(std::abs(value - expected), tolerance);
    if (records_comparisons()) note_came(fmt::format("{:.9g}", value));
    return testing::internal::DoubleNearPredFormat(value_text, expected_text, tolerance_text, value, expected,
                                                   tolerance);
}

}  // namespace tfs::test

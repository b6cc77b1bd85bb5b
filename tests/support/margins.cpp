// tests/support/margins.cpp · how near each comparison comes to its tolerance
#include "tests/support/margins.hpp"

#include <cmath>
#include <cstdio>

namespace tfs::test {

namespace {

bool printing = false;  // set once, by the main function

}  // namespace

void print_margins() { printing = true; }

void note_margin(double error, double tolerance) {
    const testing::TestInfo* test = testing::UnitTest::GetInstance()->current_test_info();
    if (!printing || test == nullptr || error == 0.0) return;
    std::printf("margin %.4f %s.%s\n", error / tolerance, test->test_suite_name(), test->name());
}

testing::AssertionResult near(const char* value_text, const char* expected_text, const char* tolerance_text,
                              double value, double expected, double tolerance) {
    note_margin(std::abs(value - expected), tolerance);
    return testing::internal::DoubleNearPredFormat(value_text, expected_text, tolerance_text, value, expected,
                                                   tolerance);
}

}  // namespace tfs::test

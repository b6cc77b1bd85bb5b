// tests/common/report_trace_test.cpp · the lines of a trace
#include "common/report/trace.hpp"

#include <cmath>
#include <limits>
#include <sstream>

#include "common/report/sinks.hpp"
#include "common/terminal/display.hpp"
#include "tests/common/occurrences.hpp"
#include "tests/support/refusal.hpp"

namespace tfs {
namespace {

using test::refuses;

std::string traced(const std::function<void(Report&)>& use) {
    Report report;
    use(report);
    std::ostringstream out;
    print(out, report, {});
    std::istringstream lines(out.str());
    for (std::string line; std::getline(lines, line);) EXPECT_LE(display_width(line), screen_columns) << line;
    return out.str();
}

bool contains(const std::string& text, const std::string& part) {
    return text.find(part) != std::string::npos;
}

TEST(trace, shows_named_axes_and_statistics) {
    const std::string text = traced([](Report& report) {
        report.step("scores", Tensor::from({1, 2, 2}, {-1, 2, 3, 4}), {"batch", "query", "key"},
                    "q kᵀ / sqrt(4)");
    });
    EXPECT_TRUE(contains(text, "(batch 1, query 2, key 2)")) << text;
    EXPECT_TRUE(contains(text, "-1.000    2.000    4.000  q kᵀ / sqrt(4)\n")) << text;
}

TEST(trace, shows_the_same_numbers_on_a_page) {
    Report report;
    report.step("weights", Tensor::from({1, 4}, {1.039e-6f, 0.1f, 0.2f, 1042.15f}), {"query", "key"});
    std::ostringstream out;
    print(out, report, {});
    const std::string page = html(report);
    for (const std::string number : {"1.0e-06", "260.613", "1.0e+03"}) {
        EXPECT_TRUE(contains(out.str(), number)) << out.str();
        EXPECT_TRUE(contains(page, ">" + number + "<")) << page;
    }
    EXPECT_EQ(trace_number(0.1), "0.100");
    EXPECT_EQ(trace_number(-1e-9), "0.000");
}

TEST(trace, shows_no_text_that_a_terminal_would_obey) {
    const std::string bad = "\x1b[2J\u202E";
    const std::string text = traced([&](Report& report) {
        report.step(bad, Tensor::from({1, 1}, {NAN}), {"a", "b"}, bad);
        report.check_rows_sum_to_one(bad, Tensor::zeros({1, 1}));
        report.masked_cells(bad, Mask(xt::xarray<bool>{{true, true}, {true, true}}), {2, 2});
        report.note(bad);
    });
    EXPECT_EQ(test::occurrences(text, "\x1b") + test::occurrences(text, "\u202E"), 0U) << text;
    EXPECT_EQ(test::occurrences(text, R"(\x1b[2J\xe2)"), 6U) << text;
}

TEST(heading, is_underlined_harmless_and_no_wider_than_the_screen) {
    std::ostringstream out;
    print_heading(out, "a\x1b[2J" + std::string(200, 'h'));
    std::istringstream lines(out.str());
    std::string empty, title, line;
    std::getline(lines, empty);
    std::getline(lines, title);
    std::getline(lines, line);
    EXPECT_EQ(empty, "");
    EXPECT_EQ(title.find('\x1b'), std::string::npos);
    EXPECT_EQ(display_width(title), screen_columns);
    EXPECT_EQ(line, std::string(screen_columns, '-'));
}

TEST(trace, aligns_columns_by_display_width) {
    const std::string text = traced([](Report& report) {
        report.step("값", Tensor::ones({3}), {"키"});
        report.step("weight", Tensor::ones({3}), {"key"});
    });
    std::istringstream lines(text);
    std::string names, korean, english;
    std::getline(lines, names);
    std::getline(lines, korean);
    std::getline(lines, english);
    EXPECT_EQ(display_width(korean), display_width(english));
    EXPECT_EQ(display_width(names), display_width(english));
}

TEST(trace, stays_within110_columns_for_long_texts) {
    traced([](Report& report) {
        const std::string note =
            "a note that is much too long for the room that is left beside the numbers, and goes on and on";
        report.step("a name that is too long for its column",
                    Tensor::full({1, 12, 1024, 1024, 1}, -12345678.0f),
                    {"batch", "heads", "query", "key", "another axis"}, note + note);
        report.note(note + note + note);
    });
}

TEST(trace, reports_nan_loudly_with_its_first_index) {
    const float nan = std::numeric_limits<float>::quiet_NaN();
    const std::string text = traced([nan](Report& report) {
        report.step("scores", Tensor::from({2, 3}, {0, 1, 2, 3, nan, -INFINITY}), {"query", "key"});
    });
    EXPECT_TRUE(
        contains(text, "\n  !!! scores: 1 NaN and 1 infinite of 6 values, the first at query 1, key 1\n"))
        << text;
    EXPECT_TRUE(contains(text, "0.000    1.500    3.000")) << "statistics of the finite values: " << text;
}

TEST(trace, shows_scalars_and_empty_tensors) {
    const std::string text = traced([](Report& report) {
        report.step("loss", Tensor::full({}, 2.5f), {});
        report.step("nothing", Tensor::zeros({0, 2}), {"batch", "key"});
    });
    EXPECT_TRUE(contains(text, "()")) << text;
    EXPECT_TRUE(contains(text, "2.500")) << text;
    EXPECT_TRUE(contains(text, "(batch 0, key 2)")) << text;
}

TEST(trace, never_prints_negative_zero) {
    const std::string text =
        traced([](Report& report) { report.step("x", Tensor::full({2}, -1e-9f), {"key"}); });
    EXPECT_FALSE(contains(text, "-0.000")) << text;
}

TEST(trace, refuses_another_number_of_axes) {
    EXPECT_TRUE(refuses<ShapeError>(
        [] {
            Report().step("x", Tensor::ones({2, 3}), {"key"});
        },
        {"x", "1 names", "(2, 3)"}));
}

TEST(trace, checks_that_rows_sum_to_one) {
    const std::string text = traced([](Report& report) {
        EXPECT_TRUE(report.check_rows_sum_to_one("weights", Tensor::full({2, 4}, 0.25f)));
    });
    EXPECT_EQ(text, "  check  weights: rows sum to 1 (largest deviation 0.0e+00)\n");
}

TEST(trace, fails_loudly_where_a_row_does_not_sum_to_one) {
    const std::string text = traced([](Report& report) {
        EXPECT_FALSE(
            report.check_rows_sum_to_one("weights", Tensor::from({1, 2, 2}, {0.5f, 0.5f, 0.5f, 0.6f})));
        EXPECT_FALSE(report.check_rows_sum_to_one("weights", Tensor::full({1, 2}, NAN)));
    });
    EXPECT_TRUE(contains(text, "!!! check FAILED  weights: row (0, 1) sums to 1.1, not to 1")) << text;
}

TEST(trace, counts_rows_that_may_attend_to_nothing) {
    const std::string text = traced([](Report& report) {
        EXPECT_TRUE(report.check_rows_sum_to_one("weights", Tensor::from({3, 2}, {1, 0, 0, 0, 0.5f, 0.5f})));
    });
    EXPECT_TRUE(contains(text, "1 row is all zero, nothing allowed there (the first: (1))")) << text;
}

TEST(trace, counts_masked_cells_of_the_whole_shape) {
    const std::string text = traced([](Report& report) {
        report.masked_cells("scores", Mask::from({2, 2}, {1, 0, 1, 1}), {3, 2, 2});
    });
    EXPECT_EQ(text, "  check  scores: 3 of 12 cells masked\n");
}

}  // namespace
}  // namespace tfs

// tests/tools/report_test.cpp · the report on one step
#include <gtest/gtest.h>

#include <csignal>

#include "tests/tools/text_checks.hpp"
#include "tools/verdict/report.hpp"

namespace tfs::tools_test {

namespace {

using verdict::Ending;
using verdict::Outcome;
using Verdict = verdict::Report::Verdict;

const std::string not_started =
    "C++ exception with description \"not started: step 1.1 add\" thrown in the test body.";
const std::string waits =
    "C++ exception with description \"not started: step 0.3 copy\" thrown in the test body.";

Outcome passed(const std::string& name) { return {"add", name, true, true, {}}; }
Outcome failed(const std::string& name, const std::vector<std::string>& messages) {
    Outcome outcome{"add", name, true, false, {}};
    for (const std::string& message : messages) outcome.failures.push_back({message});
    return outcome;
}
Outcome begun(const std::string& name) { return {"add", name, false, false, {}}; }

verdict::Report report_on(const std::vector<Outcome>& outcomes, const Terminal& terminal = {},
                          const verdict::Sought& sought = {}) {
    verdict::Record record;
    record.planned = outcomes.size();
    record.done = true;
    record.outcomes = outcomes;
    return verdict::report_of(record, {}, terminal, sought);
}

verdict::Report cut_short(const std::vector<Outcome>& outcomes, const Ending& ending) {
    verdict::Record record;
    record.planned = outcomes.size() + 1;
    record.outcomes = outcomes;
    return verdict::report_of(record, ending, {});
}

using When = verdict::Sought::When;

const verdict::Sought one_too_many = {When::now, {{"one too many", {"of_one"}}}};

}  // namespace

TEST(report, passed_says_how_many_checks) {
    const verdict::Report told = report_on({passed("of_zero"), passed("of_one")});
    EXPECT_EQ(told.verdict, Verdict::passed);
    EXPECT_EQ(told.headline, "passed (2 checks)");
    EXPECT_EQ(told.details, "");
    EXPECT_EQ(report_on({passed("of_zero")}).headline, "passed (1 check)");
}

TEST(report, the_first_failure_and_those_with_a_cause_are_told_in_full_and_the_others_by_name) {
    const verdict::Report told = report_on({failed("of_zero", {"got 1"}), failed("of_one", {"got 2"}),
                                            passed("of_two"), failed("of_three", {"got 5"})},
                                           {}, one_too_many);
    EXPECT_EQ(told.verdict, Verdict::failed);
    EXPECT_EQ(told.headline, "FAILED in 3 of 4 checks");
    EXPECT_EQ(told.details,
              "    ✗ of zero\n"
              "        got 1\n"
              "    ✗ of one\n"
              "        Likely cause: one too many\n"
              "        got 2\n"
              "    also fails: of three\n");
}

TEST(report, where_no_cause_was_found_it_says_so) {
    const std::vector<Outcome> outcomes = {passed("of_zero"), failed("of_one", {"got 2"})};
    EXPECT_EQ(report_on(outcomes, {}, {When::now, {}}).details,
              "    ✗ of one\n        got 2\n    This is none of the mistakes that are known here.\n");
    EXPECT_EQ(report_on(outcomes, {}, {When::later, {}}).details, "    ✗ of one\n        got 2\n");
}

TEST(report, a_check_that_is_left_out_is_no_failure_and_says_what_it_needs) {
    Outcome left_out = passed("of_two");
    left_out.passed = false;
    left_out.left_out = true;
    const verdict::Report told = report_on({failed("of_one", {"got 2"}), left_out});
    EXPECT_EQ(told.headline, "FAILED in 1 of 2 checks");
    EXPECT_TRUE(contains(told.details, "    1 check more can tell something when the above is right\n"));
    EXPECT_EQ(report_on({passed("of_one"), left_out}).verdict, Verdict::passed);
}

TEST(report, an_exception_comes_first) {
    const verdict::Report told = report_on(
        {failed("of_zero", {"got 1"}),
         failed("of_one", {"C++ exception with description \"no such axis\" thrown in the test body."})});
    EXPECT_EQ(told.details,
              "    ✗ of one\n        an exception: no such axis\n    ✗ of zero\n        got 1\n");
}

TEST(report, without_any_cause_three_failures_are_told) {
    const verdict::Report told = report_on(
        {failed("a", {"got 1"}), failed("b", {"got 2"}), failed("c", {"got 3"}), failed("d", {"got 4"})});
    EXPECT_EQ(told.details,
              "    ✗ a\n        got 1\n    ✗ b\n        got 2\n    ✗ c\n        got 3\n"
              "    (and 1 check more, not shown)\n"
              "    No likely cause of this is known.\n");
}

TEST(report, the_same_text_is_told_once_with_all_its_checks) {
    EXPECT_EQ(report_on({failed("of_zero", {"got 1"}), failed("of_one", {"got 1"})}).details,
              "    ✗ of zero\n        got 1\n        the same in: of one\n"
              "    No likely cause of this is known.\n");
}

TEST(report, the_same_cause_is_told_once) {
    const verdict::Report told =
        report_on({failed("of_zero", {"got 1", "got 1"}), failed("of_one", {"got 2"})}, {},
                  {When::now, {{"one too many", {"of_zero", "of_one"}}}});
    EXPECT_EQ(told.details,
              "    ✗ of zero\n        Likely cause: one too many\n        got 1\n    also fails: of one\n");
}

TEST(report, gaps_that_are_still_open_are_no_failure) {
    const verdict::Report told = report_on({passed("of_zero"), failed("of_one", {not_started})});
    EXPECT_EQ(told.verdict, Verdict::unfinished);
    EXPECT_EQ(told.headline, "unfinished: a gap is still open (1 of 2 checks pass)");
    EXPECT_EQ(told.details, "");
}

TEST(report, an_open_gap_beside_a_failure_is_told) {
    const verdict::Report told = report_on({failed("of_zero", {"got 1"}), failed("of_one", {not_started})});
    EXPECT_EQ(told.verdict, Verdict::failed);
    EXPECT_EQ(told.headline, "FAILED in 1 of 2 checks");
    EXPECT_TRUE(contains(told.details, "    a gap is still open: 1 more did not run to the end\n"))
        << told.details;
}

TEST(report, a_step_waits_for_another_that_is_not_started) {
    const verdict::Report told = report_on({passed("of_zero"), failed("of_one", {waits})});
    EXPECT_EQ(told.verdict, Verdict::unfinished);
    EXPECT_EQ(told.headline, "waits for step 0.3 copy");
}

TEST(report, a_crash_names_the_check_and_what_failed_before) {
    const verdict::Report told =
        cut_short({failed("of_zero", {"got 1"}), begun("of_one")}, {Ending::Kind::signal, SIGSEGV, ""});
    EXPECT_EQ(told.verdict, Verdict::failed);
    EXPECT_EQ(told.headline, "CRASHED in the check: of one");
    EXPECT_TRUE(told.details.starts_with("    segmentation fault: ")) << told.details;
    EXPECT_TRUE(told.details.ends_with("    Before that:\n    ✗ of zero\n        got 1\n")) << told.details;
}

TEST(report, a_crash_before_the_first_check_is_told) {
    EXPECT_EQ(cut_short({}, {Ending::Kind::signal, SIGSEGV, ""}).headline, "CRASHED before the first check");
}

TEST(report, a_cause_that_the_checklist_told_replaces_the_signal) {
    verdict::Record record;
    record.outcomes = {begun("of_one")};
    record.crash_cause = "Likely cause: no mask";
    EXPECT_EQ(verdict::report_of(record, {Ending::Kind::signal, SIGABRT, ""}, {}).details,
              "    Likely cause: no mask\n");
}

TEST(report, each_signal_has_its_cause) {
    EXPECT_TRUE(verdict::crash_cause(SIGFPE, "").starts_with("division by zero"));
    EXPECT_TRUE(verdict::crash_cause(SIGKILL, "").starts_with("killed from outside"));
    EXPECT_TRUE(verdict::crash_cause(SIGABRT, "").starts_with("aborted: by abort()"));
    EXPECT_TRUE(verdict::crash_cause(SIGABRT, "assertion failed\n").ends_with("tells the reason"));
    EXPECT_TRUE(contains(verdict::crash_cause(SIGABRT, "free(): invalid pointer\n"), "was overwritten"));
    EXPECT_EQ(verdict::crash_cause(SIGXCPU, ""), "signal " + std::to_string(SIGXCPU));
}

TEST(report, the_words_of_the_c_library_on_its_heap_are_left_out_of_what_a_step_wrote) {
    EXPECT_EQ(verdict::without_heap_words(
                  "mine\nmalloc(): corrupted top size\ndouble free or corruption (out)\nfree\n"),
              "mine\nfree\n");
}

TEST(report, a_step_that_ends_the_program_did_not_pass) {
    const verdict::Report told = cut_short({passed("of_zero"), begun("of_one")}, {Ending::Kind::exit, 0, ""});
    EXPECT_EQ(told.verdict, Verdict::failed);
    EXPECT_EQ(told.headline, "your step ended the program in the check: of one");
    EXPECT_TRUE(contains(told.details, "Likely cause: it calls exit(0)")) << told.details;
}

TEST(report, an_endless_loop_is_told_with_its_time_limit) {
    const verdict::Report told = cut_short({begun("of_zero")}, {Ending::Kind::time_limit, 20, ""});
    EXPECT_EQ(told.verdict, Verdict::failed);
    EXPECT_EQ(told.headline, "DOES NOT END, in the check: of zero");
    EXPECT_TRUE(contains(told.details, "after 20 seconds")) << told.details;
}

TEST(report, a_checklist_that_ran_fewer_checks_than_planned_did_not_pass) {
    verdict::Record record;
    record.planned = 2;
    record.done = true;
    record.outcomes = {passed("of_zero")};
    EXPECT_NE(verdict::report_of(record, {}, {}).verdict, Verdict::passed);
}

TEST(report, exceptions_of_the_standard_library_are_explained) {
    const auto details = [](const std::string& what) {
        return report_on({failed("of_zero", {"C++ exception with description \"" + what +
                                             "\" thrown in the test body."})})
            .details;
    };
    EXPECT_TRUE(contains(details("std::bad_alloc"), "\n        far more memory than a check needs"));
    EXPECT_TRUE(contains(details("bad optional access"), "\n        an optional has no value"));
    EXPECT_TRUE(contains(details("an axis too many"), "        an exception: an axis too many\n"));
}

TEST(report, the_frame_that_gtest_puts_around_a_message_is_left_out) {
    EXPECT_EQ(
        verdict::in_plain_words("Value of: close(a, b)\n  Actual: false (1 of 2 differ)\nExpected: true"),
        "1 of 2 differ");
    EXPECT_EQ(verdict::in_plain_words("Value of: ready\n  Actual: false\nExpected: true\nnot ready"),
              "not ready");
    EXPECT_EQ(verdict::in_plain_words("Failed\nin words"), "in words");
    EXPECT_EQ(verdict::in_plain_words("anything else"), "anything else");
}

TEST(report, no_words_of_gtest_reach_a_learner) {
    const auto plain = [](const std::string& message) { return verdict::in_plain_words(message); };
    EXPECT_EQ(plain("Expected equality of these values:\n  calls\n    Which is: 3\n  1"),
              "calls: got 3, expected 1");
    EXPECT_EQ(
        plain(
            "Expected equality of these values:\n  list(a)\n    Which is: { 1, 2 }\n  list(b)\n    Which is: "
            "{ 1 }\nits tokens"),
        "got { 1, 2 }, expected { 1 }\nits tokens");
    EXPECT_EQ(plain("The difference between a and 1.0 is 0.5, which exceeds 1e-3, where\na evaluates to "
                    "1.5,\n1.0 evaluates "
                    "to 1, and\n1e-3 evaluates to 0.001.\nthe mean"),
              "got 1.5, expected 1 within 0.001\nthe mean");
    EXPECT_EQ(plain("Expected: (a) < (b), actual: 3 vs 2\ntoo large"),
              "got 3, expected less than 2\ntoo large");
    EXPECT_EQ(plain("Value of: x.has_grad()\n  Actual: false\nExpected: true"),
              "this must be true: x.has_grad()");
    EXPECT_EQ(plain("Value of: x.empty()\n  Actual: true\nExpected: false"), "this must be false: x.empty()");
    EXPECT_EQ(
        plain("Expected: f(x) throws an exception of type tfs::ShapeError.\n  Actual: it throws nothing."),
        "no exception, where a ShapeError must be thrown");
    EXPECT_EQ(plain("Expected: f(x) throws an exception of type ShapeError.\n  Actual: it throws "
                    "tfs::ValueError with "
                    "description \"a < b\"."),
              "a ValueError is thrown, where it must be a ShapeError: a < b");
    EXPECT_EQ(plain("Expected: f(x) doesn't throw an exception.\n  Actual: it throws tfs::ValueError with "
                    "description \"a "
                    "< b\"."),
              "an exception: a < b");
}

TEST(report, long_lines_are_wrapped_at_words) {
    const verdict::Report told = report_on(
        {failed("of_zero",
                {"details that are longer than any terminal of sixty columns could show in one row"})},
        {.columns = 60},
        {When::now,
         {{"é́ one two three four five six seven eight nine ten eleven twelve thirteen", {"of_zero"}}}});
    EXPECT_LE(width_of_line(widest_line(told.details)), 60U) << widest_line(told.details);
    EXPECT_TRUE(contains(told.details, "\n            ")) << "a cause goes on further to the right";
    EXPECT_TRUE(contains(told.details, "\n          ")) << told.details;
}

TEST(report, a_line_is_as_wide_as_what_is_seen_of_it) {
    const std::string message =
        "öööööööööö öööööööööö öööööööööö öööööööööö öööööööööö";  // 54 columns, 104 bytes
    EXPECT_EQ(verdict::wrapped(message, {.columns = 70}, "    "), "    " + message + "\n");
}

TEST(report, a_margin_in_a_message_is_kept) {
    EXPECT_EQ(verdict::wrapped("got\n  [1 2]\n", {}, "    "), "    got\n      [1 2]\n");
}

TEST(report, colour_is_in_the_headline_and_the_causes_only_where_asked_for) {
    const std::vector<Outcome> outcomes = {failed("of_one", {"got 1"})};
    const verdict::Report plain = report_on(outcomes, {}, one_too_many),
                          coloured = report_on(outcomes, {.colour = true, .columns = 110}, one_too_many);
    EXPECT_FALSE(contains(plain.headline + plain.details, "\x1b"));
    EXPECT_EQ(coloured.headline, "\x1b[31mFAILED in 1 of 1 check\x1b[0m");
    EXPECT_TRUE(contains(coloured.details, "\x1b[1;33mLikely cause: one too many\x1b[0m"));
}

}  // namespace tfs::tools_test

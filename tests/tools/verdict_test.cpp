// tests/tools/verdict_test.cpp · the report on one step
#include <gtest/gtest.h>

#include <csignal>

#include "tests/tools/checks.hpp"
#include "tools/verdict/report.hpp"

namespace tfs::tools_test {

namespace {

using verdict::Ending;
using verdict::Outcome;
using verdict::Sought;
using Verdict = verdict::Report::Verdict;

// What gtest says of an exception.
std::string thrown(const std::string& what) {
    return "C++ exception with description \"" + what + "\" thrown in the test body.";
}

const std::string not_started = thrown("not started: step 1.1 add"),
                  waits = thrown("not started: step 0.3 copy");

Outcome passed(const std::string& name) { return {"add", name, true, true, {}}; }
Outcome failed(const std::string& name, const std::vector<std::string>& messages) {
    Outcome outcome{"add", name, true, false, {}};
    for (const std::string& message : messages) outcome.failures.push_back({message});
    return outcome;
}
Outcome of_given(const std::string& name, const std::vector<std::string>& messages) {
    Outcome outcome = failed(name, messages);
    outcome.step = "given_sums";
    return outcome;
}
Outcome begun(const std::string& name) { return {"add", name, false, false, {}}; }
Outcome left_out(const std::string& name) { return {"add", name, true, false, {}, true}; }

verdict::Report report_on(const std::vector<Outcome>& outcomes, const Sought& sought = {},
                          const Terminal& terminal = {}) {
    verdict::Record record;
    record.planned = outcomes.size();
    record.done = true;
    record.outcomes = outcomes;
    return verdict::report_of(record, {}, terminal, sought);
}

// A cause that explains these tests.
Sought one_too_many(const std::vector<std::string>& tests = {"of_one"}) {
    return {Sought::When::now, {{"one too many", tests}}};
}

struct Case {
    std::vector<Outcome> outcomes;
    Sought sought;
    Verdict verdict;
    std::string headline, details;
};

}  // namespace

TEST(report, tells_what_failed_and_why) {
    const std::string unknown = "    No likely cause of this is known.\n";
    for (const Case& one : std::vector<Case>{
             // The first failure, and those with a cause, in full, the others by name.
             {{failed("of_zero", {"got 1"}), failed("of_one", {"got 2"}), passed("of_two"),
               failed("of_three", {"got 5"})},
              one_too_many(),
              Verdict::failed,
              "FAILED in 3 of 4 checks",
              "    ✗ of zero\n        got 1\n    ✗ of one\n        Likely cause: one too many\n"
              "        got 2\n    also fails: of three\n"},
             // Without a cause three, an exception first.
             {{failed("a", {"got 1"}), failed("b", {thrown("no such axis")}), failed("c", {"got 3"}),
               failed("d", {"got 4"})},
              {},
              Verdict::failed,
              "FAILED in 4 of 4 checks",
              "    ✗ b\n        an exception: no such axis\n    ✗ a\n        got 1\n    ✗ c\n        got 3\n"
              "    (and 1 check more, not shown)\n"},
             // As long as it is sought, nothing is said of a cause, and one check is told.
             {{failed("of_one", {"got 2"}), failed("of_two", {"got 3"})},
              {Sought::When::later, {}},
              Verdict::failed,
              "FAILED in 2 of 2 checks",
              "    ✗ of one\n        got 2\n    (and 1 check more, not shown)\n"},
             // The same text, and the same cause, once.
             {{failed("of_zero", {"got 1"}), failed("of_one", {"got 1"})},
              {},
              Verdict::failed,
              "FAILED in 2 of 2 checks",
              "    ✗ of zero\n        got 1\n        the same in: of one\n" + unknown},
             {{failed("of_zero", {"got 1", "got 1"}), failed("of_one", {"got 2"})},
              one_too_many({"of_zero", "of_one"}),
              Verdict::failed,
              "FAILED in 2 of 2 checks",
              "    ✗ of zero\n        Likely cause: one too many\n        got 1\n    also fails: of one\n"},
             // A check that needs what fails elsewhere is no failure.
             {{failed("of_one", {"got 2"}), left_out("of_two")},
              {},
              Verdict::failed,
              "FAILED in 1 of 2 checks",
              "    ✗ of one\n        got 2\n" + unknown +
                  "    1 check more can tell something when the above is right\n"},
             {{passed("of_one"), left_out("of_two")}, {}, Verdict::passed, "passed (2 checks)", ""},
             // Gaps that are open, here or in another step.
             {{passed("of_zero"), failed("of_one", {not_started})},
              {},
              Verdict::unfinished,
              "unfinished: a gap is still open (1 of 2 checks pass)",
              ""},
             {{passed("of_zero"), failed("of_one", {not_started}), of_given("uses_it", {not_started})},
              {},
              Verdict::unfinished,
              "unfinished: a gap is still open (1 of 3 checks pass)",
              ""},
             {{failed("of_zero", {"got 1"}), failed("of_one", {not_started})},
              {},
              Verdict::failed,
              "FAILED in 1 of 2 checks",
              "    ✗ of zero\n        got 1\n" + unknown +
                  "    a gap is still open: 1 more did not run to the end\n"},
             {{passed("of_zero"), failed("of_one", {waits})},
              {},
              Verdict::unfinished,
              "waits for step 0.3 copy",
              ""}}) {
        const verdict::Report told = report_on(one.outcomes, one.sought);
        EXPECT_EQ(told.verdict, one.verdict) << one.headline;
        EXPECT_EQ(told.headline, one.headline);
        EXPECT_EQ(told.details, one.details);
    }
}

// crash.t has how a program ends without one.
TEST(report, tells_the_cause_of_a_crash_that_the_check_knew) {
    verdict::Record record;
    record.outcomes = {begun("of_one")};
    record.crash_cause = "Likely cause: no mask";
    EXPECT_EQ(verdict::report_of(record, {Ending::Kind::signal, SIGSEGV, ""}, {}).details,
              "    Likely cause: no mask\n");
}

TEST(report, each_signal_has_its_cause) {
    EXPECT_TRUE(contains(verdict::crash_cause(SIGFPE, ""), "division by zero"));
    EXPECT_TRUE(contains(verdict::crash_cause(SIGKILL, ""), "killed from outside"));
    EXPECT_TRUE(contains(verdict::crash_cause(SIGABRT, ""), "aborted: by abort()"));
    EXPECT_TRUE(contains(verdict::crash_cause(SIGABRT, "assertion failed\n"), "tells the reason"));
    EXPECT_TRUE(contains(verdict::crash_cause(SIGABRT, "free(): invalid pointer\n"), "was overwritten"));
    EXPECT_EQ(verdict::crash_cause(SIGXCPU, ""), "signal " + std::to_string(SIGXCPU));
    EXPECT_EQ(verdict::without_heap_words(
                  "mine\nmalloc(): corrupted top size\ndouble free or corruption (out)\nfree\n"),
              "mine\nfree\n");
}

TEST(report, no_words_of_gtest_reach_a_learner) {
    for (const auto& [message, plain] : std::vector<std::pair<std::string, std::string>>{
             {"Value of: close(a, b)\n  Actual: false (1 of 2 differ)\nExpected: true", "1 of 2 differ"},
             {"Value of: ready\n  Actual: false\nExpected: true\nnot ready", "not ready"},
             {"Value of: x.has_grad()\n  Actual: false\nExpected: true", "this must be true: x.has_grad()"},
             {"Value of: x.empty()\n  Actual: true\nExpected: false", "this must be false: x.empty()"},
             {"Failed\nin words", "in words"},
             {"anything else", "anything else"},
             {"Expected equality of these values:\n  calls\n    Which is: 3\n  1",
              "calls: got 3, expected 1"},
             {"Expected equality of these values:\n  list(a)\n    Which is: { 1, 2 }\n  list(b)\n    Which "
              "is: "
              "{ 1 }\nits tokens",
              "got { 1, 2 }, expected { 1 }\nits tokens"},
             {"The difference between a and 1.0 is 0.5, which exceeds 1e-3, where\na evaluates to 1.5,\n"
              "1.0 evaluates to 1, and\n1e-3 evaluates to 0.001.\nthe mean",
              "got 1.5, expected 1 within 0.001\nthe mean"},
             {"Expected: (a) < (b), actual: 3 vs 2\ntoo large", "got 3, expected less than 2\ntoo large"},
             {"Expected: f(x) throws an exception of type tfs::ShapeError.\n  Actual: it throws nothing.",
              "no exception, where a ShapeError must be thrown"},
             {"Expected: f(x) throws an exception of type ShapeError.\n  Actual: it throws tfs::ValueError "
              "with "
              "description \"a < b\".",
              "a ValueError is thrown, where it must be a ShapeError: a < b"},
             {"Expected: f(x) doesn't throw an exception.\n  Actual: it throws tfs::ValueError with "
              "description \"a < b\".",
              "an exception: a < b"}})
        EXPECT_EQ(verdict::in_plain_words(message), plain);
    EXPECT_TRUE(contains(report_on({failed("of_zero", {thrown("bad optional access")})}).details,
                         "\n        an optional has no value"));
}

TEST(report, lines_are_wrapped_at_words_as_wide_as_what_is_seen_and_keep_their_margin) {
    const verdict::Report told = report_on(
        {failed("of_one",
                {"details that are longer than any terminal of sixty columns could show in one row"})},
        {Sought::When::now, {{"é́ one two three four five six seven eight nine ten eleven", {"of_one"}}}},
        {.columns = 60});
    EXPECT_EQ(told.details,
              "    ✗ of one\n"
              "        Likely cause: é́ one two three four five six seven\n"
              "            eight nine ten eleven\n"
              "        details that are longer than any terminal of sixty\n"
              "          columns could show in one row\n");
    const std::string wide =
        "öööööööööö öööööööööö öööööööööö öööööööööö öööööööööö";  // 54 columns, 104 bytes
    EXPECT_EQ(verdict::wrapped(wide, {.columns = 70}, "    "), "    " + wide + "\n");
    EXPECT_EQ(verdict::wrapped("got\n  [1 2]\n", {}, "    "), "    got\n      [1 2]\n");
}

}  // namespace tfs::tools_test

// tests/support/expect_main.cpp · the main function of checklists on stubs and mistakes, which must fail
//
//   … --expect-not-started=softmax   0 if all tests of this step fail as "not started", and nothing fails for another
//                                    reason; or, if its exercise has a fault to find, if one of its tests fails
//   … --expect-mistake=EDIT          0 if the tests of its step catch the mistake of this edit file and say what it
//                                    wants to hear
//
// The tests of the step softmax are the suite softmax. Bad flags, or a step without tests: exit code 2.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdio>

#include "tests/support/collector.hpp"
#include "tools/report/message.hpp"
#include "tools/report/report.hpp"
#include "tools/steps/gaps.hpp"
#include "tools/steps/mistake.hpp"
#include "tools/steps/tutorial.hpp"

namespace tfs::test {
namespace {

using report::Outcome;
using report::wrapped;

void print_messages(const Outcome& test) {
    for (const std::string& message : test.messages)
        fmt::print("{}", wrapped(report::in_plain_words(message)));
}

int expect_not_started(const std::vector<Outcome>& outcomes, const std::string& step) {
    int code = 0;
    for (const Outcome& test : outcomes) {
        const std::string name = test.step + ": " + report::in_words(test.name);
        if (test.step == step && test.passed) {
            fmt::print("{}\n    passes on the stub: it checks nothing that the stub lacks\n", name);
            code = 1;
        } else if (test.step == step ? !test.not_started()
                                     : !test.passed && !test.waits_for().ends_with(" " + step)) {
            fmt::print("{}\n    does not fail as \"not started: step {}\"; it says:\n", name, step);
            print_messages(test);
            code = 1;
        }
    }
    if (code == 0) fmt::print("step {} fails as not started, and nothing else fails\n", step);
    return code;
}

// Whether the exercise of this step has wrong lines, in which the learner looks for the fault.
bool has_fault(const std::string& name) {
    for (const steps::Step& step : steps::read_tutorial(TFS_SOURCE_DIR).steps())
        if (step.name == name) return steps::seeks_fault(steps::read_text(TFS_SOURCE_DIR / step.solution()));
    return false;
}

int expect_fault(const std::vector<Outcome>& outcomes, const std::string& step) {
    for (const Outcome& test : outcomes) {
        if (test.passed || !test.waits_for().empty()) continue;
        fmt::print("{}: the fault is still there\n", step);
        return 0;
    }
    fmt::print("no test of step {} notices the fault of its exercise\n", step);
    return 1;
}

// What a learner reads of these outcomes, each message in one line.
std::string report_to_learner(const std::vector<Outcome>& outcomes) {
    report::Record record;
    record.planned = outcomes.size();
    record.done = true;
    record.outcomes = outcomes;
    return report::report_of(record, {}, {false, 100000}).details;
}

int expect_mistake(const std::vector<Outcome>& outcomes, const steps::Mistake& mistake) {
    const bool caught =
        std::any_of(outcomes.begin(), outcomes.end(), [](const Outcome& test) { return !test.passed; });
    if (!caught) {
        fmt::print("the checklist let the mistake through: all {} tests of the step pass\n", outcomes.size());
        return 1;
    }
    const std::string told = report_to_learner(outcomes);
    const bool says = told.find(mistake.must_say) != std::string::npos;
    if (!says) fmt::print("caught, but the report does not say \"{}\"; ", mistake.must_say);
    fmt::print("it says:\n{}", told);
    return says ? 0 : 1;
}

int refuse(const std::string& sentence) {
    fmt::print(stderr, "checklist: {}\n", sentence);
    return 2;
}

// The outcomes of the tests of these suites; "*" for all.
std::vector<Outcome> outcomes_of(const std::string& suite) {
    GTEST_FLAG_SET(filter, suite + ".*");
    const Collector* const collector = collect(report::Channel());
    [[maybe_unused]] const int failures = RUN_ALL_TESTS();
    return collector->outcomes();
}

int run(const std::string& argument) {
    const std::string not_started = "--expect-not-started=", expect = "--expect-mistake=";
    if (argument.starts_with(not_started)) {
        const std::string step = argument.substr(not_started.size());
        if (has_fault(step)) return expect_fault(outcomes_of(step), step);
        const std::vector<Outcome> outcomes = outcomes_of("*");
        const bool known = std::any_of(outcomes.begin(), outcomes.end(),
                                       [&](const Outcome& test) { return test.step == step; });
        return known ? expect_not_started(outcomes, step) : refuse("there are no tests of step " + step);
    }
    if (argument.starts_with(expect)) {
        const steps::Mistake mistake = steps::read_mistake(argument.substr(expect.size()));
        const std::vector<Outcome> outcomes = outcomes_of(mistake.step());
        return outcomes.empty() ? refuse("there are no tests of step " + mistake.step())
                                : expect_mistake(outcomes, mistake);
    }
    return refuse("use it with --expect-not-started=STEP or --expect-mistake=EDIT");
}

}  // namespace
}  // namespace tfs::test

int main(int argc, char** argv) {
    testing::InitGoogleTest(&argc, argv);
    try {
        return tfs::test::run(argc == 2 ? argv[1] : "");
    } catch (const std::exception& error) {
        return tfs::test::refuse(error.what());
    }
}

// tests/support/checklist_main.cpp · the main function of every checklist
//
//   01_attention_test                gtest, as it is: for ctest
//   … --report-to=FD                 sends to this file descriptor what each test comes to (tools/report/channel.hpp)
//   … --expect-not-started=softmax   0 if all tests of this step fail as "not started", and nothing fails for another
//                                    reason
//   … --expect-mistake=EDIT          0 if the tests of its step catch the mistake of this edit file and say what it
//                                    wants to hear
//
// The tests of the step softmax are the suite softmax. Bad flags, or a step without tests: exit code 2.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <charconv>
#include <cstdio>
#include <optional>

#include "tests/support/collector.hpp"
#include "tools/report/report.hpp"
#include "tools/steps/mistake.hpp"

namespace tfs::test {
namespace {

using report::Outcome;
using report::wrapped;

struct Flags {
    std::optional<std::string> report_to, not_started, mistake;

    int count() const { return report_to.has_value() + not_started.has_value() + mistake.has_value(); }
};

// Takes our flags out of argv.
Flags take_flags(int& argc, char** argv) {
    Flags flags;
    const auto take = [](const std::string& argument, const std::string& name,
                         std::optional<std::string>& value) {
        if (!argument.starts_with(name + "=")) return false;
        value = argument.substr(name.size() + 1);
        return true;
    };
    int kept = 1;
    for (int i = 1; i < argc; ++i) {
        const std::string argument = argv[i];
        if (!take(argument, "--report-to", flags.report_to) &&
            !take(argument, "--expect-not-started", flags.not_started) &&
            !take(argument, "--expect-mistake", flags.mistake))
            argv[kept++] = argv[i];
    }
    argc = kept;
    return flags;
}

void print_messages(const Outcome& test) {
    for (const std::string& message : test.messages)
        fmt::print("{}", wrapped(report::without_noise(message)));
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

int expect_mistake(const std::vector<Outcome>& outcomes, const steps::Mistake& mistake) {
    bool caught = false;
    for (const Outcome& test : outcomes) {
        caught = caught || !test.passed;
        for (const std::string& message : test.messages) {
            if (message.find(mistake.must_say) == std::string::npos) continue;
            fmt::print("caught by \"{}\":\n{}", report::in_words(test.name),
                       wrapped(report::without_noise(message)));
            return 0;
        }
    }
    if (!caught) {
        fmt::print("the checklist let the mistake through: all {} tests of the step pass\n", outcomes.size());
        return 1;
    }
    fmt::print("caught, but no message says \"{}\"; it said:\n", mistake.must_say);
    for (const Outcome& test : outcomes) {
        if (test.passed) continue;
        fmt::print("    x {}\n", report::in_words(test.name));
        print_messages(test);
    }
    return 1;
}

int refuse(const std::string& sentence) {
    fmt::print(stderr, "checklist: {}\n", sentence);
    return 2;
}

int run(int argc, char** argv) {
    const Flags flags = take_flags(argc, argv);
    testing::InitGoogleTest(&argc, argv);
    if (argc > 1) return refuse(fmt::format("unknown argument '{}'", argv[1]));
    if (flags.count() > 1)
        return refuse("use one of --report-to=FD, --expect-not-started=STEP, --expect-mistake=EDIT");
    if (flags.count() == 0) return RUN_ALL_TESTS();

    int descriptor = -1;
    if (flags.report_to) {
        const std::string& digits = *flags.report_to;
        const auto read = std::from_chars(digits.data(), digits.data() + digits.size(), descriptor);
        if (read.ptr != digits.data() + digits.size() || descriptor < 3)
            return refuse("--report-to takes the number of an open file descriptor, from 3");
        std::setvbuf(stdout, nullptr, _IOLBF, 0);  // what a step printed is there even if it crashes next
    }
    const report::Channel channel(descriptor);
    std::optional<steps::Mistake> mistake;
    if (flags.mistake) {
        mistake = steps::read_mistake(*flags.mistake);
        GTEST_FLAG_SET(filter, mistake->step() + ".*");
    }
    auto& listeners = testing::UnitTest::GetInstance()->listeners();
    delete listeners.Release(listeners.default_result_printer());
    auto* const collector = new Collector(channel);  // owned by gtest
    listeners.Append(collector);
    if (flags.report_to) report_assertions(channel);
    const int failures = RUN_ALL_TESTS();

    const std::vector<Outcome>& outcomes = collector->outcomes();
    if (flags.report_to) return failures;
    const std::string step = mistake ? mistake->step() : *flags.not_started;
    if (std::none_of(outcomes.begin(), outcomes.end(),
                     [&](const Outcome& test) { return test.step == step; }))
        return refuse("there are no tests of step " + step);
    return mistake ? expect_mistake(outcomes, *mistake) : expect_not_started(outcomes, step);
}

}  // namespace
}  // namespace tfs::test

int main(int argc, char** argv) {
    try {
        return tfs::test::run(argc, argv);
    } catch (const std::exception& error) {
        fmt::print(stderr, "checklist: {}\n", error.what());
        return 2;
    }
}

// tests/support/checklist_main.cpp · the main function of every checklist
//
//   01_attention_test                       gtest, as it is: for ctest
//   … --learner[=1.1]                       a report for people; exit code 0 passed, 1 failed, 3 not started
//     --touched                             … of files that are stubs no longer: "unfinished" where "not started" stood
//   … --expect-not-started=1.1              0 if step 1.1 fails as "not started", and nothing fails for another reason
//   … --expect-mistake=1.1 --must-say=TEXT  0 if the tests of step 1.1 catch the mistake and a message says TEXT
//
// The tests of step 1.1 are the suite Step_1_1_softmax. Bad flags, or a step without tests: exit code 2.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <optional>

#include "tests/support/outcome.hpp"
#include "tests/support/report.hpp"

namespace tfs::test {
namespace {

struct Flags {
    std::optional<std::string> learner, touched, not_started, mistake, must_say;
};

// Takes our flags out of argv. Empty where --name was given without "=…".
Flags take_flags(int& argc, char** argv) {
    Flags flags;
    const auto take = [](const std::string& argument, const std::string& name,
                         std::optional<std::string>& value) {
        if (argument == name) return value = "", true;
        if (argument.rfind(name + "=", 0) != 0) return false;
        return value = argument.substr(name.size() + 1), true;
    };
    int kept = 1;
    for (int i = 1; i < argc; ++i) {
        const std::string argument = argv[i];
        if (!take(argument, "--learner", flags.learner) && !take(argument, "--touched", flags.touched) &&
            !take(argument, "--expect-not-started", flags.not_started) &&
            !take(argument, "--expect-mistake", flags.mistake) &&
            !take(argument, "--must-say", flags.must_say)) {
            argv[kept++] = argv[i];
        }
    }
    argc = kept;
    return flags;
}

int expect_not_started(const std::vector<Outcome>& outcomes, const std::string& step) {
    int code = 0;
    for (const Outcome& test : outcomes) {
        const std::string name = test.step + " " + test.step_name + ": " + in_words(test.name);
        if (test.step == step && test.passed) {
            fmt::print("{}\n    passes on the stub: it checks nothing that the stub lacks\n", name);
            code = 1;
        } else if (test.step == step ? !test.not_started()
                                     : !test.passed && test.waits_for().rfind(step + " ", 0) != 0) {
            fmt::print("{}\n    does not fail as \"not started: step {}\"; it says:\n", name, step);
            for (const std::string& message : test.messages) print_message(without_noise(message));
            code = 1;
        }
    }
    if (code == 0) fmt::print("step {} fails as not started, and nothing else fails\n", step);
    return code;
}

int expect_mistake(const std::vector<Outcome>& outcomes, const std::string& text) {
    bool caught = false;
    for (const Outcome& test : outcomes) {
        if (test.passed) continue;
        caught = true;
        for (const std::string& message : test.messages) {
            if (message.find(text) == std::string::npos) continue;
            fmt::print("caught by \"{}\":\n", in_words(test.name));
            print_message(without_noise(message));
            return 0;
        }
    }
    if (!caught) {
        fmt::print("the checklist let the mistake through: all {} tests of the step pass\n", outcomes.size());
        return 1;
    }
    fmt::print("caught, but no message says \"{}\"; it said:\n", text);
    for (const Outcome& test : outcomes) {
        if (test.passed) continue;
        fmt::print("    x {}\n", in_words(test.name));
        for (const std::string& message : test.messages) print_message(without_noise(message));
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
    const int modes = flags.learner.has_value() + flags.not_started.has_value() + flags.mistake.has_value();
    if (modes > 1 || (flags.touched && !flags.learner) ||
        flags.mistake.has_value() != flags.must_say.has_value()) {
        return refuse(
            "use one of --learner [--touched], --expect-not-started=STEP, --expect-mistake=STEP "
            "--must-say=TEXT");
    }
    if (modes == 0) return RUN_ALL_TESTS();

    const std::string step = flags.learner   ? *flags.learner
                             : flags.mistake ? *flags.mistake
                                             : *flags.not_started;
    if (step.empty() && !flags.learner) return refuse("the step is missing, as in --expect-not-started=1.1");
    if (flags.must_say && flags.must_say->empty()) return refuse("--must-say is empty");
    if (!flags.not_started && !step.empty()) {
        std::string suite = step;
        std::replace(suite.begin(), suite.end(), '.', '_');
        GTEST_FLAG_SET(filter, "*Step_" + suite + "_*.*");
    }
    auto& listeners = testing::UnitTest::GetInstance()->listeners();
    delete listeners.Release(listeners.default_result_printer());
    auto* const collector = new Collector;  // owned by gtest
    listeners.Append(collector);
    if (flags.learner) report_crashes();
    [[maybe_unused]] const int failures = RUN_ALL_TESTS();

    const std::vector<Outcome>& outcomes = collector->outcomes();
    const auto ours = [&](const Outcome& test) {
        return step.empty() ? !test.step.empty() : test.step == step;
    };
    if (std::none_of(outcomes.begin(), outcomes.end(), ours))
        return refuse("there are no tests of step " + step);
    if (flags.learner) return report(outcomes, flags.touched.has_value());
    return flags.mistake ? expect_mistake(outcomes, *flags.must_say) : expect_not_started(outcomes, step);
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

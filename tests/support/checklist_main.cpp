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
#include <fmt/ranges.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <optional>
#include <sstream>

#include "tests/support/outcome.hpp"

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

// Prints one message below its test, long lines wrapped at words. A likely cause stands out.
void print_message(const std::string& message, bool colour, const std::string& indent = "        ") {
    std::istringstream lines(message);
    for (std::string line; std::getline(lines, line);) {
        const bool cause = line.rfind("Likely cause:", 0) == 0;
        const std::string begin = cause ? (colour ? "\x1b[1;33m" : "") : "";
        const std::string end = cause && colour ? "\x1b[0m" : "";
        std::istringstream words(line);
        std::string row =
            line.substr(0, line.find_first_not_of(' '));  // keeps the indentation of the message
        for (std::string word; words >> word;) {
            if (!row.empty() && row.find_first_not_of(' ') != std::string::npos) {
                if (row.size() + word.size() > 100) {
                    fmt::print("{}{}{}{}\n", indent, begin, row, end);
                    row = cause ? "    " : "  ";
                } else {
                    row += ' ';
                }
            }
            row += word;
        }
        fmt::print("{}{}{}{}\n", indent, begin, row, end);
    }
}

// How the report is made: in colour or not, on the learner's own file or perhaps on the stub.
struct Manner {
    bool colour, touched;

    std::string paint(const char* code, const std::string& text) const {
        return colour ? fmt::format("\x1b[{}m{}\x1b[0m", code, text) : text;
    }
};

// What is said once, and the checks that came to it.
struct Complaint {
    std::vector<std::string> checks, causes, details;
};

// The failures of one step: those with a likely cause first, and each cause and each text once.
std::vector<Complaint> complaints_of(const std::vector<Outcome>& tests) {
    std::vector<Complaint> all;
    for (const Outcome& test : tests) {
        if (test.passed || !test.waits_for().empty()) continue;
        Complaint own{{in_words(test.name)}, {}, {}};
        std::vector<std::string> without_cause;
        for (const std::string& message : test.messages) {
            const Finding finding = taken_apart(message);
            const bool again =
                !finding.causes.empty() &&
                std::find(own.causes.begin(), own.causes.end(), finding.causes.front()) != own.causes.end();
            if (again) continue;
            own.causes.insert(own.causes.end(), finding.causes.begin(), finding.causes.end());
            (finding.causes.empty() ? without_cause : own.details).push_back(finding.details);
        }
        if (own.causes.empty()) own.details = without_cause;  // else what caused it says enough
        const auto same = std::find_if(all.begin(), all.end(), [&](const Complaint& other) {
            return own.causes.empty() ? other.causes.empty() && other.details == own.details
                                      : other.causes == own.causes;
        });
        if (same == all.end()) {
            all.push_back(own);
        } else {
            same->checks.push_back(own.checks.front());
        }
    }
    std::stable_partition(all.begin(), all.end(), [](const Complaint& c) { return !c.causes.empty(); });
    return all;
}

// The failures in detail: those with a likely cause, or where none has one at most three. The others by name.
void tell(const std::vector<Outcome>& tests, const Manner& manner) {
    const std::vector<Complaint> all = complaints_of(tests);
    const bool known = !all.empty() && !all.front().causes.empty();
    constexpr std::size_t most = 3;
    std::vector<std::string> others;
    std::size_t told = 0;
    for (const Complaint& complaint : all) {
        const bool tell_it = told < most && (!known || !complaint.causes.empty());
        std::size_t named = 0;
        if (tell_it) {
            // With a cause, one check is enough to show it; a text alone is printed with all its checks.
            named = known ? 1 : complaint.checks.size();
            for (std::size_t i = 0; i < named; ++i)
                fmt::print("    {} {}\n", manner.paint("31", "x"), complaint.checks[i]);
            for (const std::string& cause : complaint.causes) print_message(cause, manner.colour);
            for (std::size_t i = 0; i < std::min(most, complaint.details.size()); ++i)
                print_message(complaint.details[i], manner.colour);
            ++told;
        }
        others.insert(others.end(), complaint.checks.begin() + static_cast<std::ptrdiff_t>(named),
                      complaint.checks.end());
    }
    if (others.empty()) return;
    if (!known) {
        fmt::print("    (and {} more {}, not shown)\n", others.size(),
                   others.size() == 1 ? "check" : "checks");
        return;
    }
    print_message(fmt::format("also fails: {}", fmt::join(others, ", ")), false, "    ");
}

// The line of one step and, below it, its failures. Returns the exit code of this step.
int report_step(const std::vector<Outcome>& tests, const Manner& manner) {
    std::size_t passed = 0, not_started = 0, failed = 0;
    std::string other;
    for (const Outcome& test : tests) {
        if (test.passed) {
            ++passed;
        } else if (test.not_started()) {
            ++not_started;
        } else if (!test.waits_for().empty()) {
            other = test.waits_for();
        } else {
            ++failed;
        }
    }
    const std::string title = fmt::format("{:<38} ", tests.front().step + " " + tests.front().step_name);
    const std::string checks = tests.size() == 1 ? "check" : "checks";
    const auto say = [&](const char* colour, const std::string& text) {
        fmt::print("{}{}\n", title, manner.paint(colour, text));
    };
    if (passed == tests.size()) return say("32", fmt::format("passed ({} {})", passed, checks)), 0;
    if (failed == 0) {
        if (!other.empty()) return say("33", "waits for step " + other), 1;
        if (passed == 0 && !manner.touched) return say("0", "not started"), 3;
        say("33",
            fmt::format("unfinished: a gap is still open ({} of {} {} pass)", passed, tests.size(), checks));
        return 1;
    }
    say("31", fmt::format("FAILED ({} of {} {})", failed, tests.size(), checks));
    tell(tests, manner);
    if (not_started > 0) fmt::print("    a gap is still open: {} more did not run to the end\n", not_started);
    return 1;
}

// Each step in the order of the file. 1 if one failed, else 3 if one is not started, else 0.
int report(const std::vector<Outcome>& outcomes, bool touched) {
    const Manner manner{::isatty(STDOUT_FILENO) != 0 && std::getenv("NO_COLOR") == nullptr, touched};
    std::vector<std::string> steps;
    for (const Outcome& test : outcomes) {
        const bool known = std::find(steps.begin(), steps.end(), test.step) != steps.end();
        if (!test.step.empty() && !known) steps.push_back(test.step);
    }
    int code = 0;
    for (const std::string& step : steps) {
        std::vector<Outcome> tests;
        std::copy_if(outcomes.begin(), outcomes.end(), std::back_inserter(tests),
                     [&](const Outcome& test) { return test.step == step; });
        const int own = report_step(tests, manner);
        code = code == 1 || own == 1 ? 1 : std::max(code, own);
    }
    return code;
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
            for (const std::string& message : test.messages) print_message(without_noise(message), false);
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
            print_message(without_noise(message), false);
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
        for (const std::string& message : test.messages) print_message(without_noise(message), false);
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

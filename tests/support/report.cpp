// tests/support/report.cpp · the report of a checklist for whoever wrote the steps
#include "tests/support/report.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <sstream>

namespace tfs::test {

void print_message(const std::string& message, bool colour, const std::string& indent) {
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

namespace {

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
            for (const std::string& cause : finding.causes)
                if (std::find(own.causes.begin(), own.causes.end(), cause) == own.causes.end())
                    own.causes.push_back(cause);
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
            fmt::print("    {} {}\n", manner.paint("31", "x"), complaint.checks.front());
            for (const std::string& cause : complaint.causes) print_message(cause, manner.colour);
            for (std::size_t i = 0; i < std::min(most, complaint.details.size()); ++i)
                print_message(complaint.details[i], manner.colour);
            if (named > 1) {
                const std::vector<std::string> same(complaint.checks.begin() + 1, complaint.checks.end());
                print_message(fmt::format("the same in: {}", fmt::join(same, ", ")));
            }
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

}  // namespace

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

}  // namespace tfs::test

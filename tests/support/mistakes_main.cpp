// tests/support/mistakes_main.cpp · the main function of the checklists on stubs and mistakes, which must fail
//
//   01_attention_mistakes                       every stub and mistake of the chapter
//   01_attention_mistakes softmax               those of a step
//   01_attention_mistakes softmax.wrong_axis    one
//   … --leave-out=A.*:B.*                       tests that a stub need not run, since they tell nothing of steps
//   … --records=FOLDER                          keeps each record: FOLDER/softmax.wrong_axis.record
//
// Each answer takes the place of its step's solution in a process of its own, which writes a record (tools/report/channel.hpp):
//   a stub       all tests of its step fail as "not started", and nothing fails for another reason; or, if there is a fault to
//                find in it, one of its tests fails
//   a mistake    its step's tests catch it, and the report says what its edit file demands
// 0: all did; 1: one did not, and is named. Bad arguments, or a step without tests: exit code 2.
#include <fcntl.h>
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <stdexcept>
#include <string>
#include <vector>

#include "tests/support/answers.hpp"
#include "tests/support/collector.hpp"
#include "tools/report/message.hpp"
#include "tools/report/report.hpp"
#include "tools/steps/gaps.hpp"
#include "tools/steps/mistake.hpp"
#include "tools/steps/tutorial.hpp"

namespace tfs::test {
namespace {

namespace fs = std::filesystem;
using report::Outcome;
using report::wrapped;

constexpr unsigned most_seconds = 120;  // of one answer: a mistake may be an endless loop

struct Refusal : std::runtime_error {
    using std::runtime_error::runtime_error;
};

const steps::Step& step_named(const std::string& name) {
    static const std::vector<steps::Step> all = steps::read_tutorial(TFS_SOURCE_DIR).steps();
    const auto found =
        std::find_if(all.begin(), all.end(), [&](const auto& step) { return step.name == name; });
    if (found == all.end()) throw Refusal("there is no step " + name);
    return *found;
}

// ------------------------------------------------------------------------------------------------------------------
// A process for each answer

struct Run {
    std::string events;  // as the checklist wrote them
    report::Record record;
    report::Ending ending;
};

[[noreturn]] void run_tests(const std::string& step, const std::string& answer, const std::string& filter,
                            int to) {
    Answers::of(step)->choose(answer);
    GTEST_FLAG_SET(filter, filter);
    ::alarm(most_seconds);
    collect(report::Channel(to), Comparisons::recorded);
    [[maybe_unused]] const int failures = RUN_ALL_TESTS();
    ::_exit(0);  // buffers and destructors are the parent's
}

std::string read_all(int from) {
    std::string text;
    char buffer[1 << 16];
    for (ssize_t count; (count = ::read(from, buffer, sizeof buffer)) > 0;)
        text.append(buffer, static_cast<std::size_t>(count));
    return text;
}

report::Ending ending_of(int status, int errors) {
    using Kind = report::Ending::Kind;
    ::lseek(errors, 0, SEEK_SET);
    if (WIFEXITED(status)) return {Kind::exit, WEXITSTATUS(status), {}};
    if (WTERMSIG(status) == SIGALRM) return {Kind::time_limit, most_seconds, {}};
    return {Kind::signal, WTERMSIG(status), read_all(errors)};
}

Run run_answer(const std::string& step, const std::string& answer, const std::string& filter) {
    int ends[2];
    std::FILE* const errors = std::tmpfile();
    if (::pipe(ends) != 0 || errors == nullptr) throw Refusal("no pipe or no temporary file could be made");
    std::fflush(nullptr);
    const pid_t child = ::fork();
    if (child < 0) throw Refusal("no process could be made");
    if (child == 0) {
        ::close(ends[0]);
        ::dup2(::open("/dev/null", O_WRONLY), STDOUT_FILENO);  // a wrong answer may print what it likes
        ::dup2(::fileno(errors), STDERR_FILENO);
        run_tests(step, answer, filter, ends[1]);
    }
    ::close(ends[1]);
    Run run;
    run.events = read_all(ends[0]);
    ::close(ends[0]);
    int status = 0;
    ::waitpid(child, &status, 0);
    run.record = report::read_record(run.events);
    run.ending = ending_of(status, ::fileno(errors));
    std::fclose(errors);
    return run;
}

// ------------------------------------------------------------------------------------------------------------------
// What must come

// What is wrong with a run, for people; empty where it is as it must be.
using Complaint = std::string;

std::string messages_of(const Outcome& test) {
    std::string text;
    for (const std::string& message : test.messages) text += wrapped(report::in_plain_words(message));
    return text;
}

// What a learner reads of this run. Lines are not wrapped: a sentence stands in one.
std::string told_of(const Run& run) {
    const report::Report report = report::report_of(run.record, run.ending, {.columns = 100000});
    return report.headline + '\n' + report.details;
}

// How a run ended that did not come to its end.
Complaint cut_short(const Run& run) { return run.record.done ? "" : told_of(run); }

Complaint judge_stub(const Run& run, const std::string& step) {
    Complaint complaint = cut_short(run);
    for (const Outcome& test : run.record.outcomes) {
        const std::string name = test.step + ": " + report::in_words(test.name);
        if (test.step == step && test.passed)
            complaint += name + "\n    passes on the stub: it checks nothing that the stub lacks\n";
        else if (test.step == step ? !test.not_started()
                                   : !test.passed && !test.waits_for().ends_with(" " + step))
            complaint += fmt::format("{}\n    does not fail as \"not started: step {}\"; it says:\n{}", name,
                                     step, messages_of(test));
    }
    return complaint;
}

Complaint judge_fault(const Run& run) {
    if (!run.record.done) return cut_short(run);
    const auto& tests = run.record.outcomes;
    const bool noticed = std::any_of(tests.begin(), tests.end(), [](const Outcome& test) {
        return !test.passed && test.waits_for().empty();
    });
    return noticed ? "" : "no test notices the fault in the exercise\n";
}

Complaint judge_mistake(const Run& run, const steps::Mistake& mistake) {
    if (run.record.all_passed())
        return fmt::format("the checklist lets it through: all {} tests of the step pass\n",
                           run.record.planned);
    const std::string told = told_of(run);
    const std::string missing = mistake.missing_in(told);
    return missing.empty() ? "" : fmt::format("it is caught, but {}; the report says:\n{}", missing, told);
}

struct Options {
    std::vector<std::string> chosen;  // steps or mistakes; none: all
    std::string left_out;
    fs::path records;
};

Complaint complaint_of(const std::string& step, const std::string& answer, const Options& options) {
    const bool is_stub = answer == "stub";
    const fs::path root = TFS_SOURCE_DIR;
    const bool seeks_fault =
        is_stub && steps::seeks_fault(steps::read_text(root / step_named(step).solution()));
    const Run run = run_answer(step, answer, is_stub && !seeks_fault ? "-" + options.left_out : step + ".*");
    if (!options.records.empty())
        steps::write_text(options.records / (step + "." + answer + ".record"), run.events);
    if (std::none_of(run.record.outcomes.begin(), run.record.outcomes.end(),
                     [&](const Outcome& test) { return test.step == step; }))
        return run.record.done ? "no test is of this step\n" : cut_short(run);
    if (is_stub) return seeks_fault ? judge_fault(run) : judge_stub(run, step);
    return judge_mistake(run, steps::read_mistake(root / "tests" / step_named(step).folder / "mistakes" /
                                                  (step + "." + answer + ".edit")));
}

// ------------------------------------------------------------------------------------------------------------------

// The answers that an argument names, as (step, answer).
std::vector<std::pair<std::string, std::string>> answers_named(const std::string& argument) {
    const std::string step = argument.substr(0, argument.find('.'));
    const Answers* const answers = Answers::of(step);
    if (answers == nullptr) throw Refusal("this chapter has no step " + step);
    std::vector<std::pair<std::string, std::string>> found;
    for (const std::string& name : answers->names())
        if (argument == step || argument == step + "." + name) found.emplace_back(step, name);
    if (found.empty()) throw Refusal("there is no mistake " + argument);
    return found;
}

Options options_of(const std::vector<std::string>& arguments) {
    const std::string leave_out = "--leave-out=", records = "--records=";
    Options options;
    for (const std::string& argument : arguments) {
        if (argument.starts_with(leave_out))
            options.left_out = argument.substr(leave_out.size());
        else if (argument.starts_with(records))
            options.records = argument.substr(records.size());
        else
            options.chosen.push_back(argument);
    }
    if (options.chosen.empty()) options.chosen = Answers::steps();
    return options;
}

int run(const Options& options) {
    std::size_t failures = 0, answers = 0;
    for (const std::string& chosen : options.chosen) {
        for (const auto& [step, answer] : answers_named(chosen)) {
            const Complaint complaint = complaint_of(step, answer, options);
            ++answers;
            if (complaint.empty()) continue;
            ++failures;
            fmt::print("{}.{}: {}\n", step, answer, complaint);
        }
    }
    fmt::print("{} of {} stubs and mistakes fail as they must\n", answers - failures, answers);
    return failures == 0 ? 0 : 1;
}

}  // namespace
}  // namespace tfs::test

int main(int argc, char** argv) {
    testing::InitGoogleTest(&argc, argv);
    try {
        return tfs::test::run(tfs::test::options_of({argv + 1, argv + argc}));
    } catch (const std::exception& error) {
        fmt::print(stderr, "mistakes: {}\n", error.what());
        return 2;
    }
}

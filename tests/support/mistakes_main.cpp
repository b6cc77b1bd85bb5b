// tests/support/mistakes_main.cpp · the main function of the checklists on stubs and mistakes, which must fail
//
//   01_attention_mistakes                       every stub and mistake of the chapter
//   01_attention_mistakes softmax               those of a step
//   01_attention_mistakes softmax.wrong_axis    one
//   … --leave-out=A.*:B.*                       tests that a stub need not run, since they tell nothing of steps
//   … --records=FOLDER                          keeps each record: FOLDER/softmax.wrong_axis
//   … --against=FOLDER                          seeks causes in the records that are kept there, of other kernels or options
//   … --told                                    prints what a learner reads of each
//
// Each answer takes the place of its step's solution in a process of its own, which writes a record (tools/verdict/channel.hpp):
//   a stub            all tests of its step fail as "not started", and nothing fails for another reason; or, if there is a fault to
//                     find in it, one of its tests fails
//   a mistake         its step's tests catch it, no failure hides its values, and the causes that are found are its own
//   a right answer    passes
//   an unseen one     is caught, and has its own cause or none
// 0: all did; 1: one did not, and is named. Bad arguments, or a step without tests: exit code 2.
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <map>
#include <set>
#include <stdexcept>
#include <string>
#include <vector>

#include "tests/support/answers.hpp"
#include "tests/support/runs.hpp"
#include "tools/steps/gaps.hpp"
#include "tools/steps/mistake.hpp"
#include "tools/steps/tutorial.hpp"
#include "tools/verdict/causes.hpp"
#include "tools/verdict/report.hpp"

namespace tfs::test {
namespace {

namespace fs = std::filesystem;
using verdict::Outcome;
using verdict::wrapped;

constexpr unsigned most_seconds = 6, most_seconds_of_all = 60;  // of an answer on its own tests, and on all

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
// What must come

// What is wrong with a run, for people; empty where it is as it must be.
using Complaint = std::string;

std::string messages_of(const Outcome& test) {
    std::string text;
    for (const verdict::Failure& failure : test.failures)
        text += wrapped(verdict::in_plain_words(failure.message));
    return text;
}

// What a learner reads of this run. Lines are not wrapped: a sentence stands in one.
std::string told_of(const Run& run, const verdict::Sought& sought = {}) {
    const verdict::Report report =
        verdict::report_of(run.record, run.record.ending, {.columns = 100000}, sought);
    return report.headline + '\n' + report.details;
}

// How a run ended that did not come to its end.
Complaint cut_short(const Run& run) { return run.record.done ? "" : told_of(run); }

Complaint judge_stub(const Run& run, const std::string& step) {
    Complaint complaint = cut_short(run);
    for (const Outcome& test : run.record.outcomes) {
        const std::string name = test.step + ": " + verdict::in_words(test.name);
        if (test.step == step && (test.passed || test.left_out))
            complaint += name + "\n    passes on the stub: it checks nothing that the stub lacks\n";
        else if (test.step == step ? !test.not_started()
                                   : test.failed() || (!test.waits_for().empty() &&
                                                       !test.waits_for().ends_with(" " + step)))
            complaint += fmt::format("{}\n    does not fail as \"not started: step {}\"; it says:\n{}", name,
                                     step, messages_of(test));
    }
    return complaint;
}

Complaint judge_fault(const Run& run) {
    if (!run.record.done) return cut_short(run);
    const auto& tests = run.record.outcomes;
    const bool noticed =
        std::any_of(tests.begin(), tests.end(), [](const Outcome& test) { return test.failed(); });
    return noticed ? "" : "no test notices the fault in the exercise\n";
}

// "EXPECT_TRUE(a == b)" says nothing of a and b.
Complaint hidden_values(const Run& run) {
    for (const Outcome& test : run.record.outcomes)
        for (const verdict::Failure& failure : test.failures)
            if (const std::string words = verdict::in_plain_words(failure.message);
                words.starts_with("this must be "))
                return fmt::format("{} hides what came: {}; say it, as in EXPECT_TRUE(…) << came\n",
                                   failure.where, words);
    return {};
}

// What a learner may read of it; of an unseen one with several mistakes, "first AND second".
std::vector<std::string> own_sentences(const steps::Mistake& mistake) {
    if (mistake.kind != steps::Mistake::Kind::unseen) return mistake.sentences;
    constexpr std::string_view between = " AND ";
    std::vector<std::string> own;
    std::string rest = mistake.sentences.front();
    for (std::size_t at; (at = rest.find(between)) != std::string::npos; rest.erase(0, at + between.size()))
        own.push_back(rest.substr(0, at));
    own.push_back(rest);
    return own;
}

Complaint judge_causes(const Run& run, const steps::Mistake& mistake, const verdict::Sought& sought) {
    const std::vector<std::string> own = own_sentences(mistake);
    const std::set<std::string> may(own.begin(), own.end());
    std::set<std::string> told;
    for (const verdict::Cause& cause : sought.found) told.insert(cause.sentence);
    const bool unseen = mistake.kind == steps::Mistake::Kind::unseen;
    const bool fine = unseen ? std::includes(may.begin(), may.end(), told.begin(), told.end()) : told == may;
    if (fine) return hidden_values(run);
    return fmt::format("its cause is not what is told: \"{}\"; the report says:\n{}",
                       fmt::join(own, "\" and \""), told_of(run, sought));
}

struct Options {
    std::vector<std::string> chosen;  // steps or answers; none: all
    std::string left_out;
    fs::path records, against;
    bool told = false;
};

// ------------------------------------------------------------------------------------------------------------------
// A step

// Its answers but the stub, by title, as they are kept.
std::map<std::string, steps::Mistake> kept_answers(const steps::Step& step) {
    const fs::path file = fs::path(TFS_SOURCE_DIR) / "tests" / step.folder / (step.name + ".mistakes");
    std::map<std::string, steps::Mistake> kept;
    if (fs::exists(file))
        for (const steps::Mistake& mistake : steps::read_mistakes(file)) kept[mistake.title()] = mistake;
    return kept;
}

bool is_known(const steps::Mistake& mistake) {
    return mistake.kind == steps::Mistake::Kind::mistake || mistake.kind == steps::Mistake::Kind::fault;
}

class StepsAnswers {
  public:
    StepsAnswers(const std::string& step, const Options& options)
        : step_(step_named(step)), options_(options), kept_(kept_answers(step_)) {
        seeks_fault_ = steps::seeks_fault(steps::read_text(fs::path(TFS_SOURCE_DIR) / step_.solution()));
    }

    // How many of these answers don't fail as they must; says which.
    std::size_t judge(const std::vector<std::string>& answers) {
        std::vector<Run> runs;
        for (const std::string& answer : answers) {
            const bool of_all = answer == "stub" && !seeks_fault_;
            runs.push_back(of_all ? Run{step_.name, answer, "-*_in_the_long_run:" + options_.left_out,
                                        most_seconds_of_all}
                                  : Run{step_.name, answer, tests_for_mistakes(step_.name), most_seconds});
        }
        run_answers(runs, 1);
        std::size_t failures = 0;
        read_known(runs);
        for (const Run& run : runs) {
            if (!options_.records.empty())
                steps::write_text(options_.records / (run.step + "." + run.answer), run.events);
            const Complaint complaint = complaint_of(run);
            if (complaint.empty()) continue;
            ++failures;
            fmt::print("{}.{}: {}\n", run.step, run.answer, complaint);
        }
        return failures;
    }

  private:
    const steps::Step& step_;
    const Options& options_;
    std::map<std::string, steps::Mistake> kept_;
    bool seeks_fault_ = false;
    std::vector<verdict::Known> known_ = {};

    void read_known(const std::vector<Run>& runs) {
        for (const Run& run : runs) {
            const auto kept = kept_.find(run.answer);
            if (kept == kept_.end() || !is_known(kept->second)) continue;
            known_.push_back({kept->second.name, kept->second.sentences, run.record});
            if (!options_.against.empty())
                known_.back().record =
                    verdict::read_record(steps::read_text(options_.against / (run.step + "." + run.answer)));
        }
    }

    // As the runner does where no mistake alone is the cause.
    std::vector<verdict::Cause> found_in_pairs(const Run& her) const {
        std::vector<Run> runs;
        for (const std::string& pair : verdict::likely_pairs(her.record, her.record.ending, known_))
            runs.push_back({step_.name, pair, tests_for_mistakes(step_.name), most_seconds});
        run_answers(runs, 1);
        std::vector<verdict::Known> with_pairs = known_;
        for (const Run& run : runs) with_pairs.push_back(verdict::pair_of(known_, run.answer, run.record));
        return verdict::causes_of(her.record, her.record.ending, with_pairs);
    }

    Complaint complaint_of(const Run& run) const {
        const auto& tests = run.record.outcomes;
        if (std::none_of(tests.begin(), tests.end(),
                         [&](const Outcome& test) { return test.step == step_.name; }))
            return run.record.done ? "no test is of this step\n" : cut_short(run);
        if (run.answer == "stub") return seeks_fault_ ? judge_fault(run) : judge_stub(run, step_.name);
        const steps::Mistake& mistake = kept_.at(run.answer);
        const bool passes =
            run.record.done &&
            std::all_of(tests.begin(), tests.end(), [](const Outcome& test) { return !test.failed(); });
        if (mistake.kind == steps::Mistake::Kind::right)
            return passes ? "" : "it is right, and fails:\n" + told_of(run);
        if (passes)
            return fmt::format("the checklist lets it through: all {} tests of the step pass\n",
                               tests.size());
        verdict::Sought sought{verdict::Sought::When::now,
                               verdict::causes_of(run.record, run.record.ending, known_)};
        if (sought.found.empty()) sought.found = found_in_pairs(run);
        if (options_.told) fmt::print("=== {}.{}\n{}\n", run.step, run.answer, told_of(run, sought));
        return judge_causes(run, mistake, sought);
    }
};

// ------------------------------------------------------------------------------------------------------------------

// The answers that an argument names.
std::vector<std::string> answers_named(const std::string& argument) {
    const std::string step = argument.substr(0, argument.find('.'));
    const Answers* const answers = Answers::of(step);
    if (answers == nullptr) throw Refusal("this chapter has no step " + step);
    std::vector<std::string> found;
    for (const std::string& name : answers->names())
        if (argument == step || argument == step + "." + name) found.push_back(name);
    if (found.empty()) throw Refusal("there is no answer " + argument);
    return found;
}

Options options_of(const std::vector<std::string>& arguments) {
    const std::string leave_out = "--leave-out=", records = "--records=", against = "--against=";
    Options options;
    for (const std::string& argument : arguments) {
        if (argument.starts_with(leave_out))
            options.left_out = argument.substr(leave_out.size());
        else if (argument.starts_with(records))
            options.records = argument.substr(records.size());
        else if (argument.starts_with(against))
            options.against = argument.substr(against.size());
        else if (argument == "--told")
            options.told = true;
        else
            options.chosen.push_back(argument);
    }
    if (options.chosen.empty()) options.chosen = Answers::steps();
    return options;
}

int run(const Options& options) {
    std::size_t failures = 0, all = 0;
    for (const std::string& chosen : options.chosen) {
        const std::vector<std::string> answers = answers_named(chosen);
        failures += StepsAnswers(chosen.substr(0, chosen.find('.')), options).judge(answers);
        all += answers.size();
    }
    fmt::print("{} of {} stubs and answers come to what they must\n", all - failures, all);
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

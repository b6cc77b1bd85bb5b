// tools/tutorial/check.cpp · ./tutorial check: builds and runs the steps' checklists, and seeks the causes of what fails
#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <optional>
#include <set>

#include "common/terminal/display.hpp"
#include "tools/steps/gaps.hpp"
#include "tools/steps/mistake.hpp"
#include "tools/tutorial/check.hpp"
#include "tools/tutorial/run_programs.hpp"

namespace tfs::tutorial {

namespace {

// Why a check failed: what the step's mistakes come to on the same tests. The program records_01_attention_softmax runs them all and
// writes their records (tools/verdict/causes.hpp). It is built when a check of the step fails for the first time; the records are
// kept in build/release/records/ with a stamp of all that they depend on, and later checks find the causes there.

using Mistakes = std::vector<verdict::Known>;

fs::path mistakes_of(const steps::Step& step) {
    return fs::path("tests") / step.folder / (step.name + ".mistakes");
}

std::string records_target(const steps::Step& step) { return "records_" + step.folder + "_" + step.name; }

fs::path records_of(const steps::Step& step) { return build_folder / "records" / step.folder / step.name; }

fs::path stamp_of(const steps::Step& step) { return records_of(step) / ".stamp"; }

// All that the records depend on: the program, which is linked anew when a library has changed, and the kernels of BLAS.
std::string stamp(const steps::Step& step) {
    const fs::path program = program_folder / records_target(step);
    std::error_code absent;
    const auto size = fs::file_size(program, absent);
    const auto time = fs::last_write_time(program, absent).time_since_epoch().count();
    const char* const kernels = std::getenv("OPENBLAS_CORETYPE");
    return fmt::format("{} {} {}\n", absent ? 0 : size, absent ? 0 : time, kernels == nullptr ? "" : kernels);
}

// What the learner reads. Of a fault that she has to find, only that it is there: its sentence would be the answer.
std::vector<std::string> told_of(const Session& session, const steps::Mistake& mistake,
                                 const steps::Step& step) {
    if (mistake.kind != steps::Mistake::Kind::fault) return mistake.sentences;
    return {fmt::format("a fault that this file had from the beginning is still there; {} helps to find it",
                        typed(session, "h", "hint " + step.id()))};
}

Mistakes read_mistakes(const Session& session, const steps::Step& step) {
    Mistakes known;
    std::set<std::string> pairs;  // what else is there
    for (const auto& entry : fs::directory_iterator(records_of(step)))
        pairs.insert(entry.path().filename().string());
    const auto record = [&](const std::string& name) {
        return verdict::read_record(steps::read_text(records_of(step) / name));
    };
    for (const steps::Mistake& mistake : steps::read_mistakes(mistakes_of(step)))
        if (pairs.erase(mistake.title()) > 0)
            known.push_back({mistake.title(), told_of(session, mistake, step), record(mistake.title())});
    const Mistakes single = known;
    for (const std::string& pair : pairs)
        if (pair.find('+') != std::string::npos)
            known.push_back(verdict::pair_of(single, pair, record(pair)));
    return known;
}

bool run_records(const steps::Step& step, const std::vector<std::string>& pairs, const Stop& stop) {
    Command command;
    command.words = {(program_folder / records_target(step)).string(), records_of(step).string()};
    command.words.insert(command.words.end(), pairs.begin(), pairs.end());
    command.memory_limit = memory_limit_of_checks();
    command.environment = without_settings_of_threads();
    command.environment.emplace_back("OMP_NUM_THREADS=1");  // several mistakes run at once
    return ask(command, stop).code == 0;
}

// The kept records; none where they are not of what is built now.
std::optional<Mistakes> kept_mistakes(const Session& session, const steps::Step& step) {
    if (!fs::exists(stamp_of(step)) || steps::read_text(stamp_of(step)) != stamp(step)) return {};
    return read_mistakes(session, step);
}

// Builds the program and runs the mistakes. None where it can't be built, or doesn't run.
std::optional<Mistakes> run_mistakes(const Session& session, const steps::Step& step, const Stop& stop) {
    if (!build(session, {records_target(step)}, stop).complete || !run_records(step, {}, stop)) return {};
    steps::write_text(stamp_of(step), stamp(step));
    return read_mistakes(session, step);
}

// Untouched, a step is not started; but where a fault is to be found, the check shows it.
bool is_not_started(const steps::Step& step, State state) {
    return state == State::stub && !steps::seeks_fault(step);
}

// Builds the checks of all steps that are started.
Build build_checks(const Session& session, const Steps& steps, const States& states, Checklist kind,
                   const Stop& stop) {
    std::vector<std::string> targets;
    for (const steps::Step& step : steps) {
        if (const State state = state_of(states, step);
            state == State::missing || is_not_started(step, state))
            continue;
        targets.push_back(kind == Checklist::plain ? step.check_target() : step.sanitize_target());
        if (session.for_play) targets.push_back(target_of_mine(step));
        if (kind == Checklist::plain && session.causes && fs::exists(stamp_of(step)))
            targets.push_back(records_target(step));  // so that kept records are those of now
    }
    if (targets.empty()) return {.complete = true};
    Build built = build(session, targets, stop);
    if (!built.complete && !built.some_edge_failed()) give_up(built, 2);
    return built;
}

// A failed check whose causes are still to be sought.
struct Unexplained {
    verdict::Record record;
    verdict::Ending ending;
};

bool is_failed(const verdict::Record& record) {
    return std::any_of(record.outcomes.begin(), record.outcomes.end(),
                       [](const verdict::Outcome& test) { return test.failed(); });
}

// Those whose records are not there yet.
std::vector<std::string> new_pairs(std::vector<std::string> pairs, const Mistakes& known) {
    std::erase_if(pairs, [&](const std::string& pair) {
        return std::any_of(known.begin(), known.end(),
                           [&](const verdict::Known& one) { return one.name == pair; });
    });
    return pairs;
}

StepReport report_on_plain(const Session& session, const steps::Step& step, const Checked& checked,
                           std::optional<Unexplained>& unexplained) {
    verdict::Sought sought;
    if (session.causes && fs::exists(mistakes_of(step)) && is_failed(checked.record) &&
        !checked.record.causes_left_out) {
        const auto kept = kept_mistakes(session, step);
        if (kept)
            sought = {verdict::Sought::When::now, verdict::causes_of(checked.record, checked.ending, *kept)};
        if (sought.found.empty() &&
            (!kept ||
             !new_pairs(verdict::likely_pairs(checked.record, checked.ending, *kept), *kept).empty())) {
            sought.when = verdict::Sought::When::later;
            unexplained = {checked.record, checked.ending};
        }
    }
    return report_on(session, step, checked, sought);
}

// After the failures are on the screen.
void say_causes(const Session& session, const steps::Step& step, const Unexplained& her, const Stop& stop) {
    const HeldSignals signals;  // a Ctrl-C before the first command runs is as one while it runs
    auto mistakes = kept_mistakes(session, step);
    if (!mistakes) {
        for (const std::string& line :
             wrap("    the cause is sought among the mistakes of this step: some seconds, the first time",
                  session.terminal.columns.value_or(screen_columns), 6))
            fmt::print(stderr, "{}\n", line);
        mistakes = run_mistakes(session, step, stop);
    }
    if (!mistakes) {
        fmt::print(stderr, "    the mistakes of this step could not be run: no cause is known\n");
        return;
    }
    auto found = verdict::causes_of(her.record, her.ending, *mistakes);
    if (found.empty()) {
        const auto pairs = new_pairs(verdict::likely_pairs(her.record, her.ending, *mistakes), *mistakes);
        if (!pairs.empty() && run_records(step, pairs, stop)) mistakes = read_mistakes(session, step);
        found = verdict::causes_of(her.record, her.ending, *mistakes);
    }
    fmt::print("{}", told_later(session, found));
    std::fflush(stdout);
}

StepReport check_one(const Session& session, const steps::Step& step, State state, const Build& built,
                     Checklist kind, const Stop& stop, std::optional<Unexplained>& unexplained) {
    if (is_not_started(step, state)) return {state, "not started", {}};
    if (state == State::missing)
        return {state,
                paint(session.terminal, "31", "its file is missing"),
                {fmt::format("    {} brings it back", typed(session, "r", "reset " + step.id()))}};
    if (const auto unbuilt = report_unbuilt(session, step, built)) return *unbuilt;
    Checked checked = run_checklist(step, kind, stop);
    checked.record.causes_left_out = state == State::stub;
    StepReport told = kind == Checklist::plain ? report_on_plain(session, step, checked, unexplained)
                                               : report_on_sanitized(session, step, checked);
    if (state == State::stub && told.result != State::passed)
        told = {state, "not mended yet: " + told.headline, told.details};
    return told;
}

// "1.2 softmax", and the space before the headlines.
std::size_t label_width(const Session& session, const Steps& steps) {
    if (session.terminal.columns.value_or(80) >= 80) return 39;
    std::size_t width = 0;
    for (const steps::Step& step : steps) width = std::max(width, step.id().size() + step.name.size() + 2);
    return std::min<std::size_t>(width, 39);
}

void print(const Session& session, const steps::Step& step, const StepReport& report, std::size_t width) {
    say(session.terminal, pad(step.id() + " " + step.name, width - 1) + " " + report.headline);
    for (const std::string& line : report.details)
        if (line.find(": error: ") != std::string::npos)
            say(session.terminal, line, 8);
        else  // wrapped already, or code
            fmt::print("{}\n", line);
    std::fflush(stdout);
}

// The first of these steps that was begun and does not pass. Else the first of them; of several chapters, the one that
// was checked last.
steps::Step place_of_check(const Session& session, const Steps& steps, const States& states) {
    if (const steps::Step* begun = first_begun(states, steps)) return *begun;
    if (steps.front().chapter != steps.back().chapter) {
        const std::string last = memory::last_step();
        for (const steps::Step& step : session.tutorial.steps())
            if (step.name == last && !left_out(states, step)) return step;
    }
    return steps.front();
}

}  // namespace

int check(const Session& session, const Steps& steps, Checklist kind, const Stop& stop) {
    memory::require_writable(session.tutorial);
    if (kind == Checklist::sanitized) forget_sanitizer_log();
    States states = read_states(session);
    const Build built = build_checks(session, steps, states, kind, stop);
    const std::size_t width = label_width(session, steps);
    bool all_pass = true;
    for (const steps::Step& step : steps) {
        std::optional<Unexplained> unexplained;
        const StepReport report =
            check_one(session, step, state_of(states, step), built, kind, stop, unexplained);
        print(session, step, report, width);
        const bool fine = report.result == State::passed || (steps.size() > 1 && left_out(states, step));
        all_pass = all_pass && fine;
        if (kind == Checklist::plain) remember(states, step, report.result);
        if (unexplained) say_causes(session, step, *unexplained, stop);
    }
    if (!session.leads) fmt::print("\n");
    if (kind == Checklist::plain && !session.leads) say_done(session, states, steps);
    const steps::Step place = place_of_check(session, steps, states);
    memory::remember_last(place);
    if (!session.for_play && !session.leads)
        say_next(session, states, place);  // commands: a page has buttons
    std::fflush(stdout);                   // watch goes on
    return all_pass ? 0 : 1;
}

}  // namespace tfs::tutorial

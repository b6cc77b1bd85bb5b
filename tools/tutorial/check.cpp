// tools/tutorial/check.cpp · ./tutorial check: builds and runs the steps' checklists
#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <optional>
#include <string>

#include "common/terminal/display.hpp"
#include "tools/steps/gaps.hpp"
#include "tools/steps/text.hpp"
#include "tools/tutorial/advice.hpp"
#include "tools/tutorial/build.hpp"
#include "tools/tutorial/causes.hpp"
#include "tools/tutorial/check_report.hpp"
#include "tools/tutorial/commands.hpp"
#include "tools/tutorial/memory.hpp"
#include "tools/tutorial/mine_passed.hpp"

namespace tfs::tutorial {

namespace {

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
        if (const std::string kept = target_of_kept_records(session, step);
            !kept.empty() && kind == Checklist::plain)
            targets.push_back(kept);
    }
    if (targets.empty()) {
        Build nothing;
        nothing.complete = true;
        return nothing;
    }
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
std::vector<std::string> new_pairs(std::vector<std::string> pairs, const std::vector<verdict::Known>& known) {
    std::erase_if(pairs, [&](const std::string& pair) {
        return std::any_of(known.begin(), known.end(),
                           [&](const verdict::Known& one) { return one.name == pair; });
    });
    return pairs;
}

StepReport report_on_plain(const Session& session, const steps::Step& step, const Checked& checked,
                           std::optional<Unexplained>& unexplained) {
    verdict::Sought sought;
    if (has_mistakes(session, step) && is_failed(checked.record) && !checked.record.causes_left_out) {
        const auto kept = kept_mistakes(step);
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
    auto mistakes = kept_mistakes(step);
    if (!mistakes) {
        fmt::print(stderr,
                   "    the cause is sought among the mistakes of this step: some seconds, the first time\n");
        mistakes = run_mistakes(session, step, stop);
    }
    if (!mistakes) {
        fmt::print(stderr, "    the mistakes of this step could not be run: no cause is known\n");
        return;
    }
    auto found = verdict::causes_of(her.record, her.ending, *mistakes);
    if (found.empty()) {
        run_pairs(step, new_pairs(verdict::likely_pairs(her.record, her.ending, *mistakes), *mistakes),
                  *mistakes, stop);
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
                {fmt::format("    ./tutorial reset {} brings it back", step.id())}};
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
    fmt::print("{}", steps::join_lines(report.details));
    std::fflush(stdout);
}

// The first of these steps that was begun and does not pass. Else the first of them; of several chapters, the one that
// was checked last.
steps::Step place_of(const Session& session, const Steps& steps, const States& states) {
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
    fmt::print("\n");
    if (kind == Checklist::plain) say_done(session, states, steps);
    const steps::Step place = place_of(session, steps, states);
    memory::remember_last(place);
    if (!session.for_play) say_next(session, states, place);  // commands: a page has buttons
    std::fflush(stdout);                                      // watch goes on
    return all_pass ? 0 : 1;
}

}  // namespace tfs::tutorial

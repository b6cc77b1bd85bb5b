// tools/tutorial/check_report.cpp · what is printed about one step
#include "tools/tutorial/check_report.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "common/terminal/display.hpp"
#include "tools/steps/gaps.hpp"
#include "tools/tutorial/memory.hpp"
#include "tools/tutorial/sanitizer.hpp"

namespace tfs::tutorial {

namespace {

void append(steps::Lines& lines, const steps::Lines& more) {
    lines.insert(lines.end(), more.begin(), more.end());
}

// A wide terminal does not make the lines of a report longer.
Terminal for_reading(Terminal terminal) {
    terminal.columns = std::min(terminal.columns.value_or(screen_columns), screen_columns);
    return terminal;
}

State result_of(verdict::Report::Verdict verdict) {
    using Verdict = verdict::Report::Verdict;
    return verdict == Verdict::passed   ? State::passed
           : verdict == Verdict::failed ? State::failed
                                        : State::unfinished;
}

// "still open in exercises/…: line 12 (softmax), line 20 (operator())"
steps::Lines shown_gaps(const Session& session, const steps::Step& step) {
    std::string gaps;
    for (const steps::OpenGap& gap : steps::open_gaps(steps::read_text(step.exercise()), step.name))
        gaps += fmt::format("{}line {} ({})", gaps.empty() ? "" : ", ", gap.line, gap.function);
    if (gaps.empty()) return {};
    const std::string sentence = fmt::format("still open in {}: {}", step.exercise().string(), gaps);
    return steps::split_lines(verdict::wrapped(sentence, for_reading(session.terminal), "    "));
}

steps::Lines shown_warnings(const steps::Step& step) {
    constexpr std::size_t most = 5;
    const steps::Lines warnings = memory::warnings_of(step);
    if (warnings.empty()) return {};
    steps::Lines shown = {"    the compiler warns:"};
    for (std::size_t i = 0; i < std::min(most, warnings.size()); ++i)
        shown.push_back("      " + truncate(harmless(warnings[i]), 400));
    return shown;
}

const fs::path sanitizer_log = memory::folder / "sanitize.log";

void keep_sanitizer_log(const steps::Step& step, const std::string& output) {
    const std::string earlier = fs::exists(sanitizer_log) ? steps::read_text(sanitizer_log) : "";
    steps::write_text(sanitizer_log,
                      fmt::format("{}step {} {}\n{}\n", earlier, step.id(), step.name, output));
}

// `advice` stands below what is known of a crash.
StepReport report_with(const Session& session, const steps::Step& step, const Checked& checked,
                       const std::string& advice, const verdict::Sought& sought = {}) {
    const verdict::Report report =
        verdict::report_of(checked.record, checked.ending, for_reading(session.terminal), sought);
    StepReport told{result_of(report.verdict), report.headline, steps::split_lines(report.details)};
    if (checked.ending.kind == verdict::Ending::Kind::signal && !advice.empty())
        told.details.push_back(advice);
    if (checked.record.done && told.result != State::passed) append(told.details, shown_gaps(session, step));
    if (told.result == State::failed) append(told.details, shown_warnings(step));
    append(told.details, shown_output(checked.output, checked.record));
    return told;
}

}  // namespace

std::optional<StepReport> report_unbuilt(const Session& session, const steps::Step& step,
                                         const Build& built) {
    if (built.complete) return {};
    const auto failed = [&](const auto& asked) {
        return std::any_of(built.edges.begin(), built.edges.end(),
                           [&](const Edge& edge) { return edge.failed && asked(edge); });
    };
    const auto own = [&](const Edge& edge) { return compiles(edge, step) || links_check(edge, step); };
    const auto common = [](const Edge& edge) { return !is_learners(edge); };
    if (failed(own)) {
        if (steps::is_utf16(steps::read_text(step.exercise())))
            return StepReport{State::unbuilt,
                              paint(session.terminal, "31", "its file is saved as UTF-16"),
                              {fmt::format("    save {} as UTF-8", step.exercise().string())}};
        return StepReport{State::unbuilt, paint(session.terminal, "31", "DOES NOT COMPILE"),
                          errors_of(built.edges, own)};
    }
    if (!failed(common)) return {};
    const steps::Lines errors = errors_of(built.edges, common);
    if (errors.empty()) give_up(built, 2);
    return StepReport{State::unchecked,
                      "could not be built, because something else does not compile:", errors};
}

StepReport report_on(const Session& session, const steps::Step& step, const Checked& checked,
                     const verdict::Sought& sought) {
    return report_with(session, step, checked,
                       fmt::format("    To find the line: ./tutorial check {} --sanitize", step.id()),
                       sought);
}

std::string told_later(const Session& session, const std::vector<verdict::Cause>& found) {
    return verdict::told_later(found, for_reading(session.terminal));
}

void forget_sanitizer_log() {
    std::error_code absent;
    fs::remove(sanitizer_log, absent);
}

StepReport report_on_sanitized(const Session& session, const steps::Step& step, const Checked& checked) {
    auto finding = sanitizer_finding(checked.output.text(), step);
    if (!finding) {
        StepReport told = report_with(session, step, checked, "");
        told.details.insert(told.details.begin(), "    The sanitizers found nothing.");
        return told;
    }
    keep_sanitizer_log(step, checked.output.text());
    if (const std::string& cause = checked.record.crash_cause; !cause.empty()) finding->in_words = cause;
    const verdict::Outcome* const test = checked.record.interrupted();
    const std::string where =
        test != nullptr ? "in the check: " + verdict::in_words(test->name) : "outside of the checks";
    StepReport told{State::failed, paint(session.terminal, "31", "STOPPED by the sanitizers " + where), {}};
    append(told.details, shown_finding(*finding, step));
    told.details.push_back(fmt::format("    All that the sanitizers said is in {}", sanitizer_log.string()));
    return told;
}

}  // namespace tfs::tutorial

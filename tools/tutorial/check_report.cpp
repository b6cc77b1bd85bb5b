// tools/tutorial/check_report.cpp · what is printed about one step
#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>

#include "common/terminal/display.hpp"
#include "tools/steps/gaps.hpp"
#include "tools/tutorial/check.hpp"

namespace tfs::tutorial {

namespace {

struct Kind {
    std::string_view part, in_words;
};

// The first whose part is in the kind is taken. Others say it themselves: "division by zero".
constexpr Kind kinds[] = {
    {"heap-buffer-overflow", "an index outside of its array"},
    {"stack-buffer-overflow", "an index outside of an array that is a local variable"},
    {"global-buffer-overflow", "an index outside of a global array"},
    {"container-overflow", "an index outside of a vector"},
    {"heap-use-after-free",
     "a reference or pointer to something that no longer exists: a vector that grew, or a temporary"},
    {"stack-use-after-scope", "a reference to a local variable after the end of its block"},
    {"stack-use-after-return", "a reference to a local variable of a function that returned"},
    {"double-free", "the same memory is released twice"},
    {"attempting free", "memory is released that was never reserved"},
    {"stack-overflow", "a function that calls itself for ever, or too deep"},
    {"SEGV", "an address that is no memory: a null pointer, an empty optional, or an index far outside"},
    {"ABRT", "a failed assertion, or abort()"},
    {"FPE", "an integer divided by 0"},
    {"negative-size-param", "a size that is negative: one unsigned number minus a larger one?"},
    {"allocation-size-too-big", "far too much memory: a negative size becomes a huge one"},
    {"out-of-memory", "far too much memory: a negative size becomes a huge one"},
    {"insufficient space", "an index outside of its array"},
    {"misaligned address", "a pointer that points to no object of its type"},
};

std::string kind_in_words(std::string_view kind) {
    for (const Kind& known : kinds)
        if (kind.find(known.part) != std::string_view::npos)
            return fmt::format("Likely cause: {}", known.in_words);
    return {};
}

std::string rest_of_line(const std::string& text, std::size_t begin) {
    return text.substr(begin, std::min(text.find('\n', begin), text.size()) - begin);
}

// "heap-buffer-overflow on address …" and a later "READ of size 4 at …" -> "heap-buffer-overflow (READ of size 4)"
std::string kind_of_address_error(const std::string& output, std::size_t begin) {
    const std::string said = rest_of_line(output, begin);
    // "attempting double-free on 0x…" is the other way it begins.
    const std::string kind =
        said.substr(0, said.starts_with("attempting ") ? said.find(" on ") : said.find_first_of(" :"));
    for (const std::string access : {"READ", "WRITE"}) {
        const std::size_t at = output.find("\n" + access + " of size ", begin);
        if (at == std::string::npos) continue;
        const std::string line = rest_of_line(output, at + 1);
        return kind + " (" + line.substr(0, line.find(" at ")) + ")";
    }
    return kind;
}

struct Finding {
    std::size_t line = 0;  // of the learner's file, counted from 1; 0 where none is named
    std::string kind;      // "heap-buffer-overflow (READ of size 4)"
    std::string in_words;  // "Likely cause: an index outside of its array"; empty where the kind says enough
};

// What the sanitizers said first, in the output of a program. Nothing where they said nothing.
std::optional<Finding> sanitizer_finding(const std::string& output, const steps::Step& step) {
    const std::string address = "ERROR: AddressSanitizer: ", undefined = ": runtime error: ";
    const std::size_t at_address = output.find(address), at_undefined = output.find(undefined);
    const std::size_t at = std::min(at_address, at_undefined);
    if (at == std::string::npos) return {};
    Finding finding;
    finding.kind = at == at_address ? kind_of_address_error(output, at + address.size())
                                    : rest_of_line(output, at + undefined.size());
    finding.in_words = kind_in_words(finding.kind);
    // The line of the error itself, or the first call on the way to it that is the learner's.
    const std::string place = step.exercise().string() + ":";
    const std::size_t line_begin = output.rfind('\n', at);
    const std::size_t found = output.find(place, line_begin == std::string::npos ? 0 : line_begin);
    if (found != std::string::npos)
        finding.line = std::strtoul(output.c_str() + found + place.size(), nullptr, 10);
    return finding;
}

// The place, the text of the line, and the kind in plain words.
steps::Lines shown_finding(const Finding& finding, const steps::Step& step) {
    const std::string file = step.exercise().string();
    steps::Lines shown;
    if (finding.line == 0) {
        shown.push_back(fmt::format("    {}, and no line of {} is named", finding.kind, file));
    } else {
        shown.push_back(fmt::format("    {}:{}: {}:", file, finding.line, finding.kind));
        const steps::Lines source = steps::split_lines(steps::read_text(step.exercise()));
        if (finding.line <= source.size())
            shown.push_back(fmt::format("        {}", steps::trimmed(source[finding.line - 1])));
    }
    if (!finding.in_words.empty()) shown.push_back("    " + finding.in_words);
    return shown;
}

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
    const std::string earlier = fs::exists(sanitizer_log) ? steps::read_text(sanitizer_log) : "";
    steps::write_text(sanitizer_log, fmt::format("{}step {} {}\n{}\n", earlier, step.id(), step.name,
                                                 checked.output.text()));
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

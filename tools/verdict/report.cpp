// tools/verdict/report.cpp
#include "tools/verdict/report.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <sstream>

#include "common/terminal/display.hpp"

namespace tfs::verdict {

namespace {

constexpr const char* none_known = "This is none of the mistakes that are known here.";

std::string checks(std::size_t count) { return fmt::format("{} {}", count, count == 1 ? "check" : "checks"); }

// What is said once, and the tests that came to it.
struct Complaint {
    std::vector<std::string> tests, causes, details;
    bool exception = false;
    std::size_t values = 0;  // of the array that came
};

const std::string likely_cause = "Likely cause: ";

bool has_cause(const std::vector<Complaint>& all) {
    return std::any_of(all.begin(), all.end(), [](const Complaint& c) { return !c.causes.empty(); });
}

void add_new(std::vector<std::string>& list, const std::string& text) {
    if (std::find(list.begin(), list.end(), text) == list.end()) list.push_back(text);
}

Complaint complaint_of(const Outcome& test, const std::vector<Cause>& found) {
    Complaint own{{in_words(test.name)}, {}, {}};
    for (const Cause& cause : found)
        if (std::find(cause.tests.begin(), cause.tests.end(), test.name) != cause.tests.end())
            own.causes.push_back(likely_cause + cause.sentence);
    for (const Failure& failure : test.failures) {
        const std::string plain = in_plain_words(failure.message);
        own.exception = own.exception || tells_exception(plain);
        own.values = own.values == 0 ? came_of(failure.came).values.size() : own.values;
        add_new(own.details, plain);
    }
    return own;
}

// The failures of one step, each cause and each text once: exceptions first, then in the order of the checks, which begin
// with the main comparison; where no cause is found, those of the smallest arrays first.
std::vector<Complaint> complaints_of(const std::vector<Outcome>& tests, const Sought& sought) {
    std::vector<Complaint> all;
    for (const Outcome& test : tests) {
        if (test.passed || test.failures.empty() || !test.waits_for().empty()) continue;
        const Complaint own = complaint_of(test, sought.found);
        const auto same = std::find_if(all.begin(), all.end(), [&](const Complaint& other) {
            return own.causes.empty() ? other.causes.empty() && other.details == own.details
                                      : other.causes == own.causes;
        });
        if (same == all.end()) {
            all.push_back(own);
        } else {
            same->tests.push_back(own.tests.front());
        }
    }
    std::stable_partition(all.begin(), all.end(), [](const Complaint& c) { return c.exception; });
    if (sought.when == Sought::When::now && !has_cause(all))
        std::stable_sort(all.begin(), all.end(), [](const Complaint& a, const Complaint& b) {
            const auto rank = [](const Complaint& c) { return c.values == 0 ? 1000 : c.values; };
            return a.exception == b.exception ? rank(a) < rank(b) : a.exception;
        });
    return all;
}

// At most so many failures in detail: the first one, and those with a likely cause, or where none has one the first three. The
// others by name.
std::string told(const std::vector<Complaint>& all, const Terminal& terminal, std::size_t most = 3) {
    const bool known = has_cause(all);
    std::string text;
    std::vector<std::string> others;
    std::size_t count = 0;
    for (const Complaint& complaint : all) {
        std::size_t named = 0;
        if (count < most && (!known || count == 0 || !complaint.causes.empty())) {
            // With a cause, one test is enough to show it; a text alone is printed with all its tests.
            named = known ? 1 : complaint.tests.size();
            text += wrapped(paint(terminal, "31", "✗") + " " + complaint.tests.front(), terminal, "    ");
            for (const std::string& cause : complaint.causes) text += wrapped(cause, terminal);
            for (std::size_t i = 0; i < std::min<std::size_t>(3, complaint.details.size()); ++i)
                text += wrapped(complaint.details[i], terminal);
            if (named > 1) {
                const std::vector<std::string> same(complaint.tests.begin() + 1, complaint.tests.end());
                text += wrapped(fmt::format("the same in: {}", fmt::join(same, ", ")), terminal);
            }
            ++count;
        }
        others.insert(others.end(), complaint.tests.begin() + static_cast<std::ptrdiff_t>(named),
                      complaint.tests.end());
    }
    if (others.empty()) return text;
    if (!known)
        return text +
               wrapped(fmt::format("(and {} more, not shown)", checks(others.size())), terminal, "    ");
    return text + wrapped(fmt::format("also fails: {}", fmt::join(others, ", ")), terminal, "    ");
}

// How many tests came to what.
struct Tally {
    std::size_t passed = 0, not_started = 0, failed = 0, left_out = 0;
    std::string other;  // a step that a test waits for
};

Tally tally_of(const std::vector<Outcome>& tests) {
    Tally tally;
    std::string checked;  // the step that is not started; tests of what is given may need it, too
    for (const Outcome& test : tests)
        if (test.not_started()) checked = test.waits_for();
    for (const Outcome& test : tests) {
        if (test.passed) {
            ++tally.passed;
        } else if (test.not_started() || (!checked.empty() && test.waits_for() == checked)) {
            ++tally.not_started;
        } else if (!test.waits_for().empty()) {
            tally.other = test.waits_for();
        } else if (test.left_out) {
            ++tally.left_out;
        } else if (test.finished) {
            ++tally.failed;
        }
    }
    return tally;
}

// The checklist ran to its end.
Report finished(const Record& record, const Terminal& terminal, const Sought& sought) {
    using Verdict = Report::Verdict;
    const Tally tally = tally_of(record.outcomes);
    const std::size_t all = record.outcomes.size();
    if (record.all_passed())
        return {Verdict::passed, paint(terminal, "32", fmt::format("passed ({})", checks(all))), ""};
    if (tally.failed == 0 && !tally.other.empty())
        return {Verdict::unfinished, paint(terminal, "33", "waits for step " + tally.other), ""};
    if (tally.failed == 0) {
        const std::string text =
            fmt::format("unfinished: a gap is still open ({} of {} pass)", tally.passed, checks(all));
        return {Verdict::unfinished, paint(terminal, "33", text), ""};
    }
    const std::vector<Complaint> complaints = complaints_of(record.outcomes, sought);
    std::string details = told(complaints, terminal, sought.when == Sought::When::later ? 1 : 3);
    const auto add = [&](const std::string& sentence) { details += wrapped(sentence, terminal, "    "); };
    const bool explains_itself =
        std::any_of(complaints.begin(), complaints.end(), [](const Complaint& c) { return c.exception; });
    if (record.causes_left_out)
        add("This is the code as you got it. Causes of your own mistakes are told after your first change.");
    else if (!has_cause(complaints) && !explains_itself && sought.when == Sought::When::now)
        add(none_known);
    else if (!has_cause(complaints) && !explains_itself && sought.when == Sought::When::never)
        add("No likely cause of this is known.");
    if (tally.left_out > 0)
        add(fmt::format("{} more can tell something when the above is right", checks(tally.left_out)));
    if (tally.not_started > 0)
        add(fmt::format("a gap is still open: {} more did not run to the end", tally.not_started));
    return {Verdict::failed,
            paint(terminal, "31", fmt::format("FAILED in {} of {}", tally.failed, checks(all))), details};
}

// The program ended before the checklist did.
Report cut_short(const Record& record, const Ending& ending, const Terminal& terminal, const Sought& sought) {
    const Outcome* const test = record.interrupted();
    const std::string where =
        test != nullptr ? " in the check: " + in_words(test->name) : " before the first check";
    std::string headline, reason;
    if (ending.kind == Ending::Kind::time_limit) {
        headline = "DOES NOT END," + where;
        reason = fmt::format("It was stopped after {} seconds: a loop that never ends, or far too much work?",
                             ending.code);
    } else if (ending.kind == Ending::Kind::signal) {
        headline = "CRASHED" + where;
        reason =
            record.crash_cause.empty() ? crash_cause(ending.code, ending.errors) + "." : record.crash_cause;
    } else {
        headline = "your step ended the program" + where;
        reason = fmt::format(
            "Likely cause: it calls exit({}), or something like it; a step returns its result, or throws.",
            ending.code);
    }
    std::string details = wrapped(reason, terminal, "    ");
    if (test != nullptr)
        for (const Cause& cause : sought.found)
            if (std::find(cause.tests.begin(), cause.tests.end(), test->name) != cause.tests.end())
                details += wrapped(likely_cause + cause.sentence, terminal, "    ");
    const std::vector<Complaint> before = complaints_of(record.outcomes, sought);
    if (!before.empty()) details += "    Before that:\n" + told(before, terminal);
    return {Report::Verdict::failed, paint(terminal, "31", headline), details};
}

// What the C library writes when it finds its heap or stack overwritten.
bool is_heap_word(std::string_view line) {
    for (const std::string_view function :
         {"malloc", "realloc", "calloc", "free", "munmap_chunk", "malloc_consolidate"})
        if (line.starts_with(std::string(function) + "(): ")) return true;
    return line.starts_with("double free or ") || line.starts_with("corrupted ") ||
           line.starts_with("*** stack ") || line.starts_with("Fatal glibc error: malloc") ||
           line.find(": sysmalloc: Assertion") != std::string_view::npos;
}

// The lines of the C library on its heap, or all others.
std::string lines_where(const std::string& errors, bool heap_words) {
    std::istringstream lines(errors);
    std::string kept;
    for (std::string line; std::getline(lines, line);)
        if (is_heap_word(line) == heap_words) kept += line + '\n';
    return kept;
}

}  // namespace

std::string wrapped(const std::string& message, const Terminal& terminal, const std::string& indent) {
    const std::size_t columns = terminal.columns.value_or(screen_columns);
    const std::size_t width = std::max<std::size_t>(columns, indent.size() + 20) - indent.size();
    std::istringstream lines(message);
    std::string text;
    for (std::string line; std::getline(lines, line);) {
        const bool cause = line.starts_with("Likely cause:");
        for (const std::string& row : wrap(line, width, cause ? 4 : 2))
            text += indent + (cause ? paint(terminal, "1;33", row) : row) + '\n';
    }
    return text;
}

std::string crash_cause(int signal, const std::string& errors) {
    switch (signal) {
        case 6:
            if (!lines_where(errors, true).empty())
                return "aborted: memory beside a tensor was overwritten, by an index outside it";
            return errors.empty() ? "aborted: by abort(), or a failed assertion"
                                  : "aborted: what it wrote last tells the reason";
        case 8:
            return "division by zero: / or % by an integer that is 0; test for 0 first";
        case 9:
            return "killed from outside: by somebody, or because the memory ran out";
        case 11:
            return "segmentation fault: an index outside its array, a pointer that is null or an optional "
                   "that is "
                   "empty, or a function that calls itself for ever, or too deep";
        default:
            return fmt::format("signal {}", signal);
    }
}

std::string without_heap_words(const std::string& errors) { return lines_where(errors, false); }

Report report_of(const Record& record, const Ending& ending, const Terminal& terminal, const Sought& sought) {
    return record.done ? finished(record, terminal, sought) : cut_short(record, ending, terminal, sought);
}

std::string told_later(const std::vector<Cause>& found, const Terminal& terminal) {
    if (found.empty()) return wrapped(none_known, terminal, "    ");
    std::string text;
    for (const Cause& cause : found) {
        std::vector<std::string> tests;
        for (const std::string& test : cause.tests) tests.push_back(in_words(test));
        text += wrapped(likely_cause + cause.sentence, terminal, "    ");
        text += wrapped(fmt::format("explains: {}", fmt::join(tests, ", ")), terminal, "        ");
    }
    return text;
}

}  // namespace tfs::verdict

// tools/verdict/report.hpp · the report on one step, for whoever wrote it
#pragma once

#include <string>

#include "common/terminal/terminal.hpp"
#include "tools/verdict/causes.hpp"

namespace tfs::verdict {

struct Report {
    enum class Verdict { passed, failed, unfinished };
    Verdict verdict;
    std::string headline;  // "passed (9 checks)", "FAILED in 1 of 9 checks", "CRASHED in the check: …"
    std::string details;   // the lines below it, indented
};

// What came of seeking the causes of a failure among the known mistakes.
struct Sought {
    enum class When { never, later, now } when = When::never;
    std::vector<Cause> found{};
};

// Where a likely cause is known, the checks without one are listed by name; else at most three are told in full, or one where the
// cause comes later, and each text once, and that no cause is known. What failed before a crash is told as well.
Report report_of(const Record& record, const Ending& ending, const Terminal& terminal,
                 const Sought& sought = {});

// The lines below such a report where the causes were sought after it was printed.
std::string told_later(const std::vector<Cause>& found, const Terminal& terminal);

// A message of gtest in plain words: "got 3, expected 2" for an equality, "no exception, where a ShapeError must be thrown", what
// an assertion says itself without gtest's frame. Exceptions of the standard library are explained.
std::string in_plain_words(const std::string& message);

// Whether the check ended by an exception, of a message in plain words.
bool tells_exception(const std::string& plain);

// One message, indented, long lines wrapped at words: at the width of the terminal, or at 110 columns where it is not known.
// In colour a likely cause stands out.
std::string wrapped(const std::string& message, const Terminal& terminal = {},
                    const std::string& indent = "        ");

// What ended a program that died of this signal and wrote `errors` to standard error; a half sentence.
std::string crash_cause(int signal, const std::string& errors);

// What a program wrote to standard error, without the C library's words on a damaged heap: crash_cause says it.
std::string without_heap_words(const std::string& errors);

}  // namespace tfs::verdict

// tools/steps/mistake.hpp · a classic wrong answer, told as an edit of the solution
//
// tests/01_attention/mistakes/softmax.wrong_axis.edit:
//
//     The sum runs over the first axis.
//     The learner reads: the sum runs over the wrong axis; `axis` says which one, and -1 is the last
//
//     +    axis = 0;
//          constexpr float lowest = std::numeric_limits<float>::lowest();
//
// The first line says what is wrong. What the learner reads is the first likely cause of the report, whole; it may go on in
// the lines below. Mistakes that have no such sentence have a part of the report instead:
//
//     The checklist must say: "the sum runs over the wrong axis"
//
// Then come hunks, with an empty line before each: lines that stay (" "), go out ("-") and come in ("+"). Those that stay or
// go out stand in the solution one below the other, exactly once; the marks of gaps and their tasks do not count. Hunks
// follow the order of the solution.
#pragma once

#include <filesystem>
#include <string>

#include "tools/steps/text.hpp"

namespace tfs::steps {

struct Hunk {
    std::size_t line = 0;  // of the edit file, where it begins
    Lines before, after;
};

struct Mistake {
    std::filesystem::path file;  // …/softmax.wrong_axis.edit
    std::string what;            // in one sentence
    std::string reads;           // the first likely cause, as the learner reads it; or empty, and then
    std::string must_say;        // … a part of the report
    std::vector<Hunk> hunks;

    std::string step() const;  // "softmax"
    std::string name() const;  // "wrong_axis"

    // What a report, in lines that are not wrapped, does not say though it must, as half a sentence; empty where it says it.
    std::string missing_in(const std::string& report) const;
};

// Error, with file and line, where the file is not as above.
Mistake read_mistake(const std::filesystem::path& file);

// The solution with the mistake in it. Error where the lines of a hunk do not stand there, or stand there twice.
std::string with_mistake(const std::string& solution, const Mistake& mistake);

}  // namespace tfs::steps

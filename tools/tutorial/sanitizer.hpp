// tools/tutorial/sanitizer.hpp · the words of the sanitizers, for a learner
#pragma once

#include <optional>
#include <string>

#include "tools/steps/tutorial.hpp"

namespace tfs::tutorial {

struct SanitizerFinding {
    std::size_t line = 0;  // of the learner's file, counted from 1; 0 where none is named
    std::string kind;      // "heap-buffer-overflow (READ of size 4)"
    std::string in_words;  // "Likely cause: an index outside of its array"; empty where the kind says enough
};

// What the sanitizers said first, in the output of a program. Nothing where they said nothing.
std::optional<SanitizerFinding> sanitizer_finding(const std::string& output, const steps::Step& step);

// The same as lines for the learner: the place, the text of the line, and the kind in plain words.
steps::Lines shown_finding(const SanitizerFinding& finding, const steps::Step& step);

}  // namespace tfs::tutorial

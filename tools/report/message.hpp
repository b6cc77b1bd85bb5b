// tools/report/message.hpp · what a failed check says, in the words of a report
#pragma once

#include <string>
#include <vector>

namespace tfs::report {

// A message of gtest in plain words: "got 3, expected 2" for an equality, "no exception, where a ShapeError must be thrown", what
// an assertion says itself without gtest's frame. Exceptions of the standard library get their likely cause.
std::string in_plain_words(const std::string& message);

// A message taken apart, in plain words and without repetitions.
struct Finding {
    std::vector<std::string> causes;  // each "Likely cause: …"
    std::string details;              // the other lines
    bool exception = false;           // the check ended by an exception
};
Finding taken_apart(const std::string& message);

}  // namespace tfs::report

// tools/report/message.hpp · what a failed check says, in the words of a report
#pragma once

#include <string>

namespace tfs::report {

// A message of gtest in plain words: "got 3, expected 2" for an equality, "no exception, where a ShapeError must be thrown", what
// an assertion says itself without gtest's frame. Exceptions of the standard library are explained.
std::string in_plain_words(const std::string& message);

// Whether the check ended by an exception, of a message in plain words.
bool tells_exception(const std::string& plain);

}  // namespace tfs::report

// tests/tools/text_checks.hpp · what a text is asked for; a failure shows the text
#pragma once

#include <gtest/gtest.h>

#include <string>

namespace tfs::tools_test {

testing::AssertionResult contains(const std::string& text, const std::string& part);
testing::AssertionResult begins_with(const std::string& text, const std::string& part);
testing::AssertionResult ends_with(const std::string& text, const std::string& part);
// Somewhere in it; ECMAScript's regular expressions.
testing::AssertionResult has_match(const std::string& text, const std::string& expression);

// How many columns a line takes, in UTF-8, and the line of a text that takes most.
std::size_t width_of_line(const std::string& line);
std::string widest_line(const std::string& text);

std::size_t lines_in(const std::string& text);

}  // namespace tfs::tools_test

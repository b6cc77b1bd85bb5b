// tests/tools/text_checks.cpp · what a text is asked for; a failure shows the text
#include "tests/tools/text_checks.hpp"

#include <algorithm>
#include <regex>

#include "tools/steps/text.hpp"

namespace tfs::tools_test {

namespace {

// Both outcomes say what was found: EXPECT_FALSE shows it, too.
testing::AssertionResult result(bool is_so, const std::string& text, const std::string& what,
                                const std::string& part) {
    return (is_so ? testing::AssertionSuccess() : testing::AssertionFailure())
           << "the text " << (is_so ? "" : "does not ") << what << "\n"
           << part << "\nThe text is:\n"
           << text;
}

}  // namespace

testing::AssertionResult contains(const std::string& text, const std::string& part) {
    return result(text.find(part) != std::string::npos, text, "contain", part);
}

testing::AssertionResult begins_with(const std::string& text, const std::string& part) {
    return result(text.starts_with(part), text, "begin with", part);
}

testing::AssertionResult ends_with(const std::string& text, const std::string& part) {
    return result(text.ends_with(part), text, "end with", part);
}

testing::AssertionResult has_match(const std::string& text, const std::string& expression) {
    return result(std::regex_search(text, std::regex(expression)), text, "match", expression);
}

std::size_t width_of_line(const std::string& line) {
    return static_cast<std::size_t>(std::count_if(line.begin(), line.end(), [](char byte) {
        return (static_cast<unsigned char>(byte) & 0xC0U) != 0x80U;
    }));
}

std::string widest_line(const std::string& text) {
    std::string widest;
    for (const std::string& line : steps::split_lines(text))
        if (width_of_line(line) > width_of_line(widest)) widest = line;
    return widest;
}

std::size_t lines_in(const std::string& text) { return steps::split_lines(text).size(); }

}  // namespace tfs::tools_test

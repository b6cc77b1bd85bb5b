// tools/report/outcome.cpp · what the tests of one step came to, and how their messages read
#include "tools/report/outcome.hpp"

#include <algorithm>
#include <sstream>

namespace tfs::report {

namespace {

constexpr std::string_view not_started_prefix = "not started: step ";

// What exceptions of the standard library mean; empty for those that say it themselves.
std::string cause_of(std::string_view exception) {
    if (exception == "bad optional access") return "\n" + std::string(empty_optional);
    if (exception == "std::get: wrong index for variant")
        return "\nLikely cause: std::get asked for a kind that is not there: the config says which one is";
    if (exception == "std::bad_alloc")
        return "\nLikely cause: far more memory than a check needs: what can be counted from sizes need not "
               "be made, and "
               "a negative size is a huge one";
    return {};
}

// The text after the first `before` and ahead of the last `after`; empty where one of them is missing.
std::string between(const std::string& text, std::string_view before, std::string_view after) {
    const std::size_t begin = text.find(before), end = text.rfind(after);
    if (begin == std::string::npos || end == std::string::npos || end < begin + before.size()) return {};
    return text.substr(begin + before.size(), end - begin - before.size());
}

}  // namespace

std::string Outcome::waits_for() const {
    for (const std::string& message : messages) {
        const std::size_t at = message.find(not_started_prefix);
        if (at == std::string::npos) continue;
        const std::size_t begin = at + not_started_prefix.size();
        return message.substr(begin, message.find_first_of("\"\n", begin) - begin);
    }
    return {};
}

bool Outcome::not_started() const { return !step.empty() && waits_for().ends_with(" " + step); }

std::string in_words(std::string test_name) {
    std::replace(test_name.begin(), test_name.end(), '_', ' ');
    return test_name;
}

std::string without_noise(const std::string& message) {
    const std::string thrown = between(message, "C++ exception with description \"", "\" thrown in ");
    if (!thrown.empty()) return "an exception: " + thrown + cause_of(thrown);
    if (message.starts_with("Failed\n")) return message.substr(7);  // FAIL() << message
    if (!message.starts_with("Value of: ")) return message;

    const std::string expected = "\nExpected: ";
    const std::size_t at = message.find(expected);
    const std::size_t line_end = at == std::string::npos ? at : message.find('\n', at + 1);
    const std::string own =
        line_end == std::string::npos ? "" : message.substr(line_end + 1);  // EXPECT_TRUE(…) << own
    std::string result = between(message, "\n  Actual: false (", ")" + expected);
    if (result.empty()) result = between(message, "\n  Actual: true (", ")" + expected);
    if (result.empty() && own.empty()) return message;
    return result.empty() ? own : own.empty() ? result : result + "\n" + own;
}

Finding taken_apart(const std::string& message) {
    Finding finding;
    std::istringstream lines(without_noise(message));
    for (std::string line; std::getline(lines, line);) {
        if (!line.starts_with("Likely cause:")) {
            finding.details += (finding.details.empty() ? "" : "\n") + line;
        } else if (std::find(finding.causes.begin(), finding.causes.end(), line) == finding.causes.end()) {
            finding.causes.push_back(line);
        }
    }
    return finding;
}

}  // namespace tfs::report

// tools/verdict/message.cpp · what gtest says of a failed check, in plain words

#include <fmt/format.h>

#include <algorithm>
#include <initializer_list>
#include <optional>
#include <sstream>
#include <string_view>
#include <utility>

#include "tools/verdict/report.hpp"

namespace tfs::verdict {

namespace {

constexpr std::string_view exception_begins = "an exception: ";

// What exceptions of the standard library mean; empty for those that say it themselves.
std::string meaning_of(std::string_view exception) {
    if (exception == "bad optional access") return fmt::format("\n{}", empty_optional);
    if (exception == "std::get: wrong index for variant")
        return "\nstd::get asked for a kind that is not there: the config says which one is";
    if (exception == "std::bad_alloc")
        return "\nfar more memory than a check needs: what can be counted from sizes need not be made, and a "
               "negative size is a huge one";
    return {};
}

// The text after the first `before` and ahead of the last `after`; empty where one of them is missing.
std::string between(const std::string& text, std::string_view before, std::string_view after) {
    const std::size_t begin = text.find(before), end = text.rfind(after);
    if (begin == std::string::npos || end == std::string::npos || end < begin + before.size()) return {};
    return text.substr(begin + before.size(), end - begin - before.size());
}

std::string joined(const std::string& first, const std::string& second) {
    return first.empty() || second.empty() ? first + second : first + "\n" + second;
}

std::string rest_of(std::istringstream& lines) {
    std::string rest;
    for (std::string line; std::getline(lines, line);) rest = joined(rest, line);
    return rest;
}

// A value as EXPECT_EQ prints it: its expression, and below it what that is, unless it is a literal.
struct Value {
    std::string expression, shown;
};
Value next_value(std::istringstream& lines) {
    Value value;
    std::getline(lines, value.expression);
    value.expression.erase(0, value.expression.find_first_not_of(' '));
    value.shown = value.expression;
    const std::istringstream::pos_type here = lines.tellg();
    constexpr std::string_view which_is = "    Which is: ";
    std::string line;
    if (std::getline(lines, line) && line.starts_with(which_is)) {
        value.shown = line.substr(which_is.size());
    } else {
        lines.clear();
        lines.seekg(here);
    }
    return value;
}

// EXPECT_EQ. An expression of a few words says what was compared; a longer one is left to the check's name.
std::string equality(const std::string& message) {
    std::istringstream lines(message);
    std::string heading;
    std::getline(lines, heading);
    const Value got = next_value(lines), expected = next_value(lines);
    const std::string own = rest_of(lines);
    const bool named = own.empty() && got.shown != got.expression && got.expression.size() <= 60;
    return joined(
        fmt::format("{}got {}, expected {}", named ? got.expression + ": " : "", got.shown, expected.shown),
        own);
}

// EXPECT_NEAR: the last four lines of its frame say what each expression is.
std::string nearness(const std::string& message) {
    std::istringstream lines(message);
    std::vector<std::string> values;
    std::string own;
    for (std::string line; std::getline(lines, line);) {
        const std::size_t at = line.find(" evaluates to ");
        if (values.size() == 3) {
            own = joined(own, line);
        } else if (at != std::string::npos) {
            std::string value = line.substr(at + 14);
            value = value.substr(0, value.find(", and"));
            while (!value.empty() && (value.back() == ',' || value.back() == '.')) value.pop_back();
            values.push_back(value);
        }
    }
    if (values.size() < 3) return message;
    return joined(fmt::format("got {}, expected {} within {}", values[0], values[1], values[2]), own);
}

std::string without_namespace(std::string type) {
    for (std::size_t at; (at = type.find("tfs::")) != std::string::npos;) type.erase(at, 5);
    return type;
}

// EXPECT_THROW and EXPECT_NO_THROW.
std::string exception_expected(const std::string& message) {
    const std::string actual = "\n  Actual: it throws ";
    const std::size_t at = message.find(actual);
    const std::size_t line_end = message.find('\n', at + 1);
    const std::string own = line_end == std::string::npos ? "" : message.substr(line_end + 1);
    std::string thrown = message.substr(at + actual.size(), line_end - at - actual.size());
    if (!thrown.empty() && thrown.back() == '.') thrown.pop_back();
    const std::string description = between(thrown, "with description \"", "\"");
    const std::string wanted =
        without_namespace(between(message.substr(0, at), "throws an exception of type ", "."));
    if (wanted.empty())
        return joined(std::string(exception_begins) + (description.empty() ? thrown : description), own);
    if (thrown == "nothing")
        return joined(fmt::format("no exception, where a {} must be thrown", wanted), own);
    const std::string type = without_namespace(thrown.substr(0, thrown.find(' ')));
    return joined(description.empty()
                      ? fmt::format("another exception than the {} that must be thrown", wanted)
                      : fmt::format("a {} is thrown, where it must be a {}: {}", type, wanted, description),
                  own);
}

// EXPECT_TRUE and EXPECT_FALSE: what the assertion says itself, else the expression.
std::string truth(const std::string& message) {
    const std::string expected = "\nExpected: ";
    const std::size_t at = message.find(expected), line_end = message.find('\n', at + 1);
    const std::string own = line_end == std::string::npos ? "" : message.substr(line_end + 1);
    std::string said = between(message, "\n  Actual: false (", ")" + expected);
    if (said.empty()) said = between(message, "\n  Actual: true (", ")" + expected);
    if (!said.empty() || !own.empty()) return joined(said, own);
    const bool wants_true = message.compare(at + expected.size(), 4, "true") == 0;
    return fmt::format("this must be {}: {}", wants_true, between(message, "Value of: ", "\n  Actual: "));
}

// "(a) >= (b)" -> "at least"
std::string_view wanted(const std::string& must) {
    for (const auto& [sign, words] : std::initializer_list<std::pair<std::string_view, std::string_view>>{
             {") >= (", "at least"},
             {") <= (", "at most"},
             {") > (", "more than"},
             {") < (", "less than"},
             {") != (", "something other than"}})
        if (must.find(sign) != std::string::npos) return words;
    return "something else than";
}

// EXPECT_LT and its kin: "Expected: (a) < (b), actual: 3 vs 2".
std::string comparison(const std::string& message) {
    const std::size_t line_end = std::min(message.find('\n'), message.size());
    const std::string line = message.substr(0, line_end);
    const std::string own = line_end < message.size() ? message.substr(line_end + 1) : "";
    const std::string must = between(line, "Expected: ", ", actual: ");
    const std::string values = line.substr(line.find(", actual: ") + 10);
    const std::size_t versus = values.find(" vs ");
    if (versus == std::string::npos) return message;
    return joined(fmt::format("got {}, expected {} {}", values.substr(0, versus), wanted(must),
                              values.substr(versus + 4)),
                  own);
}

}  // namespace

std::string in_plain_words(const std::string& message) {
    const std::string thrown = between(message, "C++ exception with description \"", "\" thrown in ");
    if (!thrown.empty()) return std::string(exception_begins) + thrown + meaning_of(thrown);
    if (message.starts_with("Failed\n")) return message.substr(7);  // FAIL() << message
    if (message.starts_with("Value of: ")) return truth(message);
    if (message.starts_with("Expected equality of these values:\n")) return equality(message);
    if (message.starts_with("The difference between ")) return nearness(message);
    if (message.find("\n  Actual: it throws ") != std::string::npos) return exception_expected(message);
    if (message.starts_with("Expected: (") && message.find(", actual: ") != std::string::npos)
        return comparison(message);
    return message;
}

bool tells_exception(const std::string& plain) { return plain.starts_with(exception_begins); }

}  // namespace tfs::verdict

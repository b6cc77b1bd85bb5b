// tests/support/outcome.cpp · what the tests of a checklist came to, and how to say it to people
#include "tests/support/outcome.hpp"

#include <fmt/format.h>
#include <signal.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <exception>
#include <regex>
#include <sstream>
#include <string_view>

namespace tfs::test {

namespace {

const std::string not_started_prefix = "not started: step ";

// What the signal handler says: made before each test, because a handler may not allocate.
using Line = std::array<char, 512>;
Line crash_line{};
Line no_end_line{};
bool crashes_reported = false;
Line assertion_line{};  // below the first, where an assertion of the standard library failed

void remember(Line& line, std::string_view text) {
    const std::size_t size = std::min(text.size(), line.size() - 1);
    std::copy_n(text.begin(), size, line.begin());
    line[size] = '\0';
}

void write_line(const Line& line) {
    std::size_t size = 0;
    while (line[size] != '\0') ++size;
    [[maybe_unused]] const auto written = ::write(STDOUT_FILENO, line.data(), size);
}

extern "C" void say_where(int signal) {
    write_line(signal == SIGTERM ? no_end_line : crash_line);
    if (signal == SIGABRT) write_line(assertion_line);
    ::raise(signal);  // SA_RESETHAND: this time it ends the program
}

// The only optional that a checklist leaves empty is a mask.
const char* const empty_optional =
    "Likely cause: an optional has no value: *mask was read although no mask was given; write if (mask)";

// What an assertion of libstdc++ means, for people.
std::string in_plain_words(const char* file, int line, std::string_view function,
                           std::string_view condition) {
    if (std::string_view(file).ends_with("/optional")) {
        return function.find("Mask") != std::string_view::npos
                   ? empty_optional
                   : "Likely cause: an optional has no value: *x was read while x is empty; ask with if (x)";
    }
    for (const std::string_view container : {"vector", "span", "array", "string"}) {
        const bool index = condition.find("__n < ") == 0 || condition.find("__idx < ") == 0;
        if (index && function.find(container) != std::string_view::npos)
            return fmt::format("Likely cause: an index is outside of its std::{} (v[n] with n >= v.size())",
                               container);
    }
    return fmt::format("{}:{}: assertion '{}' failed in {}", file, line, condition, function);
}

bool starts_with_upper(const std::string& text, std::size_t i) {
    return std::isupper(static_cast<unsigned char>(text[i])) != 0;
}

// What exceptions of the standard library mean; empty for those that say it themselves.
std::string cause_of(std::string_view exception) {
    if (exception == "bad optional access") return std::string("\n") + empty_optional;
    if (exception == "std::get: wrong index for variant") {
        return "\nLikely cause: std::get asked for a kind that is not there: the config says which one is";
    }
    if (exception == "std::bad_alloc") {
        return "\nLikely cause: far more memory than a check needs: what can be counted from sizes need not "
               "be made, and a "
               "negative size is a huge one";
    }
    return {};
}

Outcome start_of(const testing::TestInfo& test) {
    Outcome outcome;
    outcome.name = test.name();
    std::smatch match;
    const std::string suite = test.test_suite_name();
    if (std::regex_search(suite, match, std::regex("Step_(\\d+)_(\\d+)_(\\w+)"))) {
        outcome.step = match[1].str() + "." + match[2].str();
        outcome.step_name = match[3].str();
    }
    return outcome;
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

bool Outcome::not_started() const { return !step.empty() && waits_for().rfind(step + " ", 0) == 0; }

void Collector::OnTestStart(const testing::TestInfo& test) {
    outcomes_.push_back(start_of(test));
    const Outcome& now = outcomes_.back();
    const std::string step = now.step + " " + now.step_name;
    remember(crash_line, fmt::format("{:<38} CRASHED in the check: {}\n", step, in_words(now.name)));
    remember(no_end_line, fmt::format("{:<38} DOES NOT END, in the check: {}\n", step, in_words(now.name)));
}

void Collector::OnTestPartResult(const testing::TestPartResult& part) {
    if (part.failed() && !outcomes_.empty()) outcomes_.back().messages.emplace_back(part.message());
}

void Collector::OnTestEnd(const testing::TestInfo& test) {
    outcomes_.back().passed = !test.result()->Failed();
}

std::string in_words(const std::string& test_name) {
    std::string words;
    for (std::size_t i = 0; i < test_name.size(); ++i) {
        const bool new_word = i > 0 && starts_with_upper(test_name, i) &&
                              !starts_with_upper(test_name, i - 1) && test_name[i - 1] != '_';
        if (new_word) words += ' ';
        const bool snake = test_name.find('_') != std::string::npos;  // there a capital is meant
        const auto c = static_cast<unsigned char>(test_name[i]);
        words += c == '_' ? ' ' : static_cast<char>(snake ? c : std::tolower(c));
    }
    return words;
}

std::string without_noise(const std::string& message) {
    const auto between = [&](const std::string& before, const std::string& after) {
        const std::size_t begin = message.find(before);
        const std::size_t end = message.rfind(after);
        if (begin == std::string::npos || end == std::string::npos || end < begin + before.size())
            return std::string();
        return message.substr(begin + before.size(), end - begin - before.size());
    };
    const std::string thrown = between("C++ exception with description \"", "\" thrown in ");
    if (!thrown.empty()) return fmt::format("an exception: {}{}", thrown, cause_of(thrown));
    if (message.rfind("Failed\n", 0) == 0) return message.substr(7);  // FAIL() << message
    if (message.rfind("Value of: ", 0) != 0) return message;

    const std::string expected = "\nExpected: ";
    const std::size_t at = message.find(expected);
    const std::size_t line_end = at == std::string::npos ? at : message.find('\n', at + 1);
    const std::string own =
        line_end == std::string::npos ? "" : message.substr(line_end + 1);  // EXPECT_TRUE(…) << own
    std::string result = between("\n  Actual: false (", ")" + expected);
    if (result.empty()) result = between("\n  Actual: true (", ")" + expected);
    if (result.empty() && own.empty()) return message;
    return result.empty() ? own : own.empty() ? result : result + "\n" + own;
}

Finding taken_apart(const std::string& message) {
    Finding finding;
    std::istringstream lines(without_noise(message));
    for (std::string line; std::getline(lines, line);) {
        if (line.rfind("Likely cause:", 0) != 0) {
            finding.details += (finding.details.empty() ? "" : "\n") + line;
        } else if (std::find(finding.causes.begin(), finding.causes.end(), line) == finding.causes.end()) {
            finding.causes.push_back(line);
        }
    }
    return finding;
}

void report_crashes() {
    crashes_reported = true;
    static std::array<char, 64 * 1024> own_stack;  // endless recursion leaves none for the handler
    stack_t stack{};
    stack.ss_sp = own_stack.data();
    stack.ss_size = own_stack.size();
    ::sigaltstack(&stack, nullptr);
    struct sigaction action {};
    action.sa_handler = say_where;
    action.sa_flags = static_cast<int>(SA_ONSTACK | SA_RESETHAND);
    for (const int signal : {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT, SIGTERM})
        ::sigaction(signal, &action, nullptr);
}

}  // namespace tfs::test

// The linker takes this one instead of libstdc++'s: it says what happened in words, and where the handler above puts it.
namespace std {
[[noreturn]] void __glibcxx_assert_fail(const char* file, int line, const char* function,
                                        const char* condition) noexcept {
    const std::string text = tfs::test::in_plain_words(file, line, function, condition);
    tfs::test::remember(tfs::test::assertion_line, "        " + text + "\n");
    if (!tfs::test::crashes_reported) fmt::print(stderr, "{}\n", text);
    ::raise(SIGABRT);
    std::terminate();
}
}  // namespace std

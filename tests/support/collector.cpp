// tests/support/collector.cpp · what the tests of a checklist come to, sent to whoever started it
#include "tests/support/collector.hpp"

#include <cxxabi.h>
#include <fmt/format.h>
#include <signal.h>

#include <cstdio>
#include <cstdlib>
#include <exception>
#include <string_view>
#include <typeinfo>

#include "tests/support/close.hpp"

namespace tfs::test {

namespace {

verdict::Channel assertion_channel;  // the hook below gets no argument of ours

// What an assertion of libstdc++ means, for people.
std::string in_plain_words(const char* file, int line, std::string_view function,
                           std::string_view condition) {
    if (std::string_view(file).ends_with("/optional")) {
        return function.find("Mask") != std::string_view::npos
                   ? fmt::format("Likely cause: {}", verdict::empty_optional)
                   : "Likely cause: an optional has no value: *x was read while x is empty; ask with if (x)";
    }
    for (const std::string_view container : {"vector", "span", "array", "string"}) {
        const bool index = condition.starts_with("__n < ") || condition.starts_with("__idx < ");
        if (index && function.find(container) != std::string_view::npos)
            return fmt::format("Likely cause: an index is outside of its std::{} (v[n] with n >= v.size())",
                               container);
    }
    return fmt::format("{}:{}: assertion '{}' failed in {}", file, line, condition, function);
}

// "tfs::ShapeError"
std::string demangled(const std::type_info& type) {
    int status = 0;
    char* const name = abi::__cxa_demangle(type.name(), nullptr, nullptr, &status);
    const std::string text = name == nullptr ? type.name() : name;
    std::free(name);
    return text;
}

// "softmax_test.cpp:83"; empty for an exception.
std::string place_of(const testing::TestPartResult& part) {
    if (part.file_name() == nullptr) return {};
    const std::string_view file = part.file_name();
    return fmt::format("{}:{}", file.substr(file.rfind('/') + 1), part.line_number());
}

}  // namespace

// Not those that a filter leaves: a step passes by all that it has.
void Collector::OnTestIterationStart(const testing::UnitTest& unit, int) {
    channel_.plan(static_cast<std::size_t>(unit.total_test_count()));
}

void Collector::OnTestStart(const testing::TestInfo& test) {
    begin_counting();
    channel_.start(test.test_suite_name(), test.name());
}

void Collector::OnTestPartResult(const testing::TestPartResult& part) {
    if (!part.failed()) return;
    // gtest reports an exception inside its catch block.
    const std::type_info* const type = abi::__cxa_current_exception_type();
    verdict::Failure failure{part.message(),
                             place_of(part),
                             type == nullptr ? "" : demangled(*type),
                             "",
                             comparisons(),
                             part.fatally_failed() || type != nullptr};
    for (std::size_t at; (at = failure.message.find(came_mark)) != std::string::npos;) {
        const std::size_t end = failure.message.find(came_mark, at + 1);
        failure.came = failure.message.substr(at + 1, end - at - 1);
        failure.message.erase(at, end == std::string::npos ? end : end + 1 - at);
    }
    channel_.failure(failure);
}

void Collector::OnTestEnd(const testing::TestInfo& test) {
    channel_.end(test.result()->Failed() ? "failed" : test.result()->Skipped() ? "left out" : "passed");
}

void Collector::OnTestIterationEnd(const testing::UnitTest&, int) { channel_.done(); }

void collect(verdict::Channel channel) {
    auto& listeners = testing::UnitTest::GetInstance()->listeners();
    delete listeners.Release(listeners.default_result_printer());
    listeners.Append(new Collector(channel));  // owned by gtest
    assertion_channel = channel;
    keep_values();
}

}  // namespace tfs::test

// The linker takes this one instead of libstdc++'s.
namespace std {
void __glibcxx_assert_fail(const char* file, int line, const char* function, const char* condition) noexcept {
    const std::string text = tfs::test::in_plain_words(file, line, function, condition);
    tfs::test::assertion_channel.cause(text);
    if (!tfs::test::assertion_channel.is_open()) fmt::print(stderr, "{}\n", text);
    ::raise(SIGABRT);
    std::terminate();
}
}  // namespace std

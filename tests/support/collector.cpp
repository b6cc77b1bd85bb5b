// tests/support/collector.cpp · what the tests of a checklist come to, kept and sent to the runner
#include "tests/support/collector.hpp"

#include <fmt/format.h>
#include <signal.h>

#include <cstdio>
#include <exception>
#include <string_view>

namespace tfs::test {

namespace {

report::Channel assertion_channel;  // the hook below gets no argument of ours

// What an assertion of libstdc++ means, for people.
std::string in_plain_words(const char* file, int line, std::string_view function,
                           std::string_view condition) {
    if (std::string_view(file).ends_with("/optional")) {
        return function.find("Mask") != std::string_view::npos
                   ? std::string(report::empty_optional)
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

}  // namespace

void Collector::OnTestIterationStart(const testing::UnitTest& unit, int) {
    channel_.plan(static_cast<std::size_t>(unit.test_to_run_count()));
}

void Collector::OnTestStart(const testing::TestInfo& test) {
    report::Outcome now;
    now.step = test.test_suite_name();
    now.name = test.name();
    outcomes_.push_back(now);
    channel_.start(now.step, now.name);
}

void Collector::OnTestPartResult(const testing::TestPartResult& part) {
    if (!part.failed() || outcomes_.empty()) return;
    outcomes_.back().messages.emplace_back(part.message());
    channel_.failure(part.message());
}

void Collector::OnTestEnd(const testing::TestInfo& test) {
    outcomes_.back().finished = true;
    outcomes_.back().passed = !test.result()->Failed();
    channel_.end(outcomes_.back().passed);
}

void Collector::OnTestIterationEnd(const testing::UnitTest&, int) { channel_.done(); }

const Collector* collect(report::Channel channel) {
    auto& listeners = testing::UnitTest::GetInstance()->listeners();
    delete listeners.Release(listeners.default_result_printer());
    auto* const collector = new Collector(channel);  // owned by gtest
    listeners.Append(collector);
    assertion_channel = channel;
    return collector;
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

// tests/support/checklist.cpp · the arguments of a checklist, and where its results go
//
//   01_attention_test     gtest, as it is: for ctest
//   … --margins           prints how near each comparison comes to its tolerance
//   … --report-to=FD      sends to this file descriptor what each test comes to (tools/verdict/channel.hpp)
//
// Bad flags: exit code 2.
#include "tests/support/checklist.hpp"

#include <cxxabi.h>
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <signal.h>

#include <charconv>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <string>
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

// Sends what the tests come to over the channel, in place of gtest's own report.
class Collector : public testing::EmptyTestEventListener {
  public:
    explicit Collector(verdict::Channel channel) : channel_(channel) {}

    // Not those that a filter leaves: a step passes by all that it has.
    void OnTestIterationStart(const testing::UnitTest& unit, int) override {
        channel_.plan(static_cast<std::size_t>(unit.total_test_count()));
    }
    void OnTestStart(const testing::TestInfo& test) override {
        begin_counting();
        channel_.start(test.test_suite_name(), test.name());
    }
    void OnTestPartResult(const testing::TestPartResult& part) override {
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
    void OnTestEnd(const testing::TestInfo& test) override {
        channel_.end(test.result()->Failed() ? "failed" : test.result()->Skipped() ? "left out" : "passed");
    }
    void OnTestIterationEnd(const testing::UnitTest&, int) override { channel_.done(); }

  private:
    verdict::Channel channel_;
};

// Takes our own flags out of argv, and returns what --report-to says; what is left is gtest's.
std::string take_flags(int& argc, char** argv) {
    const std::string report_to = "--report-to=";
    std::string descriptor;
    int kept = 1;
    for (int i = 1; i < argc; ++i) {
        const std::string argument = argv[i];
        if (argument.starts_with(report_to)) {
            descriptor = argument.substr(report_to.size());
        } else if (argument == "--margins") {
            print_margins();
        } else {
            argv[kept++] = argv[i];
        }
    }
    argc = kept;
    return descriptor;
}

int refuse(const std::string& sentence) {
    std::fprintf(stderr, "checklist: %s\n", sentence.c_str());
    return 2;
}

int report_to(const std::string& digits) {
    int descriptor = -1;
    const auto read = std::from_chars(digits.data(), digits.data() + digits.size(), descriptor);
    if (read.ptr != digits.data() + digits.size() || descriptor < 3)
        return refuse("--report-to takes the number of an open file descriptor, from 3");
    std::setvbuf(stdout, nullptr, _IOLBF, 0);  // what a step printed is there even if it crashes next
    collect(verdict::Channel(descriptor));
    return RUN_ALL_TESTS();
}

}  // namespace

int run_checklist(int argc, char** argv) {
    const std::string descriptor = take_flags(argc, argv);
    testing::InitGoogleTest(&argc, argv);
    if (argc > 1) return refuse("unknown argument '" + std::string(argv[1]) + "'");
    return descriptor.empty() ? RUN_ALL_TESTS() : report_to(descriptor);
}

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

// tests/support/checklist.cpp · the arguments of a checklist, and where its results go
//
//   01_attention_test     gtest, as it is: for ctest
//   … --margins           prints how near each comparison comes to its tolerance
//   … --report-to=FD      sends to this file descriptor what each test comes to (tools/verdict/channel.hpp)
//
// Bad flags: exit code 2.
#include "tests/support/checklist.hpp"

#include <gtest/gtest.h>

#include <charconv>
#include <cstdio>
#include <string>

#include "tests/support/close.hpp"
#include "tests/support/collector.hpp"

namespace tfs::test {
namespace {

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

}  // namespace tfs::test

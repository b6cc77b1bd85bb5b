// tests/support/checklist_main.cpp · the main function of every checklist
//
//   01_attention_test     gtest, as it is: for ctest
//   … --margins           prints how near each comparison comes to its tolerance
//   … --report-to=FD      sends to this file descriptor what each test comes to (tools/report/channel.hpp)
//
// Bad flags: exit code 2.
#include <gtest/gtest.h>

#include <charconv>
#include <cstdio>
#include <string>

#include "tests/support/collector.hpp"
#include "tests/support/margins.hpp"

namespace tfs::test {
namespace {

// Takes "--report-to=FD" out of argv, empty where it is not there, and --margins.
std::string take_descriptor(int& argc, char** argv) {
    const std::string flag = "--report-to=";
    std::string found;
    int kept = 1;
    for (int i = 1; i < argc; ++i) {
        const std::string argument = argv[i];
        if (argument.starts_with(flag)) {
            found = argument.substr(flag.size());
        } else if (argument == "--margins") {
            print_margins();
        } else {
            argv[kept++] = argv[i];
        }
    }
    argc = kept;
    return found;
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
    collect(report::Channel(descriptor));
    return RUN_ALL_TESTS();
}

}  // namespace
}  // namespace tfs::test

int main(int argc, char** argv) {
    const std::string descriptor = tfs::test::take_descriptor(argc, argv);
    testing::InitGoogleTest(&argc, argv);
    if (argc > 1) return tfs::test::refuse("unknown argument '" + std::string(argv[1]) + "'");
    return descriptor.empty() ? RUN_ALL_TESTS() : tfs::test::report_to(descriptor);
}

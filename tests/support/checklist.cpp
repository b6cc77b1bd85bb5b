// tests/support/checklist.cpp · the arguments of a checklist, and where its results go
//
//   01_attention_test     gtest, as it is: for ctest
//   … --margins           prints how near each comparison comes to its tolerance
//   … --record=FILE       writes a record with what came in each comparison (tools/report/channel.hpp)
//   … --report-to=FD      sends to this file descriptor what each test comes to (tools/report/channel.hpp)
//
// Bad flags: exit code 2.
#include "tests/support/checklist.hpp"

#include <fcntl.h>
#include <gtest/gtest.h>

#include <charconv>
#include <cstdio>
#include <string>

#include "tests/support/collector.hpp"
#include "tests/support/comparisons.hpp"

namespace tfs::test {
namespace {

struct Flags {
    std::string report_to, record;
};

// Takes our own flags out of argv; what is left is gtest's.
Flags take_flags(int& argc, char** argv) {
    const std::string report_to = "--report-to=", record = "--record=";
    Flags flags;
    int kept = 1;
    for (int i = 1; i < argc; ++i) {
        const std::string argument = argv[i];
        if (argument.starts_with(report_to)) {
            flags.report_to = argument.substr(report_to.size());
        } else if (argument.starts_with(record)) {
            flags.record = argument.substr(record.size());
        } else if (argument == "--margins") {
            print_margins();
        } else {
            argv[kept++] = argv[i];
        }
    }
    argc = kept;
    return flags;
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

int record_in(const std::string& file) {
    const int descriptor = ::open(file.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0666);
    if (descriptor < 0) return refuse("the record '" + file + "' can't be written");
    collect(report::Channel(descriptor), Comparisons::recorded);
    return RUN_ALL_TESTS();
}

}  // namespace

int run_checklist(int argc, char** argv) {
    const Flags flags = take_flags(argc, argv);
    testing::InitGoogleTest(&argc, argv);
    if (argc > 1) return refuse("unknown argument '" + std::string(argv[1]) + "'");
    if (!flags.report_to.empty() && !flags.record.empty())
        return refuse("--report-to and --record exclude each other");
    if (!flags.report_to.empty()) return report_to(flags.report_to);
    return flags.record.empty() ? RUN_ALL_TESTS() : record_in(flags.record);
}

}  // namespace tfs::test

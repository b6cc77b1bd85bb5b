// tests/tools/runner_debug_test.cpp · ./tutorial check N.M --debug, with a debugger that says how it was started
#include <gtest/gtest.h>

#include "tests/tools/mini_tutorial.hpp"
#include "tests/tools/text_checks.hpp"

namespace tfs::tools_test {
namespace {

// A folder with a program of this name, in front of the others.
std::string path_with(const TemporaryFolder& folder, const std::string& name) {
    fs::permissions(folder.write(name, "#!/bin/sh\nprintf '%s|' \"$@\"\n"), fs::perms::owner_all);
    return "PATH=" + folder.path().string() + ":" + std::getenv("PATH");
}

TEST(runner_debug, stops_at_the_first_failing_check) {
    const MiniTutorial& mini = shared_tutorial();
    const TemporaryFolder folder;
    const Options options{.environment = {path_with(folder, "gdb")}};
    mini.write("double_it", "    return x + 6;");
    Result told = mini.run({"check", "0.1", "--debug"}, options);
    EXPECT_EQ(told.code, 0) << told.err;
    EXPECT_TRUE(contains(told.out,
                         "0.1 double_it: it runs the check: of zero. gdb stops in "
                         "exercises/00_little/double_it.cpp; then next,"));
    EXPECT_TRUE(
        ends_with(told.out,
                  "\n-q|-x|tools/debug/gdb_printers.py|-ex|rbreak "
                  "exercises/00_little/double_it.cpp:^tfs::|-ex|run|--args|"
                  "build/release/bin/"
                  "debug_00_little_double_it|--gtest_filter=double_it.of_zero|--gtest_catch_exceptions=0|"));

    mini.solve("double_it");
    told = mini.run({"check", "double_it", "--debug"}, options);
    EXPECT_TRUE(contains(told.out, "0.1 double_it: all checks pass. gdb stops"));
    EXPECT_TRUE(contains(told.out, "|--gtest_filter=double_it.*|"));
}

TEST(runner_debug, only_builds_for_an_editor) {
    const MiniTutorial& mini = shared_tutorial();
    mini.solve("halve_it");
    const Result told = mini.run({"check", "0.2", "--debug=build"}, {.environment = {"PATH=/usr/bin:/bin"}});
    EXPECT_EQ(told.code, 0) << told.err;
    EXPECT_EQ(told.out, "");
    EXPECT_TRUE(fs::exists(mini.root() / "build/release/bin/debug_00_little_halve_it"));
}

TEST(runner_debug, refuses_what_can_not_be_debugged) {
    const MiniTutorial& mini = shared_tutorial();
    const auto refused = [&](const std::vector<std::string>& words, const std::string& sentence) {
        const Result told = mini.run(words);
        EXPECT_EQ(told.code, 2);
        EXPECT_TRUE(contains(told.err, sentence));
    };
    refused({"check", "0.1", "--debug"},
            "0.1 double_it is not started: write something in exercises/00_little/double_it.cpp first.");
    refused({"check", "0.1", "0.2", "--debug"},
            "--debug takes one step, as in: ./tutorial check softmax --debug");
    refused({"check", "0", "--debug"}, "0 is a chapter; its steps are 0.1 to 0.2.");
    refused({"check", "0.1", "--debug=later"}, "does not know the flag --debug=later");
}

}  // namespace
}  // namespace tfs::tools_test

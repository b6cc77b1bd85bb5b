// tests/tools/runner_interrupt_test.cpp · Ctrl-C, and other ends before the end
#include <gtest/gtest.h>

#include <csignal>

#include "tests/tools/endless_steps.hpp"
#include "tests/tools/text_checks.hpp"
#include "tools/steps/text.hpp"

namespace tfs::tools_test {

namespace {

void expect_next_check_works(const MiniTutorial& mini) {
    mini.solve("double_it");
    EXPECT_EQ(mini.run({"check", "0.1"}).code, 0);
}

}  // namespace

TEST(runner_interrupt, in_the_middle_of_a_build_ends_all_of_it) {
    const MiniTutorial& mini = shared_tutorial();
    for (const auto& [signal, code] : {std::pair(SIGINT, 130), std::pair(SIGTERM, 143)}) {
        EndlessCompilation endless(mini);
        Process check = mini.start({"check", "0.1"});
        ASSERT_TRUE(endless.has_begun());
        check.signal(signal);
        const Result told = check.finish();
        EXPECT_EQ(told.code, code);
        EXPECT_EQ(told.out, "");
        EXPECT_TRUE(ends_with(told.err, "Interrupted.\n"));
        EXPECT_TRUE(mini.is_quiet());
    }
    expect_next_check_works(mini);
}

TEST(runner_interrupt, by_the_keyboard_does_the_same) {
    const MiniTutorial& mini = shared_tutorial();
    EndlessCompilation endless(mini);
    Process check = mini.start({"check", "0.1"}, {.terminal_columns = 80});
    ASSERT_TRUE(endless.has_begun());
    check.type("\x03");
    const Result told = check.finish();
    EXPECT_EQ(told.code, 130);
    EXPECT_TRUE(ends_with(told.out, "Interrupted.\n"));
    EXPECT_TRUE(mini.is_quiet());
}

TEST(runner_interrupt, in_the_middle_of_a_check_ends_it) {
    const MiniTutorial& mini = shared_tutorial();
    const fs::path begun = write_endless_check(mini);
    Process check = mini.start({"check", "0.1"});
    ASSERT_TRUE(becomes_true([&] { return fs::exists(begun); }));
    check.signal(SIGINT);
    const Result told = check.finish();
    EXPECT_EQ(told.code, 130);
    EXPECT_TRUE(ends_with(told.err, "Interrupted.\n"));
    EXPECT_TRUE(mini.is_quiet());
    EXPECT_TRUE(contains(mini.run({}).out, "0.1 double_it: not checked yet\n"));
    expect_next_check_works(mini);
}

TEST(runner_interrupt, no_endless_loop_outlives_a_runner_that_was_killed) {
    const MiniTutorial& mini = shared_tutorial();
    const fs::path begun = write_endless_check(mini);
    Process check = mini.start({"check", "0.1"});
    ASSERT_TRUE(becomes_true([&] { return fs::exists(begun); }));
    check.signal(SIGKILL);
    EXPECT_EQ(check.finish().code, 137);
    EXPECT_TRUE(mini.is_quiet());
    expect_next_check_works(mini);
}

TEST(runner_interrupt, in_the_middle_of_configuring_leaves_nothing_half_done) {
    const MiniTutorial mini;
    mini.solve("double_it");
    const std::string right = mini.text_of("CMakeLists.txt");
    const fs::path begun = mini.root() / "begun";
    steps::write_text(mini.root() / "CMakeLists.txt",
                      right + "file(TOUCH " + begun.string() + ")\nexecute_process(COMMAND sleep 1000)\n");
    Process check = mini.start({"check", "0.1"});
    ASSERT_TRUE(becomes_true([&] { return fs::exists(begun); }));
    check.signal(SIGINT);
    EXPECT_EQ(check.finish().code, 130);
    EXPECT_TRUE(mini.is_quiet());
    steps::write_text(mini.root() / "CMakeLists.txt", right);
    EXPECT_EQ(mini.run({"check", "0.1"}).code, 0);
}

}  // namespace tfs::tools_test

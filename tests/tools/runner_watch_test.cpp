// tests/tools/runner_watch_test.cpp · ./tutorial watch
#include <gtest/gtest.h>

#include <csignal>

#include "tests/tools/endless_steps.hpp"
#include "tests/tools/text_checks.hpp"
#include "tools/steps/text.hpp"

namespace tfs::tools_test {

TEST(runner_watch, checks_what_is_saved_until_it_is_interrupted) {
    const MiniTutorial& mini = shared_tutorial();
    Process watch = mini.start({"watch"});
    ASSERT_TRUE(watch.says("Watching 2 steps in exercises/."));
    mini.write("double_it", "    return x * x;");
    EXPECT_TRUE(watch.says("0.1 double_it                          FAILED in 1 of 2 checks\n"));
    EXPECT_TRUE(watch.says("\nNext: step 0.1"));
    mini.solve("double_it");
    EXPECT_TRUE(watch.says("0.1 double_it                          passed (2 checks)\n"));
    EXPECT_TRUE(watch.says("\nNext: step 0.2"));
    mini.solve("halve_it");
    EXPECT_TRUE(watch.says("0.2 halve_it                           passed (2 checks)\n"));
    watch.signal(SIGINT);
    const Result told = watch.finish();
    EXPECT_EQ(told.code, 0);
    EXPECT_TRUE(contains(told.out, "\nNo longer watching.\n"));
    EXPECT_TRUE(mini.is_quiet());
}

TEST(runner_watch, goes_on_after_what_does_not_compile_and_after_a_file_that_was_gone) {
    const MiniTutorial& mini = shared_tutorial();
    Process watch = mini.start({"watch", "0.1"});
    ASSERT_TRUE(watch.says("Watching 1 step in exercises/."));
    mini.write("double_it", "    return y;");
    EXPECT_TRUE(watch.says("DOES NOT COMPILE"));
    EXPECT_TRUE(watch.says("\nNext: "));
    fs::remove(mini.exercise("double_it"));
    mini.solve("double_it");
    EXPECT_TRUE(watch.says("passed (2 checks)"));
    watch.signal(SIGINT);
    EXPECT_EQ(watch.finish().code, 0);
}

TEST(runner_watch, a_file_saved_during_its_check_is_checked_anew) {
    const MiniTutorial& mini = shared_tutorial();
    Process watch = mini.start({"watch", "0.1"});
    ASSERT_TRUE(watch.says("Watching 1 step"));
    const fs::path begun = write_endless_check(mini);
    ASSERT_TRUE(becomes_true([&] { return fs::exists(begun); })) << "the endless loop runs now";
    mini.solve("double_it");
    EXPECT_TRUE(watch.says("    saved again: this check was stopped\n"));
    EXPECT_TRUE(watch.says("passed (2 checks)"));
    watch.signal(SIGINT);
    EXPECT_EQ(watch.finish().code, 0);
    EXPECT_TRUE(mini.is_quiet());
}

TEST(runner_watch, is_interrupted_in_the_middle_of_a_check) {
    const MiniTutorial& mini = shared_tutorial();
    Process watch = mini.start({"watch", "0.1"});
    ASSERT_TRUE(watch.says("Watching 1 step"));
    const fs::path begun = write_endless_check(mini);
    ASSERT_TRUE(becomes_true([&] { return fs::exists(begun); }));
    watch.signal(SIGINT);
    EXPECT_EQ(watch.finish().code, 0);
    EXPECT_TRUE(mini.is_quiet());
}

}  // namespace tfs::tools_test

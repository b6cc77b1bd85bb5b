// tests/tools/runner_at_once_test.cpp · two commands at the same time
#include <gtest/gtest.h>

#include <csignal>

#include "tests/tools/endless_steps.hpp"
#include "tests/tools/text_checks.hpp"
#include "tools/steps/text.hpp"

namespace tfs::tools_test {

TEST(runner_at_once, two_checks_of_the_same_step_both_report) {
    const MiniTutorial mini;  // which has to be configured, too
    mini.solve("double_it");
    Process one = mini.start({"check", "0.1"}), other = mini.start({"check", "0.1"});
    for (Process* check : {&one, &other}) {
        const Result told = check->finish();
        EXPECT_EQ(told.code, 0) << told.err;
        EXPECT_TRUE(contains(told.out, "passed (2 checks)\n"));
    }
    EXPECT_TRUE(contains(mini.run({}).out, "1 of 2  0.2 halve_it: not started\n"));
}

TEST(runner_at_once, checks_of_two_steps_remember_both) {
    const MiniTutorial& mini = shared_tutorial();
    mini.solve("double_it");
    mini.solve("halve_it");
    Process one = mini.start({"check", "0.1"}), other = mini.start({"check", "0.2"});
    EXPECT_EQ(one.finish().code, 0);
    EXPECT_EQ(other.finish().code, 0);
    EXPECT_TRUE(contains(mini.run({}).out, "2 of 2  done\n"));
    for (const auto& [name, text] : memory_of(mini)) EXPECT_EQ(name.find(".part"), std::string::npos) << name;
}

TEST(runner_at_once, a_check_waits_for_the_build_of_another) {
    const MiniTutorial& mini = shared_tutorial();
    mini.solve("halve_it");
    EndlessCompilation endless(mini);
    Process one = mini.start({"check", "0.1"});
    ASSERT_TRUE(endless.has_begun());
    Process other = mini.start({"check", "0.2"});
    EXPECT_TRUE(other.says("waiting for another build\n"));
    one.signal(SIGINT);
    EXPECT_EQ(one.finish().code, 130);
    EXPECT_EQ(other.finish().code, 0);
}

}  // namespace tfs::tools_test

// tests/tools/runner_causes_test.cpp · ./tutorial check: the cause of a failure is one of the step's mistakes
#include <gtest/gtest.h>

#include "tests/tools/mini_tutorial.hpp"
#include "tests/tools/text_checks.hpp"

namespace tfs::tools_test {

namespace {

const std::string cause = "Likely cause: x is divided by 3, not by 2\n",
                  sought = "the cause is sought among the mistakes of this step";

// With nothing kept of an earlier check.
const MiniTutorial& with_third() {
    const MiniTutorial& mini = shared_tutorial();
    fs::remove_all(mini.root() / "build/release/records");
    mini.write("halve_it", "    return x / 3;");
    return mini;
}

}  // namespace

TEST(runner_causes, come_after_the_failures_the_first_time_and_then_with_them) {
    const MiniTutorial& mini = with_third();
    const Result first = mini.run({"check", "0.2"}), second = mini.run({"check", "0.2"});
    EXPECT_EQ(first.code, 1);
    EXPECT_TRUE(contains(
        first.out, "FAILED in 1 of 2 checks\n    ✗ of a small number\n        of 6 got 2, expected 3\n    " +
                       cause + "        explains: of a small number\n\nNext: "));
    EXPECT_TRUE(contains(first.err, sought));
    EXPECT_TRUE(contains(second.out,
                         "    ✗ of a small number\n        " + cause + "        of 6 got 2, expected 3\n"));
    EXPECT_FALSE(contains(second.err, sought));
}

TEST(runner_causes, of_another_answer_none_is_told) {
    const MiniTutorial& mini = with_third();
    mini.write("halve_it", "    return x / 6;");
    for (int i = 0; i < 2; ++i) {
        const Result told = mini.run({"check", "0.2"});
        EXPECT_TRUE(contains(
            told.out, "of 6 got 1, expected 3\n    This is none of the mistakes that are known here."));
        EXPECT_FALSE(contains(told.out, "Likely cause"));
    }
}

TEST(runner_causes, are_not_sought_where_nobody_wants_them) {
    const Result told = with_third().run({"check", "0.2", "--no-causes"});
    EXPECT_EQ(told.code, 1);
    EXPECT_TRUE(contains(told.out, "No likely cause of this is known."));
    EXPECT_FALSE(contains(told.err, sought));
}

TEST(runner_causes, the_search_ends_with_ctrl_c_and_nothing_outlives_it) {
    const MiniTutorial& mini = with_third();
    Process check =
        mini.start({"check", "0.2"}, {.environment = {"MINI_RECORDS_TAKE=50"}, .terminal_columns = 80});
    ASSERT_TRUE(check.says(sought));
    check.type("\x03");
    EXPECT_EQ(check.finish().code, 130);
    EXPECT_TRUE(mini.is_quiet());
    EXPECT_TRUE(contains(mini.run({"check", "0.2"}).out, cause));
}

TEST(runner_causes, watch_tells_them_too_and_a_new_save_ends_the_search) {
    const MiniTutorial& mini = with_third();
    mini.write("halve_it", "    return x / 2;");
    Process watch =
        mini.start({"watch", "0"}, {.environment = {"MINI_RECORDS_TAKE=3"}, .terminal_columns = 80});
    ASSERT_TRUE(watch.says("Watching 2 steps"));
    mini.write("halve_it", "    return x / 3;");
    ASSERT_TRUE(watch.says(sought));
    mini.write("halve_it", "    return x / 3 ;");
    ASSERT_TRUE(watch.says("saved again: this check was stopped"));
    ASSERT_TRUE(watch.says("Likely cause: x is divided by 3"));
    watch.type("\x03");
    EXPECT_EQ(watch.finish().code, 0);
    EXPECT_TRUE(mini.is_quiet());
}

TEST(runner_causes, mistakes_that_can_not_be_run_are_no_error_of_hers) {
    const MiniTutorial& mini = with_third();
    const Result told = mini.run({"check", "0.2"}, {.environment = {"MINI_RECORDS_TAKE=never"}});
    EXPECT_EQ(told.code, 1);
    EXPECT_TRUE(contains(told.err, "the mistakes of this step could not be run: no cause is known"));
}

}  // namespace tfs::tools_test

// tests/tools/runner_diff_test.cpp · ./tutorial diff
#include <gtest/gtest.h>

#include "tests/tools/mini_tutorial.hpp"
#include "tests/tools/text_checks.hpp"
#include "tools/steps/gaps.hpp"

namespace tfs::tools_test {

TEST(runner_diff, does_not_show_the_solution_of_an_open_step_unasked) {
    const MiniTutorial& mini = shared_tutorial();
    const Result told = mini.run({"diff", "0.1"}, {.input = "y\n"});
    EXPECT_EQ(told.code, 2);
    EXPECT_EQ(told.out,
              "Step 0.1 does not pass yet (not started). To see the solution all the same: ./tutorial diff "
              "0.1 --yes\n");
}

TEST(runner_diff, shows_the_solution_without_tasks_where_told_yes) {
    const MiniTutorial& mini = shared_tutorial();
    mini.write("double_it", "    return x + x;");
    const Result told = mini.run({"diff", "0.1", "--yes"});
    EXPECT_EQ(told.code, 0);
    EXPECT_TRUE(begins_with(
        told.out, "--- exercises/00_little/double_it.cpp (yours)\n+++ solutions/00_little/double_it.cpp\n"));
    EXPECT_TRUE(contains(told.out, "\n-    return x + x;\n"));
    EXPECT_TRUE(contains(told.out, "\n+    return 2 * x;\n"));
    EXPECT_FALSE(contains(told.out, "begin:"));
    EXPECT_FALSE(contains(told.out, "@@"));
}

TEST(runner_diff, a_step_that_passes_is_shown_without_a_question) {
    const MiniTutorial& mini = shared_tutorial();
    mini.write("double_it", "    return x + x;");
    EXPECT_EQ(mini.run({"check", "0.1"}).code, 0);
    const Result told = mini.run({"diff", "0.1"});
    EXPECT_EQ(told.code, 0);
    EXPECT_TRUE(contains(told.out, "+    return 2 * x;\n"));
}

TEST(runner_diff, a_copy_of_the_solution_is_equal) {
    const MiniTutorial& mini = shared_tutorial();
    steps::write_text(mini.exercise("double_it"), steps::read_text(mini.solution("double_it")));
    const Result told = mini.run({"diff", "0.1", "--yes"});
    EXPECT_EQ(told.code, 0);
    EXPECT_EQ(told.out,
              "exercises/00_little/double_it.cpp and solutions/00_little/double_it.cpp are equal.\n");
}

TEST(runner_diff, names_the_faster_version) {
    const MiniTutorial& mini = shared_tutorial();
    steps::write_text(mini.root() / "solutions/00_little/double_it.fast.cpp",
                      "int double_it(int x) { return x << 1; }\n");
    EXPECT_TRUE(
        contains(mini.run({"diff", "0.1", "--yes"}).out,
                 "\nA faster version of this step, for later: solutions/00_little/double_it.fast.cpp\n"));
}

TEST(runner_diff, on_a_terminal_asks_first) {
    const MiniTutorial& mini = shared_tutorial();
    for (const auto& [answer, code] : {std::pair("n\n", 1), std::pair("\n", 1), std::pair("y\n", 0)}) {
        Process diff = mini.start({"diff", "0.1"}, {.terminal_columns = 120});
        EXPECT_TRUE(diff.says("See the solution? [y/N] "));
        diff.type(answer);
        const Result told = diff.finish();
        EXPECT_EQ(told.code, code);
        EXPECT_EQ(told.out.find("return 2 * x;") != std::string::npos, code == 0) << told.out;
    }
}

TEST(runner_diff, on_a_wide_terminal_stands_side_by_side) {
    const MiniTutorial& mini = shared_tutorial();
    mini.write("double_it", "    return x + x;");
    EXPECT_TRUE(has_match(mini.start({"diff", "0.1", "--yes"}, {.terminal_columns = 160}).finish().out,
                          "return x [+] x; +[|] +return 2 [*] x;"));
}

TEST(runner_diff, a_hidden_solution_is_refused) {
    const MiniTutorial& mini = shared_tutorial();
    mini.hide("double_it");
    const Result told = mini.run({"diff", "0.1", "--yes"});
    EXPECT_EQ(told.code, 2);
    EXPECT_EQ(told.err, "tutorial: this copy of the tutorial, made for a course, shows no solutions.\n");
}

TEST(runner_diff, a_missing_file_is_refused) {
    const MiniTutorial& mini = shared_tutorial();
    fs::remove(mini.exercise("double_it"));
    const Result told = mini.run({"diff", "0.1"});
    EXPECT_EQ(told.code, 2);
    EXPECT_EQ(
        told.err,
        "tutorial: exercises/00_little/double_it.cpp is missing; ./tutorial reset 0.1 brings it back.\n");
}

}  // namespace tfs::tools_test

// tests/tools/runner_hint_test.cpp · ./tutorial hint, diff and reset
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/tools/mini_tutorial.hpp"
#include "tools/steps/gaps.hpp"

namespace tfs::tools_test {

using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

TEST(runner_hint, gives_one_more_at_each_call_and_then_all_again) {
    const MiniTutorial& mini = shared_tutorial();
    EXPECT_EQ(mini.run({"hint", "0.1"}).out,
              "\n0.1 double_it, hint 1 of 3\n    Twice something is the thing plus itself.\n\n"
              "One more: ./tutorial hint 0.1\n");
    EXPECT_EQ(mini.run({"hint", "0.1"}).out,
              "\n0.1 double_it, hint 2 of 3\n    There is an operator for it, too.\n    It is a star.\n\n"
              "One more: ./tutorial hint 0.1\n");
    EXPECT_EQ(mini.run({"hint", "0.1"}).out, "\n0.1 double_it, hint 3 of 3\n    `return 2 * x;`\n");
    const Result told = mini.run({"hint", "0.1"});
    EXPECT_EQ(told.code, 0);
    EXPECT_THAT(told.out,
                StartsWith("You have seen all 3 hints of step 0.1:\n\n0.1 double_it, hint 1 of 3\n"));
    EXPECT_THAT(told.out, HasSubstr("hint 3 of 3\n    `return 2 * x;`\n\n"));
    EXPECT_THAT(told.out, HasSubstr("./tutorial diff 0.1\n"));
}

TEST(runner_hint, counts_for_each_step) {
    const MiniTutorial& mini = shared_tutorial();
    mini.run({"hint", "0.1"});
    EXPECT_THAT(mini.run({"hint", "0.2"}).out, HasSubstr("0.2 halve_it, hint 1 of 3\n"));
}

TEST(runner_hint, without_hints_says_so) {
    const MiniTutorial& mini = shared_tutorial();
    fs::remove(mini.root() / "chapters/00_little/hints.md");
    const Result told = mini.run({"hint", "0.1"});
    EXPECT_EQ(told.code, 2);
    EXPECT_EQ(told.err, "tutorial: there are no hints for step 0.1 in chapters/00_little/hints.md.\n");
}

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
    EXPECT_THAT(
        told.out,
        StartsWith("--- exercises/00_little/double_it.cpp (yours)\n+++ solutions/00_little/double_it.cpp\n"));
    EXPECT_THAT(told.out, HasSubstr("\n-    return x + x;\n"));
    EXPECT_THAT(told.out, HasSubstr("\n+    return 2 * x;\n"));
    EXPECT_THAT(told.out, Not(HasSubstr("begin:")));
    EXPECT_THAT(told.out, Not(HasSubstr("@@")));
}

TEST(runner_diff, a_step_that_passes_is_shown_without_a_question) {
    const MiniTutorial& mini = shared_tutorial();
    mini.write("double_it", "    return x + x;");
    EXPECT_EQ(mini.run({"check", "0.1"}).code, 0);
    const Result told = mini.run({"diff", "0.1"});
    EXPECT_EQ(told.code, 0);
    EXPECT_THAT(told.out, HasSubstr("+    return 2 * x;\n"));
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
    EXPECT_THAT(
        mini.run({"diff", "0.1", "--yes"}).out,
        HasSubstr("\nA faster version of this step, for later: solutions/00_little/double_it.fast.cpp\n"));
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
    EXPECT_THAT(mini.start({"diff", "0.1", "--yes"}, {.terminal_columns = 160}).finish().out,
                testing::ContainsRegex("return x [+] x; +[|] +return 2 [*] x;"));
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

TEST(runner_reset, brings_the_stub_back_and_keeps_what_was_there) {
    const MiniTutorial& mini = shared_tutorial();
    const std::string stub = steps::read_text(mini.exercise("double_it"));
    mini.solve("double_it");
    const std::string mine = steps::read_text(mini.exercise("double_it"));
    mini.run({"check", "0.1"});
    mini.run({"hint", "0.1"});
    const Result told = mini.run({"reset", "0.1"});
    EXPECT_EQ(told.code, 0);
    EXPECT_EQ(steps::read_text(mini.exercise("double_it")), stub);
    const std::string mark = "Your version is kept in ";
    const std::size_t at = told.out.find(mark);
    ASSERT_NE(at, std::string::npos) << told.out;
    const std::string kept = told.out.substr(at + mark.size(), told.out.find('\n', at) - at - mark.size());
    EXPECT_THAT(kept, testing::MatchesRegex("[.]tutorial/backup/00_little/double_it[.][0-9_-]+[.]cpp"));
    EXPECT_EQ(mini.text_of(kept), mine);
    EXPECT_THAT(mini.run({"hint", "0.1"}).out, HasSubstr("hint 1 of 3")) << "the hints begin anew";
}

TEST(runner_reset, twice_in_a_second_keeps_both) {
    const MiniTutorial& mini = shared_tutorial();
    for (const char* body : {"    return 1;", "    return 2;", "    return 3;"}) {
        mini.write("double_it", body);
        EXPECT_EQ(mini.run({"reset", "0.1"}).code, 0);
    }
    std::string kept;
    for (const auto& [name, text] : memory_of(mini))
        if (name.starts_with("backup/")) kept += text;
    for (const char* body : {"return 1;", "return 2;", "return 3;"}) EXPECT_THAT(kept, HasSubstr(body));
}

TEST(runner_reset, an_untouched_step_has_nothing_to_reset) {
    const MiniTutorial& mini = shared_tutorial();
    const Result told = mini.run({"reset", "0.1"});
    EXPECT_EQ(told.code, 0);
    EXPECT_EQ(told.out,
              "exercises/00_little/double_it.cpp is the untouched stub already: nothing to reset.\n");
    EXPECT_FALSE(fs::exists(mini.root() / ".tutorial/backup/00_little") &&
                 !fs::is_empty(mini.root() / ".tutorial/backup/00_little"));
}

TEST(runner_reset, a_missing_file_comes_back) {
    const MiniTutorial& mini = shared_tutorial();
    const std::string stub = steps::read_text(mini.exercise("double_it"));
    fs::remove_all(mini.root() / "exercises");
    EXPECT_EQ(mini.run({"reset", "double_it"}).out, "exercises/00_little/double_it.cpp is the stub again.\n");
    EXPECT_EQ(steps::read_text(mini.exercise("double_it")), stub);
}

TEST(runner_reset, what_cant_be_kept_is_not_changed) {
    const MiniTutorial mini;
    mini.solve("double_it");
    const std::string mine = steps::read_text(mini.exercise("double_it"));
    steps::write_text(mini.root() / ".tutorial/backup", "a file where a folder is needed\n");
    const Result told = mini.run({"reset", "0.1"});
    EXPECT_EQ(told.code, 2);
    EXPECT_THAT(told.err,
                StartsWith("tutorial: cannot keep your version in .tutorial/backup/00_little/double_it."));
    EXPECT_EQ(lines_in(told.err), 1U);
    EXPECT_EQ(steps::read_text(mini.exercise("double_it")), mine);
}

}  // namespace tfs::tools_test

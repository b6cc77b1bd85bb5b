// tests/tools/runner_hint_test.cpp · ./tutorial hint
#include <gtest/gtest.h>

#include "tests/tools/mini_tutorial.hpp"
#include "tests/tools/text_checks.hpp"
#include "tools/steps/gaps.hpp"

namespace tfs::tools_test {

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
    EXPECT_TRUE(
        begins_with(told.out, "You have seen all 3 hints of step 0.1:\n\n0.1 double_it, hint 1 of 3\n"));
    EXPECT_TRUE(contains(told.out, "hint 3 of 3\n    `return 2 * x;`\n\n"));
    EXPECT_TRUE(contains(told.out, "./tutorial diff 0.1\n"));
}

// The copy of a course: tools/copy --without-solutions.
TEST(runner_hint, does_not_lead_to_a_hidden_solution) {
    const MiniTutorial& mini = shared_tutorial();
    mini.hide("double_it");
    for (int hint = 0; hint < 3; ++hint) mini.run({"hint", "0.1"});
    const Result told = mini.run({"hint", "0.1"});
    EXPECT_EQ(told.code, 0);
    EXPECT_TRUE(told.out.ends_with("hint 3 of 3\n    `return 2 * x;`\n")) << told.out;
}

TEST(runner_hint, counts_for_each_step) {
    const MiniTutorial& mini = shared_tutorial();
    mini.run({"hint", "0.1"});
    EXPECT_TRUE(contains(mini.run({"hint", "0.2"}).out, "0.2 halve_it, hint 1 of 3\n"));
}

TEST(runner_hint, without_hints_says_so) {
    const MiniTutorial& mini = shared_tutorial();
    fs::remove(mini.root() / "chapters/00_little/hints.md");
    const Result told = mini.run({"hint", "0.1"});
    EXPECT_EQ(told.code, 2);
    EXPECT_EQ(told.err, "tutorial: there are no hints for step 0.1 in chapters/00_little/hints.md.\n");
}

}  // namespace tfs::tools_test

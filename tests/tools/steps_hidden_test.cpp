// tests/tools/steps_hidden_test.cpp · solutions of a course's copy: they read back, give the same exercises, and show nothing

#include <gtest/gtest.h>

#include "tests/tools/checks.hpp"
#include "tools/steps/gaps.hpp"
#include "tools/steps/text.hpp"
#include "tools/steps/tutorial.hpp"

namespace tfs::tools_test {

TEST(steps_hidden, solutions_read_back_and_give_the_same_exercises) {
    const fs::path root = TFS_TOOLS_SOURCE_DIR;
    const std::vector<steps::Step> all = steps::read_tutorial(root).steps();
    const bool of_a_course = steps::is_hidden(steps::read_text(root / all.front().solution()));
    for (const steps::Step& step : all) {
        const std::string name = step.solution().string(), text = steps::read_text(root / step.solution());
        const std::string hidden = steps::hidden(text, name);
        EXPECT_TRUE(steps::is_hidden(hidden)) << name;
        EXPECT_EQ(steps::is_hidden(text), of_a_course) << name;
        EXPECT_EQ(steps::revealed(hidden), text) << name;
        EXPECT_EQ(steps::exercise_of(hidden, name), steps::exercise_of(text, name));
        if (!fs::exists(root / step.fast_solution())) continue;
        const std::string fast = steps::read_text(root / step.fast_solution());
        EXPECT_EQ(steps::revealed(steps::hidden(fast, name)), fast) << name;
        EXPECT_EQ(steps::split_lines(steps::hidden(fast, name)).size(), 3U) << name;
    }
}

TEST(steps_hidden, nothing_of_an_answer_is_left_but_the_task_and_the_fault) {
    const std::string solution =
        "// Step 0.1 · twice · ●○○ · 5 min\n// solutions/00_a/twice.cpp\nint twice(int x) {\n    // begin: "
        "Double it.\n    // More.\n"
        "    // a comment of the answer stands below a line of it\n    const int y = x;\n    // so\n    "
        "return 2 * y;\n    // instead\n"
        "    // return x * x;\n    // end\n}\n";
    const std::string hidden = steps::hidden(solution, "twice");
    EXPECT_EQ(steps::split_lines(hidden).size(), 11U);
    for (const char* kept : {"// begin: Double it.\n",
                             "    // instead\n    // return x * x;\n    // end\n}\n", "int twice(int x) {\n"})
        EXPECT_TRUE(contains(hidden, kept));
    for (const char* gone : {"2 * y", "const int", "so\n"}) EXPECT_EQ(hidden.find(gone), std::string::npos);
    EXPECT_EQ(steps::revealed(hidden), solution);
}

}  // namespace tfs::tools_test

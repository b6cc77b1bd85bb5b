// tests/tools/steps_tutorial_test.cpp · banners, and the chapters and steps that are read from the folders
#include <gtest/gtest.h>

#include "tests/tools/error_of.hpp"
#include "tests/tools/temporary_folder.hpp"
#include "tools/steps/tutorial.hpp"

namespace tfs::tools_test {

namespace {

std::string banner(const std::string& id, const std::string& name) {
    return "// Step " + id + " · " + name + " · ●●○ · 15 min\n";
}

// Two chapters; the second has the steps 1.1 add and 1.2 multiply.
struct TwoChapters {
    TemporaryFolder folder;

    TwoChapters() {
        folder.write("chapters/00_words/README.md", "Before the heading.\n\n# Words and letters\n");
        folder.write("chapters/01_numbers/numbers.hpp", "");
        folder.write("chapters/notes/README.md", "# No chapter: no number\n");
        folder.write("chapters/index.md", "# No folder\n");
        solution("multiply", "1.2");  // the order of names is not the order of steps
        solution("add", "1.1");
        folder.write("solutions/01_numbers/add.fast.cpp", "// no banner is needed here\n");
    }
    void solution(const std::string& name, const std::string& id) const {
        folder.write("solutions/01_numbers/" + name + ".cpp", banner(id, name));
    }
    std::string error() const {
        return error_of([&] { return steps::read_tutorial(folder.path()); });
    }
};

}  // namespace

TEST(steps_tutorial, a_banner_tells_number_name_difficulty_and_minutes) {
    const auto read = steps::parse_banner("// Step 1.12 · scaled_dot_product · ●●○ · 15 min");
    ASSERT_TRUE(read.has_value());
    EXPECT_EQ(read->chapter, 1);
    EXPECT_EQ(read->number, 12);
    EXPECT_EQ(read->id(), "1.12");
    EXPECT_EQ(read->name, "scaled_dot_product");
    EXPECT_EQ(read->difficulty, 2);
    EXPECT_EQ(read->difficulty_shown(), "●●○");
    EXPECT_EQ(read->minutes, 15);
    EXPECT_FALSE(read->optional);
    EXPECT_EQ(read->time_shown(), "15 min");
}

TEST(steps_tutorial, a_banner_tells_that_a_step_is_optional) {
    const auto read = steps::parse_banner("// Step 9.6 · whole_model · ●●● · 60 min, optional");
    ASSERT_TRUE(read.has_value());
    EXPECT_TRUE(read->optional);
    EXPECT_EQ(read->minutes, 60);
    EXPECT_EQ(read->time_shown(), "60 min, optional");
}

TEST(steps_tutorial, chapter_0_is_a_chapter) {
    EXPECT_TRUE(steps::parse_banner("// Step 0.1 · add · ●●● · 5 min").has_value());
}

TEST(steps_tutorial, any_other_line_is_no_banner) {
    for (const char* line : {
             "",
             "// Step",
             "/// Step 1.1 · add · ●○○ · 5 min",
             " // Step 1.1 · add · ●○○ · 5 min",
             "// Step 1 · add · ●○○ · 5 min",
             "// Step .1 · add · ●○○ · 5 min",
             "// Step 1.0 · add · ●○○ · 5 min",
             "// Step 1.-1 · add · ●○○ · 5 min",
             "// Step 1.12345 · add · ●○○ · 5 min",
             "// Step 1.99999999999999999999 · add · ●○○ · 5 min",
             "// Step 1.1 - add - ●○○ - 5 min",
             "// Step 1.1 · add more · ●○○ · 5 min",
             "// Step 1.1 ·  · ●○○ · 5 min",
             "// Step 1.1 · add · ○○○ · 5 min",
             "// Step 1.1 · add · ●●●● · 5 min",
             "// Step 1.1 · add · ●○ · 5 min",
             "// Step 1.1 · add · ○○● · 5 min",
             "// Step 1.1 · add · ●○○ · 0 min",
             "// Step 1.1 · add · ●○○ · 5 minutes",
             "// Step 1.1 · add · ●○○ · 5, optional",
             "// Step 1.1 · add · ●○○ · 5 min, option",
             "// Step 1.1 · add · ●○○ · 5 min, optional ",
             "// Step 1.1 · add · ●○○",
         })
        EXPECT_FALSE(steps::parse_banner(line).has_value()) << line;
}

TEST(steps_tutorial, chapters_come_by_number_and_steps_by_the_number_in_their_banner) {
    const TwoChapters two;
    const steps::Tutorial tutorial = steps::read_tutorial(two.folder.path());
    ASSERT_EQ(tutorial.chapters.size(), 2U);
    EXPECT_EQ(tutorial.chapters[0].folder, "00_words");
    EXPECT_TRUE(tutorial.chapters[0].steps.empty());
    EXPECT_EQ(tutorial.chapters[1].number, 1);
    EXPECT_EQ(tutorial.chapters[1].padded(), "01");
    ASSERT_EQ(tutorial.steps().size(), 2U);
    EXPECT_EQ(tutorial.steps()[0].name, "add");
    EXPECT_EQ(tutorial.steps()[1].name, "multiply");
}

TEST(steps_tutorial, a_chapter_is_titled_by_the_heading_of_its_lesson_or_else_by_its_folder) {
    const TwoChapters two;
    const auto titles = [&] {
        const steps::Tutorial tutorial = steps::read_tutorial(two.folder.path());
        return std::pair(tutorial.chapters[0].title, tutorial.chapters[1].title);
    };
    EXPECT_EQ(titles(), std::pair(std::string("Words and letters"), std::string("numbers")));
    two.folder.write("chapters/00_words/README.md", "# Words\n");
    two.folder.write("chapters/01_numbers/README.md", "# Numbers\n");
    EXPECT_EQ(titles(), std::pair(std::string("Words"), std::string("Numbers")));
}

TEST(steps_tutorial, a_step_knows_its_files_and_targets) {
    const TwoChapters two;
    const steps::Step step = steps::read_tutorial(two.folder.path()).steps()[0];
    EXPECT_EQ(step.solution(), "solutions/01_numbers/add.cpp");
    EXPECT_EQ(step.fast_solution(), "solutions/01_numbers/add.fast.cpp");
    EXPECT_EQ(step.exercise(), "exercises/01_numbers/add.cpp");
    EXPECT_EQ(step.hints(), "chapters/01_numbers/hints.md");
    EXPECT_EQ(step.check_target(), "check_01_numbers_add");
    EXPECT_EQ(step.sanitize_target(), "sanitize_01_numbers_add");
    EXPECT_EQ(step.debug_target(), "debug_01_numbers_add");
}

TEST(steps_tutorial, exercises_without_a_step_are_strays) {
    const TwoChapters two;
    for (const char* name :
         {"01_numbers/add.cpp", "01_numbers/divide.cpp", "02_gone/add.cpp", "01_numbers/a.md"})
        two.folder.write(std::string("exercises/") + name, "");
    const std::vector<fs::path> expected = {"exercises/01_numbers/divide.cpp", "exercises/02_gone/add.cpp"};
    EXPECT_EQ(steps::read_tutorial(two.folder.path()).strays(), expected);
}

TEST(steps_tutorial, a_folder_without_chapters_is_refused) {
    const TemporaryFolder folder;
    EXPECT_EQ(error_of([&] { return steps::read_tutorial(folder.path()); }),
              "there are no chapters in " + (folder.path() / "chapters").string());
}

TEST(steps_tutorial, a_solution_without_a_banner_is_refused) {
    const TwoChapters two;
    two.folder.write("solutions/01_numbers/add.cpp", "// The sum of two numbers\n");
    EXPECT_EQ(two.error(),
              "solutions/01_numbers/add.cpp:1: the first line must be like \"// Step 1.1 · softmax · ●○○ · "
              "10 min\"");
}

TEST(steps_tutorial, a_step_in_the_folder_of_another_chapter_is_refused) {
    const TwoChapters two;
    two.solution("add", "2.1");
    EXPECT_EQ(two.error(), "solutions/01_numbers/add.cpp:1: step 2.1 stands in the folder of chapter 1");
}

TEST(steps_tutorial, a_file_that_is_not_named_after_its_step_is_refused) {
    const TwoChapters two;
    two.folder.write("solutions/01_numbers/add.cpp", banner("1.1", "sum"));
    EXPECT_EQ(two.error(), "solutions/01_numbers/add.cpp:1: the step is called sum, the file is not");
}

TEST(steps_tutorial, a_number_given_twice_is_refused) {
    const TwoChapters two;
    two.solution("multiply", "1.1");
    const std::string error = two.error();
    EXPECT_TRUE(error == "the steps add and multiply are both 1.1" ||
                error == "the steps multiply and add are both 1.1")
        << error;
}

TEST(steps_tutorial, a_number_left_out_is_refused) {
    const TwoChapters two;
    two.solution("multiply", "1.3");
    EXPECT_EQ(two.error(), "step 1.2 is missing: solutions/01_numbers/multiply.cpp says it is 1.3");
    two.solution("add", "1.2");
    EXPECT_EQ(two.error(), "step 1.1 is missing: solutions/01_numbers/add.cpp says it is 1.2");
}

TEST(steps_tutorial, a_name_given_twice_is_refused) {
    const TwoChapters two;
    two.folder.write("solutions/00_words/add.cpp", banner("0.1", "add"));
    EXPECT_EQ(two.error(), "the steps 0.1 and 1.1 are both called add");
}

}  // namespace tfs::tools_test

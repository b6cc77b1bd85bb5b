// tests/tools/steps_tutorial_test.cpp · banners, chapters and steps, read from the folders; lines, files and hints
#include <gtest/gtest.h>

#include <array>
#include <chrono>

#include "tests/tools/checks.hpp"
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
    const auto optional = steps::parse_banner("// Step 0.6 · whole_model · ●●● · 60 min, optional");
    ASSERT_TRUE(optional.has_value());
    EXPECT_TRUE(optional->optional);
    EXPECT_EQ(optional->time_shown(), "60 min, optional");
}

TEST(steps_tutorial, any_other_line_is_no_banner) {
    for (const char* line : {
             "",
             "/// Step 1.1 · add · ●○○ · 5 min",
             "// Step 1 · add · ●○○ · 5 min",
             "// Step 1.0 · add · ●○○ · 5 min",
             "// Step 1.99999999999999999999 · add · ●○○ · 5 min",
             "// Step 1.1 - add - ●○○ - 5 min",
             "// Step 1.1 · add more · ●○○ · 5 min",
             "// Step 1.1 ·  · ●○○ · 5 min",
             "// Step 1.1 · add · ○○○ · 5 min",
             "// Step 1.1 · add · ●●●● · 5 min",
             "// Step 1.1 · add · ○○● · 5 min",
             "// Step 1.1 · add · ●○○ · 0 min",
             "// Step 1.1 · add · ●○○ · 5 minutes",
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

TEST(steps_tutorial, exercises_without_a_step_are_strays) {
    const TwoChapters two;
    for (const char* name :
         {"01_numbers/add.cpp", "01_numbers/divide.cpp", "02_gone/add.cpp", "01_numbers/a.md"})
        two.folder.write(std::string("exercises/") + name, "");
    const std::vector<fs::path> expected = {"exercises/01_numbers/divide.cpp", "exercises/02_gone/add.cpp"};
    EXPECT_EQ(steps::read_tutorial(two.folder.path()).strays(), expected);
}

TEST(steps_tutorial, what_is_not_as_it_must_be_is_refused_in_one_sentence) {
    const std::string add = "solutions/01_numbers/add.cpp", multiply = "solutions/01_numbers/multiply.cpp";
    for (const auto& [file, text, sentence] : std::vector<std::array<std::string, 3>>{
             {add, "// The sum\n",
              add + ":1: the first line must be like \"// Step 1.1 · softmax · ●○○ · 10 min\""},
             {add, banner("2.1", "add"), add + ":1: step 2.1 stands in the folder of chapter 1"},
             {add, banner("1.1", "sum"), add + ":1: the step is called sum, the file is not"},
             {add, banner("1.3", "add"), "step 1.1 is missing: " + multiply + " says it is 1.2"},
             {multiply, banner("1.3", "multiply"), "step 1.2 is missing: " + multiply + " says it is 1.3"},
             {"solutions/00_words/add.cpp", banner("0.1", "add"),
              "the steps 0.1 and 1.1 are both called add"}}) {
        const TwoChapters two;
        two.folder.write(file, text);
        EXPECT_EQ(two.error(), sentence);
    }
    const TwoChapters two;
    two.solution("multiply", "1.1");
    EXPECT_TRUE(contains(two.error(), " are both 1.1"));
    const TemporaryFolder empty;
    EXPECT_TRUE(
        contains(error_of([&] { return steps::read_tutorial(empty.path()); }), "there are no chapters in "));
}

// ---- lines, files that are written as a whole, and hints ----------------------------------------------------

namespace {

std::vector<std::string> hints_in(const std::string& text) {
    const TemporaryFolder folder;
    if (!text.empty()) folder.write("chapters/01_numbers/hints.md", text);
    steps::Tutorial tutorial;
    tutorial.root = folder.path();
    steps::Step step;
    step.name = "add";
    step.folder = "01_numbers";
    return steps::hints_of(tutorial, step);
}

}  // namespace

TEST(steps_text, a_text_is_split_at_line_ends_of_both_kinds) {
    EXPECT_EQ(steps::split_lines(""), steps::Lines{});
    EXPECT_EQ(steps::split_lines("\n"), steps::Lines{""});
    EXPECT_EQ(steps::split_lines("a\n\nb"), (steps::Lines{"a", "", "b"}));
    EXPECT_EQ(steps::split_lines("a\r\nb\r\n"), (steps::Lines{"a", "b"}));
    EXPECT_EQ(steps::split_lines("\xef\xbb\xbf\u00e4\nb"), (steps::Lines{"\u00e4", "b"}))
        << "a byte order mark";
}

TEST(steps_text, what_is_overwritten_is_replaced_as_a_whole_and_nothing_is_left_beside_it) {
    const TemporaryFolder folder;
    const fs::path file = folder.write("a/b/c.txt", "the old text");  // with the folders that it needs
    fs::create_hard_link(file, folder.path() / "link.txt");
    steps::write_text(file, "new");
    EXPECT_EQ(steps::read_text(file), "new");
    EXPECT_EQ(steps::read_text(folder.path() / "link.txt"), "the old text");  // not written in its place
    EXPECT_EQ(std::distance(fs::directory_iterator(file.parent_path()), {}), 1);
}

TEST(steps_text, a_file_that_has_the_text_already_keeps_its_time) {
    const TemporaryFolder folder;
    const fs::path file = folder.write("a.txt", "text");
    const auto long_ago = fs::last_write_time(file) - std::chrono::hours(24);
    fs::last_write_time(file, long_ago);
    steps::write_text(file, "text");
    EXPECT_TRUE(fs::last_write_time(file) == long_ago);
    steps::write_text(file, "TEXT");
    EXPECT_FALSE(fs::last_write_time(file) == long_ago);
}

TEST(steps_text, what_cant_be_written_or_read_is_told_in_one_sentence) {
    const TemporaryFolder folder;
    const fs::path below_file = folder.write("file", "") / "a.txt", absent = folder.path() / "absent";
    EXPECT_EQ(error_of([&] { return steps::write_text(below_file, "text"), 0; }),
              below_file.string() + " can't be written");
    for (const fs::path& path : {absent, folder.path()})
        EXPECT_EQ(error_of([&] { return steps::read_text(path); }), path.string() + " can't be read");
}

TEST(steps_text, hints_are_the_items_of_the_section_of_the_step) {
    const std::vector<std::string> expected = {"Think.", "Think more, longer:\n\n    indented code", "Look."};
    EXPECT_EQ(
        hints_in(
            "# Hints\n\n## multiply\n1. Not this.\n\n## add\nHere they are.\n1. Think.\n\n2. Think more,\n"
            "   longer:\n\n       indented code\n\n3.  Look.\n\n## divide\n1. Nor this.\n"),
        expected);
}

TEST(steps_text, a_paragraph_of_a_hint_is_one_line_and_lists_and_code_keep_theirs) {
    EXPECT_EQ(hints_in("## add\n1. One\n   two:\n   - a\n     b\n   - c\n\n   ```cpp\n   x;\n   y;\n   ```\n "
                       "  last\n   words"),
              std::vector<std::string>{"One two:\n- a b\n- c\n\n```cpp\nx;\ny;\n```\nlast words"});
}

TEST(steps_text, without_the_file_or_the_section_there_are_no_hints) {
    EXPECT_TRUE(hints_in("").empty());
    EXPECT_TRUE(hints_in("## add_more\n1. Think.\n").empty());
    EXPECT_TRUE(hints_in("## add\nNo item.\n").empty());
}

}  // namespace tfs::tools_test

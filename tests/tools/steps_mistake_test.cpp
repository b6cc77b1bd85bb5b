// tests/tools/steps_mistake_test.cpp · mistakes as edits of a solution
#include <gtest/gtest.h>

#include "tests/tools/error_of.hpp"
#include "tests/tools/temporary_folder.hpp"
#include "tools/steps/mistake.hpp"

namespace tfs::tools_test {

namespace {

const std::string head = "# minus: a\n#   - b\n";

std::vector<steps::Mistake> read_all(const std::string& text) {
    const TemporaryFolder folder;
    return steps::read_mistakes(folder.write("add.mistakes", text));
}

steps::Mistake read(const std::string& text) { return read_all(text).front(); }

std::string error_in(const std::string& text) {
    return error_of([&] { return read_all(text); });
}

const std::string solution =
    "// Step 1.1 · add · ●○○ · 5 min\n"
    "// solutions/01_numbers/add.cpp\n"
    "int add(int a, int b) {\n"
    "    // begin: The sum.\n"
    "    int sum = a;\n"
    "    sum += b;\n"
    "    // end\n"
    "    return sum;\n"
    "}\n"
    "int add_all(int a, int b) {\n"
    "    int sum = a;\n"
    "    sum += b;\n"
    "    return add(sum, 0);\n"
    "}\n";

std::string applied(const std::string& hunks) { return steps::with_mistake(solution, read(head + hunks)); }

std::string error_of_applied(const std::string& hunks) {
    return error_of([&] { return applied(hunks); });
}

}  // namespace

TEST(steps_mistake, it_is_read_with_its_sentence_and_its_hunks) {
    const steps::Mistake mistake = read(head + "\n int a;\n-int b;\n+int c;\n\n+first\n last\n");
    EXPECT_EQ(mistake.step(), "add");
    EXPECT_EQ(mistake.sentences, std::vector<std::string>{"a - b"});
    ASSERT_EQ(mistake.hunks.size(), 2U);
    EXPECT_EQ(mistake.hunks[0].line, 4U);
    EXPECT_EQ(mistake.hunks[0].before, (steps::Lines{"int a;", "int b;"}));
    EXPECT_EQ(mistake.hunks[0].after, (steps::Lines{"int a;", "int c;"}));
    EXPECT_EQ(mistake.hunks[1].line, 8U);
    EXPECT_EQ(mistake.hunks[1].after, (steps::Lines{"first", "last"}));
}

TEST(steps_mistake, empty_lines_more_than_one_make_no_hunk) {
    EXPECT_EQ(read(head + "\n\n-int a;\n\n\n").hunks.size(), 1U);
}

TEST(steps_mistake, a_line_that_begins_otherwise_is_refused) {
    EXPECT_EQ(error_in(head + "\n-int a;\nint b;\n"),
              "add.mistakes:5: a line begins with \" \" (stays), \"-\" (goes out) or \"+\" (comes in)");
}

TEST(steps_mistake, one_that_changes_nothing_is_refused) {
    EXPECT_EQ(error_in(head), "add.mistakes:2: it changes nothing");
    EXPECT_EQ(error_in(head + "\n\n"), "add.mistakes:4: it changes nothing");
}

TEST(steps_mistake, a_hunk_that_only_adds_or_only_stays_is_refused) {
    const std::string sentence = "add.mistakes:4: a hunk has a line of the solution, and changes something";
    EXPECT_EQ(error_in(head + "\n+int a;\n"), sentence);
    EXPECT_EQ(error_in(head + "\n int a;\n int b;\n"), sentence);
}

TEST(steps_mistake, the_solution_gets_each_change_and_loses_the_marks_of_its_gaps) {
    EXPECT_EQ(
        applied("\n int add(int a, int b) {\n-    int sum = a;\n+    int sum = -a;\n\n-    return sum;\n\n"
                " int add_all(int a, int b) {\n+    a = 0;\n"),
        "// Step 1.1 · add · ●○○ · 5 min\n"
        "// solutions/01_numbers/add.cpp\n"
        "int add(int a, int b) {\n"
        "    int sum = -a;\n"
        "    sum += b;\n"
        "}\n"
        "int add_all(int a, int b) {\n"
        "    a = 0;\n"
        "    int sum = a;\n"
        "    sum += b;\n"
        "    return add(sum, 0);\n"
        "}\n");
}

TEST(steps_mistake, lines_that_do_not_stand_in_the_solution_are_refused) {
    EXPECT_EQ(error_of_applied("\n-    return a;\n"),
              "add.mistakes:4: the solution of add has no lines \"return a;\"");
    EXPECT_EQ(error_of_applied("\n     return sum;\n-    }\n"),
              "add.mistakes:4: the solution of add has no lines \"return sum; …\"");
    EXPECT_EQ(error_of_applied("\n-    // begin: The sum.\n"),
              "add.mistakes:4: the solution of add has no lines \"// begin: The sum.\"");
}

TEST(steps_mistake, lines_that_stand_there_twice_are_refused) {
    EXPECT_EQ(
        error_of_applied("\n-    sum += b;\n"),
        "add.mistakes:4: these lines stand in the solution of add more than once; add a line around them");
    EXPECT_EQ(error_of_applied("\n-    sum += b;\n     return sum;\n"), "");
}

TEST(steps_mistake, hunks_out_of_order_or_on_top_of_each_other_are_refused) {
    const std::string sentence = "hunks follow the order of the solution and do not overlap";
    EXPECT_EQ(error_of_applied("\n-    return sum;\n\n int add(int a, int b) {\n+    a = 0;\n"),
              "add.mistakes:6: " + sentence);
    EXPECT_EQ(error_of_applied(
                  "\n int add(int a, int b) {\n-    int sum = a;\n\n int add(int a, int b) {\n+    a = 0;\n"),
              "add.mistakes:7: " + sentence);
}

TEST(steps_mistakes, one_file_has_all_answers_of_a_step) {
    const auto all = read_all(
        "# minus: b is subtracted:\n#   + adds\n-    int sum = a;\n+    int sum = -a;\n\n-    return sum;\n"
        "+    return 0;\n\n# right in_a_loop\n     int sum = a;\n+    // the same\n\n"
        "# unseen twice: none\n-    return sum;\n+    return 2 * sum;\n");
    ASSERT_EQ(all.size(), 3U);
    EXPECT_EQ(all[0].step(), "add");
    EXPECT_EQ(all[0].title(), "minus");
    EXPECT_EQ(all[0].sentences, std::vector<std::string>{"b is subtracted: + adds"});
    ASSERT_EQ(all[0].hunks.size(), 2U);
    EXPECT_EQ(all[0].hunks[1].after, steps::Lines{"    return 0;"});
    EXPECT_EQ(all[1].title(), "right in_a_loop");
    EXPECT_TRUE(all[1].sentences.empty());
    EXPECT_EQ(all[2].title(), "unseen twice");
    EXPECT_EQ(all[2].sentences, std::vector<std::string>{"none"});
}

TEST(steps_mistakes, each_alternative_is_an_answer_of_its_own) {
    const auto all = read_all("# more: too much\n-    int sum = a;\n+    int sum = a + ⟨1 ⟨or⟩ b + 2⟩;\n");
    ASSERT_EQ(all.size(), 2U);
    EXPECT_EQ(all[0].name, "more");
    EXPECT_EQ(all[1].name, "more~2");
    EXPECT_EQ(all[0].hunks[0].after, steps::Lines{"    int sum = a + 1;"});
    EXPECT_EQ(all[1].hunks[0].after, steps::Lines{"    int sum = a + b + 2;"});
    EXPECT_EQ(all[1].sentences, std::vector<std::string>{"too much"});
}

TEST(steps_mistakes, faults_of_the_exercise_are_combined) {
    const auto all = read_all(
        "# fault second: the second\n-    return sum;\n+    return 0;\n\n"
        "# fault first: the first\n-    sum += b;\n     return sum;\n+    sum -= b;\n     return sum;\n");
    ASSERT_EQ(all.size(), 3U);
    EXPECT_EQ(all[2].name, "second+first");
    EXPECT_EQ(all[2].sentences, (std::vector<std::string>{"the second", "the first"}));
}

TEST(steps_mistakes, what_is_none_is_refused_with_its_line) {
    const std::string begins = ": an answer begins like: # wrong_axis: what the learner reads";
    EXPECT_EQ(error_in("-a\n"), "add.mistakes:1" + begins);
    for (const char* head : {"# minus\n", "# : a\n", "# a minus: b\n", "# right one: b\n", "# unseen one\n"})
        EXPECT_EQ(error_in(std::string(head) + "-a\n"), "add.mistakes:1" + begins) << head;
    EXPECT_EQ(error_in("# minus: b\n"), "add.mistakes:1: it changes nothing");
    EXPECT_EQ(error_in("# minus: b\n\n+a\n"),
              "add.mistakes:3: a hunk has a line of the solution, and changes something");
}

}  // namespace tfs::tools_test

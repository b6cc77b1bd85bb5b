// tests/tools/steps_mistake_test.cpp · mistakes as edits of a solution
#include <gtest/gtest.h>

#include "tests/tools/checks.hpp"
#include "tools/steps/mistake.hpp"

namespace tfs::tools_test {

namespace {

const std::string head = "# minus: a\n#   - b\n";

std::vector<steps::Mistake> read_all(const std::string& text) {
    const TemporaryFolder folder;
    return steps::read_mistakes(folder.write("add.mistakes", text));
}

steps::Mistake read(const std::string& text) { return read_all(text).front(); }

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

TEST(steps_mistake, what_does_not_fit_the_solution_is_refused_with_its_line) {
    const std::string order = "hunks follow the order of the solution and do not overlap",
                      none = "4: the solution of add has no lines ";
    for (const auto& [hunks, sentence] : std::vector<std::pair<std::string, std::string>>{
             {"\n-    return a;\n", none + "\"return a;\""},
             {"\n     return sum;\n-    }\n", none + "\"return sum; …\""},
             {"\n-    // begin: The sum.\n", none + "\"// begin: The sum.\""},
             {"\n-    sum += b;\n",
              "4: these lines stand in the solution of add more than once; add a line around them"},
             {"\n-    return sum;\n\n int add(int a, int b) {\n+    a = 0;\n", "6: " + order},
             {"\n int add(int a, int b) {\n-    int sum = a;\n\n int add(int a, int b) {\n+    a = 0;\n",
              "7: " + order}})
        EXPECT_EQ(error_of([&, &hunks = hunks] { return applied(hunks); }), "add.mistakes:" + sentence);
}

TEST(steps_mistake, one_file_has_all_answers_of_a_step) {
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

TEST(steps_mistake, each_alternative_is_an_answer_of_its_own) {
    const auto all = read_all("# more: too much\n-    int sum = a;\n+    int sum = a + ⟨1 ⟨or⟩ b + 2⟩;\n");
    ASSERT_EQ(all.size(), 2U);
    EXPECT_EQ(all[0].name, "more");
    EXPECT_EQ(all[1].name, "more~2");
    EXPECT_EQ(all[0].hunks[0].after, steps::Lines{"    int sum = a + 1;"});
    EXPECT_EQ(all[1].hunks[0].after, steps::Lines{"    int sum = a + b + 2;"});
    EXPECT_EQ(all[1].sentences, std::vector<std::string>{"too much"});
}

TEST(steps_mistake, faults_of_the_exercise_are_combined) {
    const auto all = read_all(
        "# fault second: the second\n-    return sum;\n+    return 0;\n\n"
        "# fault first: the first\n-    sum += b;\n     return sum;\n+    sum -= b;\n     return sum;\n");
    ASSERT_EQ(all.size(), 3U);
    EXPECT_EQ(all[2].name, "second+first");
    EXPECT_EQ(all[2].sentences, (std::vector<std::string>{"the second", "the first"}));
}

TEST(steps_mistake, what_is_none_is_refused_with_its_line) {
    const std::string begins = "1: an answer begins like: # wrong_axis: what the learner reads",
                      changes = "a hunk has a line of the solution, and changes something";
    for (const auto& [text, sentence] : std::vector<std::pair<std::string, std::string>>{
             {"-a\n", begins},
             {"# minus\n-a\n", begins},
             {"# : a\n-a\n", begins},
             {"# a minus: b\n-a\n", begins},
             {"# right one: b\n-a\n", begins},
             {"# unseen one\n-a\n", begins},
             {"# minus: b\n", "1: it changes nothing"},
             {head + "\n\n", "4: it changes nothing"},
             {head + "\n+int a;\n", "4: " + changes},
             {head + "\n int a;\n int b;\n", "4: " + changes},
             {head + "\n-int a;\nint b;\n",
              "5: a line begins with \" \" (stays), \"-\" (goes out) or \"+\" (comes in)"}})
        EXPECT_EQ(error_of([&, &text = text] { return read_all(text); }), "add.mistakes:" + sentence);
}

}  // namespace tfs::tools_test

// tests/tools/steps_gaps_test.cpp · exercises made of solutions, what of a file is the learner's, and solutions of a course's copy
#include <gtest/gtest.h>

#include <map>

#include "tests/tools/checks.hpp"
#include "tools/steps/gaps.hpp"
#include "tools/steps/tutorial.hpp"

namespace tfs::tools_test {

namespace {

const std::string head =
    "// Step 1.1 · add · ●○○ · 5 min\n"
    "// solutions/01_numbers/add.cpp\n";

const std::string solution = head +
                             "#include \"numbers.hpp\"\n"
                             "\n"
                             "// begin: A helper, if you like.\n"
                             "int helper() { return 1; }\n"
                             "// end\n"
                             "int add(int a, int b) {\n"
                             "    // begin: The sum.\n"
                             "    // Of both.\n"
                             "    // end of the task\n"
                             "    return a + b;  // a comment of the answer\n"
                             "    // end\n"
                             "}\n"
                             "int Adder::operator()(int a) {\n"
                             "        // begin: The same again.\n"
                             "        return a + 1;\n"
                             "        // end\n"
                             "}\n";

const std::string exercise =
    "// Step 1.1 · add · ●○○ · 5 min\n"
    "// exercises/01_numbers/add.cpp · check yours with ./tutorial check 1.1\n"
    "#include \"numbers.hpp\"\n"
    "\n"
    "// TODO 1.1: A helper, if you like.\n"
    "int add(int a, int b) {\n"
    "    // TODO 1.1: The sum.\n"
    "    // Of both.\n"
    "    // end of the task\n"
    "    throw NotImplemented(\"1.1 add\");\n"
    "}\n"
    "int Adder::operator()(int a) {\n"
    "        // TODO 1.1: The same again.\n"
    "        throw NotImplemented(\"1.1 add\");\n"
    "}\n";

}  // namespace

TEST(steps_gaps, an_exercise_has_the_tasks_and_throws_in_each_gap_that_is_inside_a_function) {
    EXPECT_EQ(steps::exercise_of(solution, "add.cpp"), exercise);
    std::string of_another_system;
    for (const char c : solution) of_another_system += c == '\n' ? "\r\n" : std::string(1, c);
    EXPECT_EQ(steps::exercise_of(of_another_system, "add.cpp"), exercise);
}

TEST(steps_gaps, what_is_not_as_it_must_be_is_refused_with_its_line) {
    const std::string first = "// Step 1.1 · add · ●○○ · 5 min\n",
                      no_banner = "1: the first line must be like \"// Step 1.1 · softmax · ●○○ · 10 min\"",
                      no_path = "2: the second line is the path: \"// solutions/NN_name/add.cpp\"",
                      no_task = "3: a gap begins with its task: \"// begin: …\"";
    for (const auto& [text, sentence] : std::vector<std::pair<std::string, std::string>>{
             {"", no_banner},
             {"// the sum\n", no_banner},
             {first, no_path},
             {first + "// add.cpp\n", no_path},
             {head + "// begin: One.\n// begin: Two.\n// end\n",
              "4: \"begin\" inside the gap that line 3 begins"},
             {head + "\n// begin: One.\nint x;\n", "4: this gap has no \"// end\""},
             {head + "int x;\n// end\n", "4: \"end\" without a \"begin\""},
             {head + "// begin\n// end\n", no_task},
             {head + "// begin: \n// end\n", no_task},
             {head + "// begin the sum\n// end\n", no_task},
             {head + "int x;\n", " it has no gap (\"// begin: …\" to \"// end\")"},
             {head + "// begin: One.\n// instead\nint x;\n// end\n",
              "5: a wrong line below \"instead\" is a comment: \"// …\""},
             {head + "// begin: One.\n// instead\n// end\n", "4: there is no wrong line below \"instead\""},
             {head + "// begin: One.\n// instead\n// int x;\n// instead\n// int y;\n// end\n",
              "6: a second \"instead\" in this gap"}})
        EXPECT_EQ(error_of([&text = text] { return steps::exercise_of(text, "add.cpp"); }),
                  "add.cpp:" + sentence);
    EXPECT_EQ(error_of([] {
                  return steps::exercise_of(head + "// beginning with 1\n// begin: One.\n// end\n", "");
              }),
              "")
        << "an ordinary comment";
}

TEST(steps_gaps, where_a_fault_is_to_be_found_the_exercise_has_the_wrong_lines) {
    const std::string text = head +
                             "int add(int a, int b) {\n    // begin: Find the fault.\n    return a + b;\n"
                             "    // instead\n    // if (a > b)\n    //     return a - b;\n    // end\n}\n";
    EXPECT_TRUE(steps::seeks_fault(text));
    EXPECT_FALSE(steps::seeks_fault(solution));
    EXPECT_EQ(steps::exercise_of(text, "add.cpp"), exercise.substr(0, exercise.find("#include")) +
                                                       "int add(int a, int b) {\n    // TODO 1.1: Find the "
                                                       "fault.\n    if (a > b)\n        return a - b;\n}\n");
    EXPECT_EQ(steps::solution_lines(text),
              (steps::Lines{"// Step 1.1 · add · ●○○ · 5 min", "// solutions/01_numbers/add.cpp",
                            "int add(int a, int b) {", "    return a + b;", "}"}));
}

TEST(steps_gaps, the_name_of_a_function_is_before_its_parameters) {
    for (const auto& [line, name] : std::map<std::string, std::string>{
             {"Tensor softmax(const Tensor& x, int axis) {", "softmax"},
             {"Tensor& Head::operator()(const Tensor& x) {", "Head::operator()"},
             {"Mask operator&(const Mask& a, const Mask& b) {", "operator&"},
             {"Head::Head(int d)", "Head::Head"},
             {"    return softmax(x);", ""},
             {"using Ids = int;", ""}})
        EXPECT_EQ(steps::function_name(line).name, name) << line;
}

TEST(steps_gaps, the_lines_of_a_solution_are_without_marks_and_tasks) {
    const steps::Lines expected = {"// Step 1.1 · add · ●○○ · 5 min",
                                   "// solutions/01_numbers/add.cpp",
                                   "#include \"numbers.hpp\"",
                                   "",
                                   "int helper() { return 1; }",
                                   "int add(int a, int b) {",
                                   "    return a + b;  // a comment of the answer",
                                   "}",
                                   "int Adder::operator()(int a) {",
                                   "        return a + 1;",
                                   "}"};
    EXPECT_EQ(steps::solution_lines(solution), expected);
}

TEST(steps_gaps, a_learners_lines_are_without_tasks_and_path_but_with_the_learners_comments) {
    const std::string learners =
        "// Step 1.1 · add · ●○○ · 5 min\n"
        "// exercises/01_numbers/add.cpp · check yours with ./tutorial check 1.1\n"
        "int add(int a, int b) {\n"
        "    // TODO 1.1: The sum.\n"
        "    // Of both.\n"
        "    // First a, I think.\n"
        "    return a + b;\n"
        "}\n";
    const steps::Lines expected = {"// Step 1.1 · add · ●○○ · 5 min", "int add(int a, int b) {",
                                   "    // First a, I think.", "    return a + b;", "}"};
    EXPECT_EQ(steps::learners_lines(learners, solution), expected);
    steps::Lines copied = steps::solution_lines(solution);
    copied.erase(copied.begin() + 1);
    EXPECT_EQ(steps::learners_lines(solution, solution), copied) << "without its path";
}

TEST(steps_gaps, open_gaps_are_named_by_line_and_function) {
    const std::vector<steps::OpenGap> gaps = steps::open_gaps(exercise, "add");
    ASSERT_EQ(gaps.size(), 2U);
    EXPECT_EQ(gaps[0].line, 10U);
    EXPECT_EQ(gaps[0].function, "add");
    EXPECT_EQ(gaps[1].line, 14U);
    EXPECT_EQ(gaps[1].function, "Adder::operator()");
    for (const char* other :
         {"// throw NotImplemented(\"1.1 add\");", "throw NotImplemented(\"1.2 multiply\");"})
        EXPECT_TRUE(steps::open_gaps(std::string("int add() {\n    ") + other + "\n}\n", "add").empty());
}

// ---- solutions of a course's copy ---------------------------------------------------------------------------

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

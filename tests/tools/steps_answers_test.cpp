// tests/tools/steps_answers_test.cpp · a step's solution, stub and mistakes in one file
#include <gtest/gtest.h>

#include "tests/tools/checks.hpp"
#include "tools/steps/answers.hpp"

namespace tfs::tools_test {

namespace {

const std::string solution =
    "#include \"numbers.hpp\"\n"
    "\n"
    "namespace {\n"
    "int twice(int a) {\n"
    "    return 2 * a;\n"
    "}\n"
    "}  // namespace\n"
    "int half(int a) { return a / 2; }\n"
    "Sum::Sum(int a)\n"
    "    : first(a), rows{a, 2} {}\n"
    "int Sum::of(int a,\n"
    "            int b) const {\n"
    "    return a + b;\n"
    "}\n";

steps::Answer changed(const std::string& name, const std::string& from, const std::string& to) {
    steps::Answer answer = {name, name + ".mistakes", solution};
    answer.text.replace(answer.text.find(from), from.size(), to);
    return answer;
}

std::string one_file(const std::vector<steps::Answer>& answers) {
    return steps::in_one_file("add", solution, answers);
}

std::string error_with(const steps::Answer& answer) {
    return error_of([&] { return one_file({answer}); });
}

}  // namespace

TEST(steps_answers, a_function_with_several_bodies_becomes_a_switch) {
    steps::Answer stub = changed("stub", "return a + b;", "throw 1;");
    EXPECT_EQ(one_file({stub, changed("minus", "a + b", "a - b"), changed("thrice", "2 * a", "3 * a")}),
              "// made of the solution of add, its stub and its mistakes\n"
              "#include \"numbers.hpp\"\n"
              "#include \"tests/support/answers.hpp\"\n"
              "namespace { tfs::test::Answers answers_to_add(\"add\", {\"stub\", \"minus\", \"thrice\"}); }\n"
              "\n"
              "namespace {\n"
              "int twice(int a) {\n"
              "static const int answer_here = answers_to_add.chosen({3});\n"
              "switch (answer_here) {\n"
              "case 3: {  // thrice\n"
              "    return 3 * a;\n"
              "} break;\n"
              "default: {\n"
              "    return 2 * a;\n"
              "}\n"
              "}\n"
              "}\n"
              "}  // namespace\n"
              "int half(int a) { return a / 2; }\n"
              "Sum::Sum(int a)\n"
              "    : first(a), rows{a, 2} {}\n"
              "int Sum::of(int a,\n"
              "            int b) const {\n"
              "static const int answer_here = answers_to_add.chosen({1, 2});\n"
              "switch (answer_here) {\n"
              "case 1: {  // stub\n"
              "    throw 1;\n"
              "} break;\n"
              "case 2: {  // minus\n"
              "    return a - b;\n"
              "} break;\n"
              "default: {\n"
              "    return a + b;\n"
              "}\n"
              "}\n"
              "}\n");
}

TEST(steps_answers, includes_of_all_answers_come_first_and_once) {
    const std::string file = one_file({changed("one", "#include", "#include <cmath>\n#include"),
                                       changed("other", "#include", "#include <cmath>\n#include")});
    EXPECT_TRUE(
        file.starts_with("// made of the solution of add, its stub and its mistakes\n"
                         "#include \"numbers.hpp\"\n#include <cmath>\n#include \"tests/support"));
}

TEST(steps_answers, a_change_outside_of_bodies_is_refused) {
    for (const steps::Answer& answer : {changed("m", "int b", "int c"), changed("m", "a / 2", "a / 3"),
                                        changed("m", "namespace {", "int x;\nnamespace {"),
                                        changed("m", "int twice(int a) {\n    return 2 * a;\n}\n", "")})
        EXPECT_EQ(error_with(answer),
                  "m.mistakes changes more than bodies of functions; only includes and helpers may be added");
}

TEST(steps_answers, a_helper_of_an_answer_stands_before_all_functions) {
    const std::string file = one_file(
        {changed("halves", "int half(int a)", "int third(int a) {\n    return a / 3;\n}\nint half(int a)"),
         changed("minus", "a + b", "a - b")});
    const std::size_t helper = file.find("namespace {\nint third(int a) {\n    return a / 3;\n}\n}\n");
    ASSERT_NE(helper, std::string::npos);
    EXPECT_LT(helper, file.find("int twice"));
    EXPECT_EQ(file.find("int third", helper + 20), std::string::npos);
}

TEST(steps_answers, comments_may_differ_but_a_stub_lacks_no_function) {
    EXPECT_EQ(error_with(changed("stub", "int half", "// TODO 1.1: a helper.\nint half")), "");
    EXPECT_NE(
        error_with(changed("stub", "int twice(int a) {\n    return 2 * a;\n}\n", "// TODO 1.1: a helper.\n")),
        "");
}

TEST(steps_answers, functions_with_the_same_head_stay_apart) {
    const std::string two =
        "namespace a {\nint f() {\n    return 1;\n}\n}\nnamespace b {\nint f() {\n    return 2;\n}\n}\n";
    std::string other = two;
    other.replace(other.find("return 2"), 8, "return 3");
    const std::string file = steps::in_one_file("f", two, {{"three", "three.mistakes", other}});
    EXPECT_LT(file.find("namespace b"), file.find("return 3"));
}

}  // namespace tfs::tools_test

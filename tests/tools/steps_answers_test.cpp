// tests/tools/steps_answers_test.cpp · a step's solution, stub and mistakes in one file
#include <gtest/gtest.h>

#include "tests/tools/error_of.hpp"
#include "tools/steps/answers.hpp"

namespace tfs::tools_test {

namespace {

const steps::Answer solution = {"", "add.cpp",
                                "#include \"numbers.hpp\"\n"
                                "\n"
                                "namespace {\n"
                                "int twice(int a) {\n"
                                "    return 2 * a;\n"
                                "}\n"
                                "}  // namespace\n"
                                "int half(int a) { return a / 2; }\n"
                                "int Sum::of(int a,\n"
                                "            int b) const {\n"
                                "    return a + b;\n"
                                "}\n"};

steps::Answer changed(const std::string& name, const std::string& from, const std::string& to) {
    steps::Answer answer = {name, name + ".edit", solution.text};
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
    stub.is_stub = true;
    EXPECT_EQ(
        one_file({stub, changed("minus", "a + b", "a - b"), changed("thrice", "2 * a", "3 * a")}),
        "// made of the solution of add, its stub and its mistakes\n"
        "#include \"numbers.hpp\"\n"
        "#include \"tests/support/answers.hpp\"\n"
        "namespace { const tfs::test::Answers answers_to_add(\"add\", {\"stub\", \"minus\", \"thrice\"}); }\n"
        "\n"
        "namespace {\n"
        "int twice(int a) {\n"
        "switch (answers_to_add.chosen()) {\n"
        "case 3: {\n"
        "#line 1 \"thrice.edit\"\n"
        "    return 3 * a;\n"
        "} break;\n"
        "default: {\n"
        "#line 1 \"add.cpp\"\n"
        "    return 2 * a;\n"
        "}\n"
        "}\n"
        "}\n"
        "}  // namespace\n"
        "int half(int a) { return a / 2; }\n"
        "int Sum::of(int a,\n"
        "            int b) const {\n"
        "switch (answers_to_add.chosen()) {\n"
        "case 1: {\n"
        "#line 1 \"stub.edit\"\n"
        "    throw 1;\n"
        "} break;\n"
        "case 2: {\n"
        "#line 1 \"minus.edit\"\n"
        "    return a - b;\n"
        "} break;\n"
        "default: {\n"
        "#line 1 \"add.cpp\"\n"
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
                  "m.edit changes more than bodies of functions; only includes may be added");
}

TEST(steps_answers, a_stub_may_lack_a_function_and_have_none_of_its_own) {
    steps::Answer stub =
        changed("stub", "int twice(int a) {\n    return 2 * a;\n}\n", "// TODO 1.1: a helper.\n");
    stub.is_stub = true;
    EXPECT_EQ(error_with(stub), "");
    stub.text += "int other() {\n    return 0;\n}\n";
    EXPECT_EQ(error_with(stub), "stub.edit has a function that the solution lacks: int other() {");
}

}  // namespace tfs::tools_test

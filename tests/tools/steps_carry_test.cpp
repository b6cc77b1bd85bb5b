// tests/tools/steps_carry_test.cpp · what a learner wrote, put into the exercises of another version
#include <gtest/gtest.h>

#include "tools/steps/carry.hpp"

namespace tfs::tools_test {

namespace {

steps::Step step_of(const std::string& banner) {
    steps::Step step;
    static_cast<steps::Banner&>(step) = *steps::parse_banner(banner);
    return step;
}

const std::string one_banner =
    "// Step 1.3 · one_head · ●○○ · 5 min\n// exercises/01_attention/one_head.cpp\n";
const std::string one_body =
    "#include \"attention.hpp\"\n\nnamespace tfs {\n\nTensor Head::operator()(const Tensor& x) const {\n"
    "    require_width(x);\n";
const std::string one_stub = one_banner + one_body +
                             "    // TODO 1.3: The queries, keys and\n    // values of x.\n"
                             "    throw NotImplemented(\"1.3 one_head\");\n}\n\n}  // namespace tfs\n";
const std::string many_stub =
    "// Step 1.4 · many_heads · ●○○ · 5 min\n// exercises/01_attention/many_heads.cpp\n#include "
    "\"attention.hpp\"\n\n"
    "namespace tfs {\n\nTensor Heads::operator()(const Tensor& x,\n                         int heads) const "
    "{\n"
    "    // TODO 1.4: All heads.\n    throw NotImplemented(\"1.4 many_heads\");\n}\n\n}  // namespace tfs\n";
const std::string merged_stub =
    "// Step 1.4 · heads · ●○○ · 5 min\n// exercises/01_attention/heads.cpp\n#include \"attention.hpp\"\n\n"
    "namespace tfs {\n\nTensor Head::operator()(const Tensor& x) const {\n    require_width(x, 2);\n"
    "    // TODO 1.4: One head.\n    throw NotImplemented(\"1.4 heads\");\n}\n\n"
    "Tensor Heads::operator()(const Tensor& x, int heads) const {\n"
    "    // TODO 1.4: All heads.\n    throw NotImplemented(\"1.4 heads\");\n}\n\n}  // namespace tfs\n";
const steps::Step merged = step_of("// Step 1.4 · heads · ●○○ · 5 min");

std::string replaced(std::string text, const std::string& from, const std::string& to) {
    const std::size_t at = text.find(from);
    EXPECT_NE(at, std::string::npos) << from;
    return text.replace(at, from.size(), to);
}

}  // namespace

TEST(steps_carry, a_file_whose_step_has_another_number_keeps_every_line) {
    const std::string written =
        replaced(one_stub, "    throw NotImplemented(\"1.3 one_head\");\n", "    return x;  // mine\n");
    const std::string stub = replaced(
        replaced(replaced(one_stub, "Step 1.3", "Step 1.9"), "TODO 1.3", "TODO 1.9"), "\"1.3 ", "\"1.9 ");
    const steps::Step step = step_of("// Step 1.9 · one_head · ●○○ · 5 min");
    const steps::Carried carried = steps::carried_over({{written, one_stub}}, step, stub);
    EXPECT_EQ(carried.text, replaced(replaced(written, "Step 1.3", "Step 1.9"), "TODO 1.3", "TODO 1.9"));
    EXPECT_TRUE(carried.open.empty());
}

TEST(steps_carry, a_merged_step_gets_both_parts_with_its_own_given_lines_and_tasks) {
    const std::string one =
        replaced(one_stub, "    throw NotImplemented(\"1.3 one_head\");\n", "    return attend(x);\n");
    const std::string many = replaced(
        replaced(many_stub, "    throw NotImplemented(\"1.4 many_heads\");\n", "    return mix(x, heads);\n"),
        "    // TODO 1.4: All heads.\n", "");
    const steps::Carried carried =
        steps::carried_over({{one, one_stub}, {many, many_stub}}, merged, merged_stub);
    EXPECT_EQ(carried.text,
              replaced(replaced(merged_stub, "    throw NotImplemented(\"1.4 heads\");\n",
                                "    return attend(x);\n"),
                       "    throw NotImplemented(\"1.4 heads\");\n", "    return mix(x, heads);\n"));
    EXPECT_TRUE(carried.open.empty());
    EXPECT_TRUE(carried.no_place.empty());
}

TEST(steps_carry, a_part_that_is_missing_leaves_its_gap_open) {
    const std::string one =
        replaced(one_stub, "    throw NotImplemented(\"1.3 one_head\");\n", "    return attend(x);\n");
    const steps::Carried carried = steps::carried_over({{one, one_stub}}, merged, merged_stub);
    EXPECT_EQ(carried.open, std::vector<std::string>{"Heads::operator()"});
    EXPECT_NE(carried.text.find("return attend(x);"), std::string::npos);
}

TEST(steps_carry, a_function_that_is_new_in_the_step_stays_open) {
    const std::string written =
        replaced(one_stub, "    throw NotImplemented(\"1.3 one_head\");\n", "    return attend(x);\n");
    const std::string weigh =
        "Tensor weigh(const Tensor& x) {\n    // TODO 1.3: The weights.\n"
        "    throw NotImplemented(\"1.3 one_head\");\n}\n\n";
    const std::string stub = replaced(one_stub, "Tensor Head::", weigh + "Tensor Head::");
    const steps::Carried carried =
        steps::carried_over({{written, one_stub}}, step_of("// Step 1.3 · one_head · ●○○ · 5 min"), stub);
    EXPECT_EQ(carried.text, replaced(stub, "of x.\n    throw NotImplemented(\"1.3 one_head\");\n",
                                     "of x.\n    return attend(x);\n"));
    EXPECT_EQ(carried.placed, std::vector<std::string>{"Head::operator()"});
    EXPECT_EQ(carried.open, std::vector<std::string>{"weigh"});
}

TEST(steps_carry, includes_and_helpers_come_along) {
    const std::string helper = "namespace {\nfloat half(float x) {\n    return x / 2;\n}\n}  // namespace\n";
    std::string one =
        replaced(one_stub, "    throw NotImplemented(\"1.3 one_head\");\n", "    return x * half(1);\n");
    one = replaced(one, "#include \"attention.hpp\"\n", "#include \"attention.hpp\"\n#include <cmath>\n");
    one = replaced(one, "namespace tfs {\n\n", "namespace tfs {\n\n" + helper);
    const std::string text = steps::carried_over({{one, one_stub}}, merged, merged_stub).text;
    EXPECT_NE(text.find("#include \"attention.hpp\"\n#include <cmath>\n"), std::string::npos) << text;
    EXPECT_LT(text.find(helper), text.find("Head::operator()")) << text;
}

TEST(steps_carry, a_function_that_is_given_now_is_named) {
    const std::string stub =
        replaced(one_stub, "}  // namespace tfs",
                 "Tensor other(const Tensor& x) {\n    throw NotImplemented(\"1.3 one_head\");\n}\n\n"
                 "}  // namespace tfs");
    const std::string written =
        replaced(stub, "Tensor other(const Tensor& x) {\n    throw NotImplemented(\"1.3 one_head\");\n",
                 "Tensor other(const Tensor& x) {\n    return x;\n");
    const steps::Carried carried = steps::carried_over({{written, stub}}, merged, merged_stub);
    EXPECT_EQ(carried.no_place, std::vector<std::string>{"other"});
    EXPECT_EQ(carried.text.find("other"), std::string::npos);
}

TEST(steps_carry, a_gap_that_still_throws_stays_open_under_the_new_number) {
    const std::string begun = replaced(one_stub, "    throw", "    const Tensor q = w_q(x);\n    throw");
    const steps::Carried carried = steps::carried_over({{begun, one_stub}}, merged, merged_stub);
    EXPECT_NE(carried.text.find("w_q(x);\n"), std::string::npos) << carried.text;
    EXPECT_EQ(carried.text.find("1.3"), std::string::npos) << carried.text;
    EXPECT_EQ(carried.open, (std::vector<std::string>{"Head::operator()", "Heads::operator()"}));
}

TEST(steps_carry, without_the_old_stub_the_whole_function_is_taken) {
    const std::string one =
        replaced(one_stub, "    throw NotImplemented(\"1.3 one_head\");\n", "    return attend(x);\n");
    const steps::Carried carried = steps::carried_over({{one, ""}}, merged, merged_stub);
    EXPECT_NE(carried.text.find("    require_width(x);\n"), std::string::npos) << carried.text;
    EXPECT_EQ(carried.open, std::vector<std::string>{"Heads::operator()"});
}

TEST(steps_carry, a_body_comes_under_other_parameters) {
    const std::string written =
        replaced(one_stub, "    throw NotImplemented(\"1.3 one_head\");\n", "    return attend(x);\n");
    const std::string stub = replaced(
        replaced(one_stub, "const Tensor& x)", "const Tensor& x,\n                        int heads)"),
        "(x);", "(x, heads);");
    const steps::Step step = step_of("// Step 1.3 · one_head · ●○○ · 5 min");
    const steps::Carried carried = steps::carried_over({{written, one_stub}}, step, stub);
    EXPECT_EQ(carried.text,
              replaced(stub, "    throw NotImplemented(\"1.3 one_head\");\n", "    return attend(x);\n"));
    EXPECT_FALSE(carried.exact);
}

TEST(steps_carry, a_body_whose_given_lines_are_hers_comes_whole_under_other_parameters) {
    const std::string body = "    require_all(x);\n    return attend(x);\n}\n";
    const std::string written = one_banner + "#include \"attention.hpp\"\n\nnamespace tfs {\n\n" +
                                "Tensor Head::operator()(const Tensor& x) const {\n" + body +
                                "\n}  // namespace tfs\n";
    const std::string stub =
        replaced(one_stub, "const Tensor& x)", "const Tensor& x,\n                        int heads)");
    const steps::Step step = step_of("// Step 1.3 · one_head · ●○○ · 5 min");
    for (const std::string& began : {one_stub, std::string()})
        EXPECT_NE(steps::carried_over({{written, began}}, step, stub)
                      .text.find("const Tensor& x,\n                        int heads) const {\n" + body),
                  std::string::npos);
}

TEST(steps_carry, a_second_version_of_a_function_is_named_and_does_not_count_as_passed) {
    const std::string right =
        replaced(one_stub, "    throw NotImplemented(\"1.3 one_head\");\n", "    return attend(x);\n");
    const std::string written =
        replaced(right, "}  // namespace tfs",
                 "#if 0\nTensor Head::operator()(const Tensor& x) const {\n    return x;\n}\n#endif\n"
                 "}  // namespace tfs");
    const steps::Carried carried =
        steps::carried_over({{written, one_stub}}, merged, replaced(merged_stub, "(x, 2)", "(x)"));
    EXPECT_NE(carried.text.find("return attend(x);"), std::string::npos) << carried.text;
    EXPECT_FALSE(carried.exact);
}

TEST(steps_carry, only_filled_gaps_are_exact) {
    const std::string one =
        replaced(one_stub, "    throw NotImplemented(\"1.3 one_head\");\n", "    return attend(x);\n");
    const std::string other_given_lines = merged_stub;  // require_width(x, 2)
    EXPECT_FALSE(steps::carried_over({{one, one_stub}}, merged, other_given_lines).exact);
    const std::string same_given_lines = replaced(merged_stub, "(x, 2)", "(x)");
    EXPECT_TRUE(steps::carried_over({{one, one_stub}}, merged, same_given_lines).exact);
    const std::string same_frame =
        replaced(merged_stub, "    throw NotImplemented(\"1.4 heads\");\n", "    return x;\n");
    EXPECT_TRUE(steps::carried_over({{same_frame, merged_stub}}, merged, merged_stub + "// new\n").exact);
    for (const char* helper : {"[[nodiscard]] static int half(int x) {\n    return x / 2;\n}\n",
                               "namespace {\nint half(int x) { return x / 2; }  // a helper\n}\n",
                               "int half (int x)\n{\n    return x / 2;\n}\n", "int twice(int x);\n"}) {
        const std::string text =
            replaced(one, "namespace tfs {\n\n", std::string("namespace tfs {\n\n") + helper);
        const steps::Carried carried = steps::carried_over({{text, one_stub}}, merged, same_given_lines);
        EXPECT_NE(carried.text.find(helper), std::string::npos) << carried.text;
        EXPECT_FALSE(carried.exact) << helper;
    }
}

TEST(steps_carry, a_throw_in_a_comment_is_no_open_gap) {
    const std::string one =
        replaced(one_stub, "    throw NotImplemented(\"1.3 one_head\");\n",
                 "    // throw NotImplemented(\"1.3 one_head\");\n    return attend(x);\n");
    EXPECT_EQ(steps::carried_over({{one, one_stub}}, merged, merged_stub).open,
              std::vector<std::string>{"Heads::operator()"});
}

}  // namespace tfs::tools_test

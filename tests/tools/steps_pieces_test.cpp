// tests/tools/steps_pieces_test.cpp · functions of a step whose parameters or given lines are others than in the exercise
#include <gtest/gtest.h>

#include "tools/steps/changed.hpp"

namespace tfs::tools_test {

namespace {

const std::string gap = "    // TODO 1.1: All.\n    throw NotImplemented(\"1.1 attend\");\n}\n";
const std::string exercise =
    "Output attend(const Tensor& q, const std::optional<Mask>& mask,\n"
    "              const std::map<int, int>& bias, Weights) {\n" +
    gap;

std::vector<steps::Changed> changed_in(const std::string& head) {
    return steps::changed_functions(head + " {\n    return q;\n}\n", exercise);
}

}  // namespace

TEST(steps_pieces, a_function_with_other_parameters_is_changed) {
    for (const char* head :
         {"Output attend(const Tensor& q, const std::optional<Mask>& mask)",
          "Output attend(const Tensor& q, const std::optional<Mask>& mask, const std::map<int, int>& b, bool "
          "w)",
          "Output attend(Tensor& q, const std::optional<Mask>& mask, const std::map<int, int>& b, Weights w)",
          "Output attend()"}) {
        const auto changed = changed_in(head);
        ASSERT_EQ(changed.size(), 1U) << head;
        EXPECT_EQ(changed[0].hers.head, steps::Lines{head});
        EXPECT_EQ(changed[0].now.head,
                  (steps::Lines{"Output attend(const Tensor& q, const std::optional<Mask>& mask,",
                                "              const std::map<int, int>& bias, Weights)"}));
    }
}

TEST(steps_pieces, names_defaults_namespaces_and_the_place_of_const_do_not_change_parameters) {
    for (const char* head :
         {"Output attend(const Tensor& queries, const std::optional<Mask>&, const std::map<int, int>& b,\n"
          "    Weights keep)",
          "Output attend(Tensor const& q,  // of all heads (yes)\n    const optional<tfs::Mask> &mask,\n"
          "    const std::map<int,int>& bias, const Weights keep = Weights::keep)"})
        EXPECT_TRUE(changed_in(head).empty()) << head;
}

TEST(steps_pieces, of_two_functions_with_one_name_the_other_one_is_changed) {
    const std::string two = exercise + "Output attend(int a) {\n" + gap;
    const auto changed = steps::changed_functions(
        "Output attend(int b) {\n    return b;\n}\nOutput attend(Tensor q) {\n    return q;\n}\n", two);
    ASSERT_EQ(changed.size(), 1U);
    EXPECT_EQ(changed[0].hers.parameters, "(Tensorq)");
    EXPECT_EQ(changed[0].now.head.size(), 2U);
}

TEST(steps_pieces, a_helper_with_the_name_of_a_function_is_not_changed) {
    EXPECT_TRUE(
        steps::changed_functions("Output attend(int a) {\n    return a;\n}\n" + exercise, exercise).empty());
}

TEST(steps_pieces, a_body_comes_under_another_head_wherever_it_opens) {
    const steps::Piece now = steps::pieces_of(exercise)[0];
    for (const std::string opens : {" {\n", "\n{\n"}) {
        const steps::Piece hers =
            steps::pieces_of("Output attend(const Tensor& q,\n   int n)" + opens + "    return q;\n}\n")[0];
        EXPECT_EQ(steps::join_lines(steps::under_head(now, hers)),
                  steps::join_lines(now.head).substr(0, steps::join_lines(now.head).size() - 1) + opens +
                      "    return q;\n}\n");
    }
}

TEST(steps_pieces, given_functions_with_other_lines_are_found_by_line) {
    const std::string given = "int one() { return 1; }\n\nint two() {\n    return 2;\n}\n";
    const auto others =
        steps::other_given_lines("int one() { return 1; }\n// mine\n\nint two() {\n    return 3;\n}\n" +
                                     exercise.substr(0, exercise.find("    //")) + "    return q;\n}\n",
                                 given + exercise);
    ASSERT_EQ(others.size(), 1U);
    EXPECT_EQ(others[0].now.name, "two");
    EXPECT_FALSE(others[0].has(3));
    EXPECT_TRUE(others[0].has(4));
    EXPECT_TRUE(others[0].has(6));
    EXPECT_FALSE(others[0].has(7));
}

TEST(steps_pieces, a_constructor_ends_with_its_body_wherever_that_is) {
    for (const std::string constructor :
         {"Half::Half(int x)\n    : norm(x),\n      rows{x, 2} {}\n",
          "Half::Half(int x)\n    : a{x}\n    , b{x}\n{\n}\n",
          "Half::Half(int x) : a(x) {\n    if (x) { a = 1; }\n}\n",
          "Half::Half(int x)\n    : a(x) {\n    a = {1};\n}\n",
          "Half::Half(int x)\n{   int y = 1;\n    if (x) { a = y; }\n}\n", "Half::Half() {}\n"}) {
        const auto pieces = steps::pieces_of(constructor + "int Half::of(int x) const {\n    return x;\n}\n");
        ASSERT_EQ(pieces.size(), 2U) << constructor;
        EXPECT_EQ(steps::join_lines(pieces[0].lines), constructor);
        EXPECT_EQ(pieces[1].name, "Half::of");
    }
}

}  // namespace tfs::tools_test

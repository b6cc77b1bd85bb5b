// tests/00_tensors/six_shapes_test.cpp · puzzle six_shapes: each shape against the one that the layer makes, and why a wrong one is wrong
#include <gtest/gtest.h>

#include <array>
#include <string>
#include <vector>

#include "chapters/00_tensors/given/six_expressions.hpp"
#include "chapters/00_tensors/tensors.hpp"
#include "tests/support/close.hpp"

namespace tfs::test {
namespace {

// A shape that one may take for the right one, and what was overlooked.
struct WrongShape {
    std::vector<Shape> shapes;
    std::string cause;
};

// Shape `i`; a wrong one is told by its cause, or by the rule of the expression.
testing::AssertionResult right_shape(std::size_t i, const std::string& rule,
                                     const std::vector<WrongShape>& wrong) {
    const Shape answer = six_shapes()[i];
    const ShapeQuestion question = six_expressions()[i];
    if (answer == question.result.shape()) return testing::AssertionSuccess();
    std::string cause =
        answer.empty() ? "nothing is written for this expression yet; () is a single number" : rule;
    for (const WrongShape& one : wrong)
        for (const Shape& shape : one.shapes)
            if (answer == shape) cause = one.cause;
    return testing::AssertionFailure() << question.expression << " does not have the shape "
                                       << to_string(answer) << likely_if(true, cause);
}

TEST(six_shapes, of_rows_of_a_table) {
    const std::string rule =
        "embedding replaces each id by its row of the table: the shape of ids, then the length of a row";
    EXPECT_TRUE(
        right_shape(0, rule,
                    {{{{2, 5}}, "each id is replaced by a whole row of the table; its axis is missing"},
                     {{{10, 12}}, "this is the whole table; ids says which rows are taken, and how often"},
                     {{{2, 5, 10}}, "each id is replaced by a row of the table; a row has 12 numbers"},
                     {{{5, 12}}, "there are 2 times 5 ids; the axis of 2 is missing"}}));
}

TEST(six_shapes, of_a_product) {
    const std::string rule =
        "matmul multiplies the last two axes, (m, k) by (k, n): k is gone, m and n stay; leading axes are a "
        "batch. "
        "Transpose::b reads keys (7, 12) as (12, 7)";
    EXPECT_TRUE(right_shape(
        1, rule,
        {{{{2, 5, 12}, {2, 5, 12, 7}, {2, 5, 7, 12}, {2, 12, 7}},
          "12 is the inner size: it is summed over, and gone from the result"},
         {{{2, 7, 5}}, "the rows come from x, the columns from keys; (5, 12) x (12, 7) has 5 rows"},
         {{{5, 7}}, "the leading axis of x, the batch of 2, stays"}}));
}

TEST(six_shapes, of_a_mean) {
    const std::string rule = "mean removes the axis that you name, counted from 0; the others stay";
    EXPECT_TRUE(right_shape(2, rule,
                            {{{{2, 1, 12}}, "without KeepDims::yes the axis is gone, not 1 long"},
                             {{{5, 12}}, "axes are counted from 0: axis 1 is the one of 5"},
                             {{{2, 5}}, "axis 1 is the one of 5, not the last one"},
                             {{{5}, {2}}, "the axis that you name is removed; the other two stay"}}));
}

TEST(six_shapes, of_a_maximum_that_keeps_its_axis) {
    const std::string rule = "-1 is the last axis; with KeepDims::yes it stays, with size 1";
    EXPECT_TRUE(right_shape(3, rule,
                            {{{{2, 5}}, "with KeepDims::yes the axis stays, with size 1"},
                             {{{1, 5, 12}, {2, 1, 12}}, "-1 is the last axis, the one of 12"},
                             {{{1}, {1, 1, 1}}, "only the last axis is reduced; the other two stay"}}));
}

TEST(six_shapes, of_a_reshape_and_a_transpose) {
    const std::string rule =
        "reshape gives the shape in its braces, (2, 5, 3, 4); transpose then swaps its axes 1 and 2, counted "
        "from 0";
    EXPECT_TRUE(
        right_shape(4, rule,
                    {{{{2, 5, 3, 4}}, "this is the reshape alone; transpose swaps two of its axes"},
                     {{{5, 2, 3, 4}}, "axes are counted from 0: axes 1 and 2 are those of 5 and 3"},
                     {{{2, 5, 4, 3}}, "axes 1 and 2 are those of 5 and 3, not the last two"},
                     {{{2, 12, 5}}, "the reshape comes first: transpose swaps axes of (2, 5, 3, 4)"}}));
}

TEST(six_shapes, of_a_sum_of_a_row_and_a_column) {
    const std::string rule =
        "broadcasting aligns shapes at the last axis: (12) with (5, 1). A size of 1, or a missing axis, is "
        "repeated";
    EXPECT_TRUE(right_shape(
        5, rule,
        {{{{12, 5}}, "shapes are aligned at the last axis: 12 is the number of columns"},
         {{{12}, {1, 12}}, "row has no first axis, so it is repeated for each of the 5 rows of column"},
         {{{5, 1}, {5}}, "the last axis of column is 1 long, so it is repeated for the 12 of row"}}));
}

}  // namespace
}  // namespace tfs::test

// tests/00_tensors/views_test.cpp · step views: views worked out by hand, writing through them, views of views, xtensor's own, diagnosis
#include <gtest/gtest.h>

#include <algorithm>
#include <string>

#include "chapters/00_tensors/given/view_of.hpp"
#include "chapters/00_tensors/views.hpp"
#include "common/base/errors.hpp"
#include "common/base/shape.hpp"
#include "tests/00_tensors/strided.hpp"
#include "tests/support/close.hpp"
#include "tests/support/refusal.hpp"

namespace tfs::test {
namespace {

using Strides = std::vector<std::ptrdiff_t>;

// A view with this shape and x's strides for it, as if x lay there row after row.
Strided as_if_row_major(const Strided& x, const Shape& shape) {
    return {shape, row_major(shape).strides, x.offset};
}

Strided without_offset(Strided view) {
    view.offset = 0;
    return view;
}

const std::string ignored =
    "the strides and the offset of x are ignored, as if x lay there row after row from the first float on";
const std::string offset_lost = "the offset of x is lost: entry (0, 0) of the view is entry (0, 0) of x";

Strided exchanged(Strided view, std::size_t a, std::size_t b) {
    std::swap(view.shape[a], view.shape[b]);
    std::swap(view.strides[a], view.strides[b]);
    return view;
}

testing::AssertionResult transposes(const Strided& x, std::size_t a, std::size_t b) {
    const Strided right = exchanged(x, a, b);
    const std::size_t last = x.shape.size() - 1;
    const Strided if_row_major = exchanged(row_major(x.shape), a, b);
    std::vector<WrongView> wrong = {
        {"only the sizes are exchanged; the strides go with their axes", {right.shape, x.strides, x.offset}},
        {"only the strides are exchanged; the sizes go with their axes", {x.shape, right.strides, x.offset}},
        {"the strides are those of an array that lies row after row in its new shape: that is a reshape. A "
         "transpose moves no float; "
         "the strides go with their axes",
         as_if_row_major(x, right.shape)},
        {ignored, if_row_major},
        {offset_lost, without_offset(right)}};
    if (last > 0) {
        wrong.push_back(
            {"the last two axes are exchanged, whatever a and b are", exchanged(x, last - 1, last)});
        wrong.push_back({"axes 0 and 1 are exchanged, whatever a and b are", exchanged(x, 0, 1)});
    }
    Strided turned_round = x;
    std::reverse(turned_round.shape.begin(), turned_round.shape.end());
    std::reverse(turned_round.strides.begin(), turned_round.strides.end());
    wrong.push_back(
        {"all axes are in reverse order, as .T of NumPy does; only a and b are exchanged", turned_round});
    wrong.push_back({"the strides of x are ignored, as if it lay there row after row",
                     {right.shape, if_row_major.strides, x.offset}});
    return sees(transposed_view(x, a, b), right, wrong);
}

TEST(views, a_transpose_exchanges_axes) {
    EXPECT_TRUE(transposes(row_major({3, 4}), 0, 1));
    EXPECT_TRUE(transposes(row_major({2, 3, 4}), 0, 1));
    EXPECT_TRUE(transposes(row_major({2, 3, 4}), 2, 0));
    EXPECT_TRUE(transposes(row_major({2, 3, 4}), 1, 1));
}

TEST(views, a_transpose_takes_any_view) {
    EXPECT_TRUE(transposes({{3, 2}, {8, 2}, 5}, 0, 1));
    EXPECT_TRUE(transposes({{3, 4}, {0, -1}, 3}, 0, 1));
}

Strided repeated(const Strided& x, const Shape& shape) {
    Strided view{shape, Strides(shape.size(), 0), x.offset};
    for (std::size_t i = 1; i <= x.shape.size(); ++i)
        if (x.shape[x.shape.size() - i] != 1) view.strides[shape.size() - i] = x.strides[x.shape.size() - i];
    return view;
}

// x with its first axis at this axis of the shape; the size that is repeated may be any.
Strided aligned_at(std::size_t first, const Strided& x, const Shape& shape) {
    Strided view{shape, Strides(shape.size(), 0), x.offset};
    for (std::size_t axis = 0; axis < x.shape.size(); ++axis)
        if (x.shape[axis] != 1) view.strides[first + axis] = x.strides[axis];
    return view;
}

Strided missing_axes_step_by_one(Strided view, const Strided& x) {
    std::fill(view.strides.begin(), view.strides.end() - static_cast<std::ptrdiff_t>(x.shape.size()), 1);
    return view;
}

testing::AssertionResult broadcasts(const Strided& x, const Shape& shape) {
    const Strided right = repeated(x, shape);
    Strided kept = right, zeros = right;
    for (std::size_t i = 1; i <= x.shape.size(); ++i)
        kept.strides[shape.size() - i] = x.strides[x.shape.size() - i];
    std::fill(zeros.strides.begin(), zeros.strides.end(), 0);
    return sees(
        broadcast_view(x, shape), right,
        {{"an axis of size 1 keeps its stride, so its next entry is another float; what is repeated has the "
          "stride 0",
          kept},
         {"the shapes are aligned at the first axis; align them at the last", aligned_at(0, x, shape)},
         {"at most one axis is taken to be missing; there may be more: align the shapes at the last axis",
          aligned_at(shape.size() > x.shape.size() ? 1 : 0, x, shape)},
         {"an axis that x does not have gets the stride 1; what is repeated must have the stride 0",
          missing_axes_step_by_one(right, x)},
         {"every stride is 0, so all entries are one float; only what is repeated has the stride 0", zeros},
         {"the strides are those of an array that has all these floats; what is repeated has the stride 0",
          as_if_row_major(x, shape)},
         {"this is x as it was; it must get the shape", x},
         {ignored, repeated(row_major(x.shape), shape)},
         {offset_lost, without_offset(right)}});
}

TEST(views, a_broadcast_repeats_a_row_and_a_column) {
    EXPECT_TRUE(broadcasts(row_major({4}), {3, 4}));
    EXPECT_TRUE(broadcasts(row_major({3, 1}), {3, 4}));
    EXPECT_TRUE(broadcasts(row_major({3}), {3, 3}));
    EXPECT_TRUE(broadcasts(row_major({}), {2, 3}));
}

TEST(views, a_broadcast_takes_any_number_of_axes) {
    EXPECT_TRUE(broadcasts(row_major({3, 1}), {2, 3, 4}));
    EXPECT_TRUE(broadcasts(row_major({4}), {2, 3, 4}));
    EXPECT_TRUE(broadcasts(row_major({3, 4}), {5, 2, 3, 4}));
    EXPECT_TRUE(broadcasts(row_major({2, 1, 4}), {2, 3, 4}));
    EXPECT_TRUE(broadcasts(row_major({2, 3}), {2, 3}));
    EXPECT_TRUE(broadcasts(row_major({1, 1}), {1, 1}));
}

TEST(views, a_broadcast_takes_any_view) {
    EXPECT_TRUE(broadcasts({{3, 1}, {-4, 1}, 9}, {2, 3, 4}));
    EXPECT_TRUE(broadcasts({{4}, {3}, 1}, {3, 4}));
}

testing::AssertionResult takes_diagonal(const Strided& x) {
    const std::size_t rows = x.shape[0], columns = x.shape[1];
    const Strided right{{std::min(rows, columns)}, {x.strides[0] + x.strides[1]}, x.offset};
    const auto with = [&](std::ptrdiff_t stride) { return Strided{right.shape, {stride}, x.offset}; };
    return sees(
        diagonal_view(x), right,
        {{"the step is the number of columns and one more, as if x lay there row after row; x has strides of "
          "its own",
          with(static_cast<std::ptrdiff_t>(columns) + 1)},
         {ignored, {right.shape, {static_cast<std::ptrdiff_t>(columns) + 1}, 0}},
         {"this is the first column: one further on the diagonal is one row and one column further",
          with(x.strides[0])},
         {"this is the first row: one further on the diagonal is one row and one column further",
          with(x.strides[1])},
         {"the step is the stride of a row and one more; the stride of a column of x may be other than 1",
          with(x.strides[0] + 1)},
         {"the stride is the number of rows and one more; it must be the sum of the two strides of x",
          with(static_cast<std::ptrdiff_t>(rows) + 1)},
         {"one stride is subtracted from the other; they must be added: the next entry is one row down and "
          "one column to the right",
          with(x.strides[0] - x.strides[1])},
         {"the two strides are multiplied; they must be added: the next entry is one row down and one column "
          "to the right",
          with(x.strides[0] * x.strides[1] + 1)},
         {"the diagonal is as long as there are columns; it ends where the shorter side ends",
          {{columns}, right.strides, x.offset}},
         {"the diagonal is as long as there are rows; it ends where the shorter side ends",
          {{rows}, right.strides, x.offset}},
         {offset_lost, without_offset(right)}});
}

TEST(views, a_diagonal_goes_down_and_right) {
    EXPECT_TRUE(takes_diagonal(row_major({3, 3})));
    EXPECT_TRUE(takes_diagonal(row_major({2, 5})));
    EXPECT_TRUE(takes_diagonal(row_major({4, 3})));
}

TEST(views, a_diagonal_takes_any_view) {
    EXPECT_TRUE(takes_diagonal({{4, 3}, {1, 5}, 0}));
    EXPECT_TRUE(takes_diagonal({{3, 3}, {8, 2}, 7}));
    EXPECT_TRUE(takes_diagonal({{3, 4}, {-4, 1}, 8}));
}

TEST(views, writing_to_a_view_writes_to_the_base) {
    ASSERT_TRUE(transposes(row_major({2, 3}), 0, 1));
    ASSERT_TRUE(takes_diagonal(row_major({2, 3})));
    ASSERT_TRUE(broadcasts(row_major({3}), {2, 3}));
    EXPECT_EQ(written_through(transposed_view(row_major({2, 3}), 0, 1), 6),
              (std::vector<float>{1, 3, 5, 2, 4, 6}));
    EXPECT_EQ(written_through(diagonal_view(row_major({2, 3})), 6), (std::vector<float>{1, 0, 0, 0, 2, 0}));
    EXPECT_EQ(written_through(broadcast_view(row_major({3}), {2, 3}), 3), (std::vector<float>{4, 5, 6}));
}

TEST(views, views_of_views_are_views) {
    const Strided x = row_major({3, 4}), turned = exchanged(x, 0, 1);
    ASSERT_TRUE(transposes(x, 0, 1));
    EXPECT_TRUE(takes_diagonal(transposed_view(x, 0, 1)));
    EXPECT_TRUE(broadcasts(transposed_view(x, 0, 1), {2, 4, 3}));
    EXPECT_TRUE(sees(transposed_view(transposed_view(x, 0, 1), 0, 1), x));
    EXPECT_TRUE(sees(transposed_view(x, 0, 1), turned));
}

TEST(views, refuse_only_what_does_not_fit) {
    const Strided x = row_major({2, 3});
    (void)broadcast_view(x, {5, 2, 3});
    EXPECT_TRUE(refuses<ShapeError>([&] { (void)transposed_view(x, 0, 2); }, {"2"}));
    EXPECT_TRUE(refuses<ShapeError>([&] { (void)broadcast_view(x, {2, 4}); }, {"(2, 3)", "(2, 4)"}));
    EXPECT_TRUE(refuses<ShapeError>([&] { (void)broadcast_view(x, {3}); }, {"(2, 3)", "(3)"}));
    EXPECT_TRUE(refuses<ShapeError>([&] { (void)diagonal_view(row_major({2, 3, 3})); }, {"(2, 3, 3)"}));
}

}  // namespace
}  // namespace tfs::test

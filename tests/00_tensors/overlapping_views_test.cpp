// tests/00_tensors/overlapping_views_test.cpp · puzzle overlapping_views: windows, diagonals and a Toeplitz matrix by hand, writing through them, diagnosis
#include <gtest/gtest.h>

#include <cmath>
#include <string>

#include "chapters/00_tensors/views.hpp"
#include "common/base/errors.hpp"
#include "tests/00_tensors/strided.hpp"
#include "tests/support/close.hpp"
#include "tests/support/refusal.hpp"

namespace tfs::test {
namespace {

using Strides = std::vector<std::ptrdiff_t>;

std::ptrdiff_t signed_size(std::size_t size) { return static_cast<std::ptrdiff_t>(size); }

testing::AssertionResult has_windows(const Strided& x, std::size_t length) {
    const std::size_t n = x.shape[0];
    const std::ptrdiff_t s = x.strides[0];
    const Shape shape{n - length + 1, length};
    return sees(
        window_view(x, length), {shape, {s, s}, x.offset},
        {{"the windows do not overlap; the next one must begin one entry further",
          {shape, {signed_size(length) * s, s}, x.offset}},
         {"x has a stride of its own; here the windows have the stride 1", {shape, {1, 1}, x.offset}},
         {"the next window begins one float further; it must begin one entry further, which is the stride of "
          "x",
          {shape, {1, s}, x.offset}},
         {"the entries of a window are one float apart; they must be the stride of x apart",
          {shape, {s, 1}, x.offset}},
         {"these are pieces that do not overlap; the next window must begin one entry further",
          {{n / length, length}, {signed_size(length) * s, s}, x.offset}},
         {"all rows are the first window; the next one must begin one entry further",
          {shape, {0, s}, x.offset}},
         {"the last window is missing: there are n - length + 1", {{n - length, length}, {s, s}, x.offset}},
         {"there are n rows, and the last ones leave x; there are n - length + 1 windows",
          {{n, length}, {s, s}, x.offset}},
         {"rows and columns are exchanged: a row is a window", {{length, n - length + 1}, {s, s}, x.offset}},
         {"the offset of x is lost", {shape, {s, s}, 0}}});
}

TEST(overlapping_views, windows_share_their_floats) {
    EXPECT_TRUE(has_windows({{5}, {1}, 0}, 3));
    EXPECT_TRUE(has_windows({{4}, {1}, 0}, 1));
    EXPECT_TRUE(has_windows({{4}, {1}, 0}, 4));
}

TEST(overlapping_views, windows_of_any_view) {
    EXPECT_TRUE(has_windows({{6}, {4}, 1}, 2));
    EXPECT_TRUE(has_windows({{6}, {-1}, 5}, 4));
}

testing::AssertionResult has_diagonals(const Strided& x) {
    const std::size_t n = x.shape[0], m = x.shape[1];
    const std::ptrdiff_t down = x.strides[0], right = x.strides[1];
    const Shape shape{m - n + 1, n};
    return sees(
        diagonals_view(x), {shape, {right, down + right}, x.offset},
        {{"each row goes down a column; one further on a diagonal is one row and one column further",
          {shape, {right, down}, x.offset}},
         {"the next diagonal begins one row and one column further; it must begin one column further, in the "
          "same row",
          {shape, {down + right, down + right}, x.offset}},
         {"the diagonals go down and left; the next entry of a diagonal must be one row down and one column "
          "to the right",
          {shape, {right, down - right}, x.offset}},
         {"the next diagonal begins one float further; it must begin one column further, the second stride "
          "of x",
          {shape, {1, down + right}, x.offset}},
         {"the next diagonal begins one row further; it must begin one column further, in the same row",
          {shape, {down, down + right}, x.offset}},
         {"rows and columns are exchanged: a row is a diagonal",
          {{n, m - n + 1}, {down + right, right}, x.offset}},
         {"only the sizes are exchanged: a row is a diagonal",
          {{n, m - n + 1}, {right, down + right}, x.offset}},
         {"rows and columns are exchanged: a row is a diagonal", {shape, {down + right, right}, x.offset}},
         {"the strides are those of an array that lies row after row; x has strides of its own",
          {shape, {1, signed_size(m) + 1}, x.offset}},
         {"there are m - n + 1 diagonals that reach the last row",
          {{m - n, n}, {right, down + right}, x.offset}},
         {"only m - n + 1 diagonals reach the last row", {{m, n}, {right, down + right}, x.offset}},
         {"a diagonal has n entries, one in each row", {{m - n + 1, m}, {right, down + right}, x.offset}},
         {"the offset of x is lost", {shape, {right, down + right}, 0}}});
}

TEST(overlapping_views, diagonals_begin_one_column_further) {
    EXPECT_TRUE(has_diagonals(row_major({3, 4})));
    EXPECT_TRUE(has_diagonals(row_major({2, 6})));
    EXPECT_TRUE(has_diagonals(row_major({3, 3})));
}

TEST(overlapping_views, diagonals_of_any_view) {
    EXPECT_TRUE(has_diagonals({{2, 4}, {1, 3}, 2}));
    EXPECT_TRUE(has_diagonals({{3, 5}, {-10, 2}, 20}));
}

testing::AssertionResult is_toeplitz(const Strided& x) {
    const std::size_t n = (x.shape[0] + 1) / 2;
    const std::ptrdiff_t s = x.strides[0], middle = x.offset + signed_size(n - 1) * s;
    const Shape shape{n, n};
    return sees(
        toeplitz_view(x), {shape, {-s, s}, middle},
        {{"the distance is taken as i - j; it is j - i, the column less the row", {shape, {s, -s}, middle}},
         {"x has a stride of its own; here the strides are -1 and 1", {shape, {-1, 1}, middle}},
         {"entry (0, 0) has the distance 0, which is in the middle of x, at n - 1",
          {shape, {-s, s}, x.offset}},
         {"entry (0, 0) has the distance 0, which is in the middle of x, at n - 1, not at n",
          {shape, {-s, s}, middle + s}},
         {"both strides go forward, so entry (i, j) depends on i + j; it must depend on j - i",
          {shape, {s, s}, x.offset}},
         {"both strides go back, so entry (i, j) depends on i + j; it must depend on j - i",
          {shape, {-s, -s}, x.offset + signed_size(x.shape[0] - 1) * s}},
         {"all rows are the same; the next row must begin one entry earlier", {shape, {0, s}, middle}},
         {"entry (0, 0) has the distance 0, which is in the middle of x, not at its end",
          {shape, {-s, s}, x.offset + signed_size(x.shape[0] - 1) * s}},
         {"entry (0, 0) has the distance 0, which is in the middle of x, at n - 1, not at n - 2",
          {shape, {-s, s}, middle - s}},
         {"the stride of x may be negative; the middle is n - 1 of these strides behind the offset",
          {shape, {-s, s}, x.offset + signed_size(n - 1) * std::abs(s)}},
         {"the matrix has 2 n - 1 columns; its shape must be (n, n)", {{n, x.shape[0]}, {-s, s}, middle}},
         {"both strides go forward, so entry (i, j) depends on i + j; it must depend on j - i",
          {shape, {s, s}, middle}},
         {"the distance 0 is n - 1 strides behind the offset of x",
          {shape, {-s, s}, x.offset + signed_size(n - 1)}},
         {"the offset of x is lost", {shape, {-s, s}, middle - x.offset}},
         {"x has 2 n - 1 entries, so n is half of one more", {{n - 1, n - 1}, {-s, s}, middle - s}},
         {"x has 2 n - 1 entries, so n is half of one more", {{n - 1, n - 1}, {-s, s}, middle}}});
}

TEST(overlapping_views, a_toeplitz_matrix_knows_distances) {
    EXPECT_TRUE(is_toeplitz({{5}, {1}, 0}));
    EXPECT_TRUE(is_toeplitz({{1}, {1}, 0}));
    EXPECT_TRUE(is_toeplitz({{9}, {1}, 0}));
}

TEST(overlapping_views, a_toeplitz_matrix_of_any_view) {
    EXPECT_TRUE(is_toeplitz({{5}, {3}, 2}));
    EXPECT_TRUE(is_toeplitz({{7}, {-2}, 15}));
}

TEST(overlapping_views, writing_to_a_view_writes_to_the_base) {
    ASSERT_TRUE(has_windows({{4}, {1}, 0}, 2));
    ASSERT_TRUE(has_diagonals(row_major({2, 3})));
    ASSERT_TRUE(is_toeplitz({{3}, {1}, 0}));
    EXPECT_EQ(written_through(window_view({{4}, {1}, 0}, 2), 4), (std::vector<float>{1, 3, 5, 6}));
    EXPECT_EQ(written_through(diagonals_view(row_major({2, 3})), 6), (std::vector<float>{1, 3, 0, 0, 2, 4}));
    EXPECT_EQ(written_through(toeplitz_view({{3}, {1}, 0}), 3), (std::vector<float>{3, 4, 2}));
}

TEST(overlapping_views, refuse_only_what_does_not_fit) {
    (void)window_view({{3}, {1}, 0}, 3);
    EXPECT_TRUE(refuses<ShapeError>([] { (void)window_view({{3}, {1}, 0}, 4); }, {"(3)", "4"}));
    EXPECT_TRUE(refuses<ShapeError>([] { (void)window_view({{3}, {1}, 0}, 0); }, {"(3)", "0"}));
    EXPECT_TRUE(refuses<ShapeError>([] { (void)window_view(row_major({3, 3}), 2); }, {"(3, 3)"}));
    EXPECT_TRUE(refuses<ShapeError>([] { (void)diagonals_view(row_major({4, 3})); }, {"(4, 3)"}));
    EXPECT_TRUE(refuses<ShapeError>([] { (void)toeplitz_view({{4}, {1}, 0}); }, {"(4)"}));
}

}  // namespace
}  // namespace tfs::test

// tests/00_tensors/overlapping_views_test.cpp · puzzle overlapping_views: windows, diagonals and a Toeplitz matrix by hand, writing through them
#include "tests/00_tensors/checklist.hpp"
#include "tests/support/refusal.hpp"

namespace tfs::test {
namespace {

TEST(overlapping_views, windows_share_their_floats) {
    EXPECT_TRUE(sees(window_view({{5}, {1}, 0}, 3), {{3, 3}, {1, 1}}));
    EXPECT_TRUE(sees(window_view({{7}, {1}, 0}, 3), {{5, 3}, {1, 1}}));
    EXPECT_TRUE(sees(window_view({{4}, {1}, 0}, 1), {{4, 1}, {1, 1}}));
    EXPECT_TRUE(sees(window_view({{4}, {1}, 0}, 4), {{1, 4}, {1, 1}}));
}

TEST(overlapping_views, windows_of_any_view) {
    EXPECT_TRUE(sees(window_view({{6}, {4}, 1}, 2), {{5, 2}, {4, 4}, 1}));
    EXPECT_TRUE(sees(window_view({{6}, {-1}, 5}, 4), {{3, 4}, {-1, -1}, 5}));
}

TEST(overlapping_views, diagonals_begin_one_column_further) {
    EXPECT_TRUE(sees(diagonals_view(row_major({3, 4})), {{2, 3}, {1, 5}}));
    EXPECT_TRUE(sees(diagonals_view(row_major({2, 6})), {{5, 2}, {1, 7}}));
    EXPECT_TRUE(sees(diagonals_view(row_major({3, 3})), {{1, 3}, {1, 4}}));
    EXPECT_TRUE(sees(diagonals_view(row_major({3, 5})), {{3, 3}, {1, 6}}));
}

TEST(overlapping_views, diagonals_of_any_view) {
    EXPECT_TRUE(sees(diagonals_view({{2, 4}, {1, 3}, 2}), {{3, 2}, {3, 4}, 2}));
    EXPECT_TRUE(sees(diagonals_view({{3, 5}, {-10, 2}, 20}), {{3, 3}, {2, -8}, 20}));
}

TEST(overlapping_views, a_toeplitz_matrix_knows_distances) {
    EXPECT_TRUE(sees(toeplitz_view({{5}, {1}, 0}), {{3, 3}, {-1, 1}, 2}));
    EXPECT_TRUE(sees(toeplitz_view({{1}, {1}, 0}), {{1, 1}, {-1, 1}, 0}));
    EXPECT_TRUE(sees(toeplitz_view({{9}, {1}, 0}), {{5, 5}, {-1, 1}, 4}));
}

TEST(overlapping_views, a_toeplitz_matrix_of_any_view) {
    EXPECT_TRUE(sees(toeplitz_view({{5}, {3}, 2}), {{3, 3}, {-3, 3}, 8}));
    EXPECT_TRUE(sees(toeplitz_view({{7}, {-2}, 15}), {{4, 4}, {2, -2}, 9}));
}

TEST(overlapping_views, writing_to_a_view_writes_to_the_base) {
    const Strided windows = window_view({{4}, {1}, 0}, 2), diagonals = diagonals_view(row_major({2, 3})),
                  distances = toeplitz_view({{3}, {1}, 0});
    ASSERT_TRUE(sees(windows, {{3, 2}, {1, 1}}));
    ASSERT_TRUE(sees(diagonals, {{2, 2}, {1, 4}}));
    ASSERT_TRUE(sees(distances, {{2, 2}, {-1, 1}, 1}));
    EXPECT_EQ(written_through(windows, 4), (std::vector<float>{1, 3, 5, 6}));
    EXPECT_EQ(written_through(diagonals, 6), (std::vector<float>{1, 3, 0, 0, 2, 4}));
    EXPECT_EQ(written_through(distances, 3), (std::vector<float>{3, 4, 2}));
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

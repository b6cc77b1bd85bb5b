// tests/00_tensors/views_test.cpp · step views: views worked out by hand, writing through them, views of views
#include "tests/00_tensors/checklist.hpp"
#include "tests/support/refusal.hpp"

namespace tfs::test {
namespace {

TEST(views, a_transpose_exchanges_axes) {
    EXPECT_TRUE(sees(transposed_view(row_major({3, 4}), 0, 1), {{4, 3}, {1, 4}}));
    EXPECT_TRUE(sees(transposed_view(row_major({2, 3, 4}), 0, 1), {{3, 2, 4}, {4, 12, 1}}));
    EXPECT_TRUE(sees(transposed_view(row_major({2, 3, 4}), 2, 0), {{4, 3, 2}, {1, 4, 12}}));
    EXPECT_TRUE(sees(transposed_view(row_major({2, 3, 4}), 1, 1), {{2, 3, 4}, {12, 4, 1}}));
    EXPECT_TRUE(sees(transposed_view(row_major({2, 3, 4, 5}), 3, 1), {{2, 5, 4, 3}, {60, 1, 5, 20}}));
}

TEST(views, a_transpose_takes_any_view) {
    EXPECT_TRUE(sees(transposed_view({{3, 2}, {8, 2}, 5}, 0, 1), {{2, 3}, {2, 8}, 5}));
    EXPECT_TRUE(sees(transposed_view({{3, 4}, {0, -1}, 3}, 0, 1), {{4, 3}, {-1, 0}, 3}));
}

TEST(views, a_broadcast_repeats_a_row_and_a_column) {
    EXPECT_TRUE(sees(broadcast_view(row_major({4}), {3, 4}), {{3, 4}, {0, 1}}));
    EXPECT_TRUE(sees(broadcast_view(row_major({3, 1}), {3, 4}), {{3, 4}, {1, 0}}));
    EXPECT_TRUE(sees(broadcast_view(row_major({3}), {3, 3}), {{3, 3}, {0, 1}}));
    EXPECT_TRUE(sees(broadcast_view(row_major({}), {2, 3}), {{2, 3}, {0, 0}}));
}

TEST(views, a_broadcast_takes_any_number_of_axes) {
    EXPECT_TRUE(sees(broadcast_view(row_major({3, 1}), {2, 3, 4}), {{2, 3, 4}, {0, 1, 0}}));
    EXPECT_TRUE(sees(broadcast_view(row_major({4}), {2, 3, 4}), {{2, 3, 4}, {0, 0, 1}}));
    EXPECT_TRUE(sees(broadcast_view(row_major({3, 4}), {5, 2, 3, 4}), {{5, 2, 3, 4}, {0, 0, 4, 1}}));
    EXPECT_TRUE(sees(broadcast_view(row_major({2, 1, 4}), {2, 3, 4}), {{2, 3, 4}, {4, 0, 1}}));
    EXPECT_TRUE(sees(broadcast_view(row_major({2, 3}), {2, 3}), {{2, 3}, {3, 1}}));
    EXPECT_TRUE(sees(broadcast_view(row_major({1, 1}), {1, 1}), {{1, 1}, {0, 0}}));
}

TEST(views, a_broadcast_takes_any_view) {
    EXPECT_TRUE(sees(broadcast_view({{3, 1}, {-4, 1}, 9}, {2, 3, 4}), {{2, 3, 4}, {0, -4, 0}, 9}));
    EXPECT_TRUE(sees(broadcast_view({{4}, {3}, 1}, {3, 4}), {{3, 4}, {0, 3}, 1}));
}

TEST(views, a_diagonal_goes_down_and_right) {
    EXPECT_TRUE(sees(diagonal_view(row_major({3, 3})), {{3}, {4}}));
    EXPECT_TRUE(sees(diagonal_view(row_major({2, 5})), {{2}, {6}}));
    EXPECT_TRUE(sees(diagonal_view(row_major({4, 3})), {{3}, {4}}));
}

TEST(views, a_diagonal_takes_any_view) {
    EXPECT_TRUE(sees(diagonal_view({{4, 3}, {1, 5}, 0}), {{3}, {6}}));
    EXPECT_TRUE(sees(diagonal_view({{3, 3}, {8, 2}, 7}), {{3}, {10}, 7}));
    EXPECT_TRUE(sees(diagonal_view({{3, 4}, {-4, 1}, 8}), {{3}, {-3}, 8}));
}

TEST(views, writing_to_a_view_writes_to_the_base) {
    const Strided x = row_major({2, 3});
    const Strided turned = transposed_view(x, 0, 1), diagonal = diagonal_view(x),
                  repeated = broadcast_view(row_major({3}), {2, 3});
    ASSERT_TRUE(sees(turned, {{3, 2}, {1, 3}}));
    ASSERT_TRUE(sees(diagonal, {{2}, {4}}));
    ASSERT_TRUE(sees(repeated, {{2, 3}, {0, 1}}));
    EXPECT_EQ(written_through(turned, 6), (std::vector<float>{1, 3, 5, 2, 4, 6}));
    EXPECT_EQ(written_through(diagonal, 6), (std::vector<float>{1, 0, 0, 0, 2, 0}));
    EXPECT_EQ(written_through(repeated, 3), (std::vector<float>{4, 5, 6}));
}

TEST(views, views_of_views_are_views) {
    const Strided x = row_major({3, 4}), turned = transposed_view(x, 0, 1);
    ASSERT_TRUE(sees(turned, {{4, 3}, {1, 4}}));
    EXPECT_TRUE(sees(diagonal_view(turned), {{3}, {5}}));
    EXPECT_TRUE(sees(broadcast_view(turned, {2, 4, 3}), {{2, 4, 3}, {0, 1, 4}}));
    EXPECT_TRUE(sees(transposed_view(turned, 0, 1), x));
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

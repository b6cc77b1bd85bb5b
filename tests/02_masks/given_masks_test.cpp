// tests/02_masks/given_masks_test.cpp · masks that are given: prefix, document, global tokens, rows with offsets
#include "tests/02_masks/checklist.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <optional>
#include <string>
#include <type_traits>

#include "chapters/02_masks/masks.hpp"
#include "tests/support/golden.hpp"
#include "tests/support/refusal.hpp"

namespace tfs::test {
namespace {

TEST(prefix_mask, equals_pytorch) {
    const Mask mask = prefix_mask(6, 3);
    ASSERT_TRUE(close(numbers(mask), golden()["mask.prefix"], {0, 0}));
    EXPECT_TRUE(attention_equals_pytorch("prefix", mask));
}

TEST(prefix_mask, no_prefix_is_causal_and_all_prefix_is_everything) {
    EXPECT_TRUE(close(numbers(prefix_mask(6, 0)), golden()["mask.causal"], {0, 0}));
    EXPECT_TRUE(close(numbers(prefix_mask(6, 6)), Tensor::ones({1, 1, 6, 6}), {0, 0}));
}

TEST(prefix_mask, refuses_what_does_not_fit) {
    EXPECT_TRUE(refuses<ValueError>([] { (void)prefix_mask(6, 7); }, {"7", "6"}));
    EXPECT_TRUE(refuses<ShapeError>([] { (void)prefix_mask(0, 0); }, {}));
    EXPECT_TRUE(refuses<ShapeError>([] { (void)prefix_mask(1ull << 32, 3); }, {"4294967296"}));
}

TEST(document_mask, equals_pytorch) {
    const Mask mask = document_mask(golden_ids("documents"));
    ASSERT_TRUE(close(numbers(mask), golden()["mask.document"], {0, 0}));
    EXPECT_TRUE(attention_equals_pytorch("document", mask));
}

TEST(document_mask, queries_and_keys_of_different_length_equal_pytorch) {
    const Ids keys = golden_ids("documents");
    Ids queries = Ids::from_shape({3, 4});
    for (std::size_t b = 0; b < 3; ++b) {
        for (std::size_t i = 0; i < 4; ++i) queries(b, i) = keys(b, i + 1);
    }
    EXPECT_TRUE(close(numbers(document_mask(queries, keys)), golden()["mask.document_cross"], {0, 0}));
}

TEST(document_mask, any_number_may_name_a_document) {
    const std::int64_t large = 1ll << 53, wide = 1ll << 32;
    const Ids d = ids({1, 8}, {0, 1, -1, -1, 7, large, large + 1, wide + 7});
    EXPECT_TRUE(close(numbers(document_mask(d)),
                      by_rule({1, 1, 8, 8}, [&](auto, auto i, auto j) { return d(0, i) == d(0, j); }),
                      {0, 0}));
}

TEST(document_mask, refuses_batches_that_differ) {
    const Ids one = ids({1, 2}, {1, 1}), two = ids({2, 2}, {1, 1, 2, 2});
    EXPECT_TRUE(
        refuses<ShapeError>([&] { (void)document_mask(one, two); }, {"batch is 1", "2 in key_documents"}));
    EXPECT_TRUE(refuses<ShapeError>([] { (void)document_mask(ids({2}, {1, 1})); }, {"(2)"}));
    EXPECT_TRUE(refuses<ShapeError>([] { (void)document_mask(ids({1, 0}, {})); }, {"(1, 0)"}));
}

TEST(given_global_tokens, are_true_at_their_positions) {
    EXPECT_TRUE(close(numbers(global_queries(4, {3, 1})), Tensor::from({1, 1, 4, 1}, {0, 1, 0, 1}), {0, 0}));
    EXPECT_TRUE(close(numbers(global_keys(4, {3, 1})), Tensor::from({1, 1, 1, 4}, {0, 1, 0, 1}), {0, 0}));
    EXPECT_TRUE(close(numbers(global_keys(3, {1, 2, 1})), Tensor::from({1, 1, 1, 3}, {0, 1, 1}), {0, 0}));
    EXPECT_TRUE(close(numbers(global_keys(3, {})), Tensor::zeros({1, 1, 1, 3}), {0, 0}));
}

TEST(given_global_tokens, are_positions) {
    EXPECT_TRUE(refuses<ValueError>([] { (void)global_queries(4, {0, 4}); }, {"4", "0 to 3"}));
    EXPECT_TRUE(refuses<ValueError>([] { (void)global_keys(4, {4}); }, {"4", "0 to 3"}));
    EXPECT_TRUE(refuses<ShapeError>([] { (void)global_keys(0, {}); }, {}));
}

TEST(given_causal_rows, each_row_has_the_mask_of_its_own_offset) {
    const Mask rows = causal_mask(3, 8, Offset({5, 0, 2}));
    ASSERT_EQ(rows.shape(), (Shape{3, 1, 3, 8}));
    const std::size_t offsets[] = {5, 0, 2};
    for (std::size_t row = 0; row < 3; ++row)
        EXPECT_TRUE(close_named(fmt::format("row {}", row), slice(numbers(rows), 0, row, row + 1),
                                numbers(causal_mask(3, 8, offsets[row])), {0, 0}));
    EXPECT_EQ(causal_mask(3, 8, Offset(5)).shape(), (Shape{1, 1, 3, 8}));
    EXPECT_TRUE(refuses<ShapeError>([] { (void)causal_mask(3, 8, Offset({0, 6, 1})); }, {"8", "6"}));
}

// An additive mask can't be passed where a boolean one is meant.
static_assert(!std::is_constructible_v<Mask, Tensor> && !std::is_convertible_v<Tensor, std::optional<Mask>>);

}  // namespace
}  // namespace tfs::test

// tests/02_masks/global_tokens_test.cpp · global_queries and global_keys, which are given
#include "tests/02_masks/checklist.hpp"
#include "tests/support/refusal.hpp"

namespace tfs::test {
namespace {

TEST(given_global_tokens, are_true_at_their_positions) {
    EXPECT_TRUE(close(numbers(global_queries(4, {3, 1})), Tensor::from({1, 1, 4, 1}, {0, 1, 0, 1}), {0, 0}));
    EXPECT_TRUE(close(numbers(global_keys(4, {3, 1})), Tensor::from({1, 1, 1, 4}, {0, 1, 0, 1}), {0, 0}));
    EXPECT_TRUE(close(numbers(global_keys(3, {})), Tensor::zeros({1, 1, 1, 3}), {0, 0}));
}

TEST(given_global_tokens, may_come_twice) {
    EXPECT_TRUE(close(numbers(global_keys(3, {1, 2, 1})), Tensor::from({1, 1, 1, 3}, {0, 1, 1}), {0, 0}));
}

TEST(given_global_tokens, are_positions) {
    EXPECT_TRUE(refuses<ValueError>([] { (void)global_queries(4, {0, 4}); }, {"4", "0 to 3"}));
    EXPECT_TRUE(refuses<ValueError>([] { (void)global_keys(4, {4}); }, {"4", "0 to 3"}));
    EXPECT_TRUE(refuses<ShapeError>([] { (void)global_keys(0, {}); }, {}));
}

}  // namespace
}  // namespace tfs::test

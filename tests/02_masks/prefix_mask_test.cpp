// tests/02_masks/prefix_mask_test.cpp · prefix_mask, which is given: PyTorch's values, properties, and what it refuses
#include "tests/02_masks/checklist.hpp"
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

}  // namespace
}  // namespace tfs::test

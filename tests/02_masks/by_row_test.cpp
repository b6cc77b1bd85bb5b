// tests/02_masks/by_row_test.cpp · given: the causal mask of a batch whose rows begin at different positions
#include "chapters/02_masks/masks.hpp"

#include <gtest/gtest.h>

#include "tests/support/refusal.hpp"

namespace tfs::test {
namespace {

TEST(given_causal_rows, each_row_has_the_mask_of_its_own_offset) {
    const Mask rows = causal_mask(3, 8, Offset({5, 0, 2}));
    ASSERT_EQ(rows.shape(), (Shape{3, 1, 3, 8}));
    const std::size_t offsets[] = {5, 0, 2};
    for (std::size_t row = 0; row < 3; ++row) {
        const Mask alone = causal_mask(3, 8, offsets[row]);
        for (std::size_t i = 0; i < 3; ++i)
            for (std::size_t j = 0; j < 8; ++j)
                EXPECT_EQ(rows.allowed(row, 0, i, j), alone.allowed(0, 0, i, j)) << row << i << j;
    }
    EXPECT_EQ(causal_mask(3, 8, Offset(5)).shape(), (Shape{1, 1, 3, 8}));
    EXPECT_TRUE(refuses<ShapeError>([] { (void)causal_mask(3, 8, Offset({0, 6, 1})); }, {"8", "6"}));
}

}  // namespace
}  // namespace tfs::test

// tests/common/figures_attention_panel_test.cpp · the weights of one head as a panel of a figure
#include "common/figures/attention_panel.hpp"

#include <gtest/gtest.h>

#include "tests/support/refusal.hpp"

namespace {

using namespace tfs;
using namespace tfs::test;

TEST(attention_panel, is_the_map_of_one_head_with_its_masked_cells) {
    const Tensor weights = Tensor::from({2, 2, 1, 2}, {1, 2, 3, 4, 5, 6, 7, 8});
    const HeatMapPanel panel = attention_panel("head 2", weights, 1, {"it"}, {"the", "cat"});
    EXPECT_EQ(panel.values, Tensor::from({1, 2}, {3, 4}).array());
    EXPECT_FALSE(panel.allowed.has_value());
    const Mask first_only = Mask::from({1, 2}, {1, 0});
    const HeatMapPanel masked = attention_panel("head 1", weights, 0, {"it"}, {"the", "cat"}, first_only);
    ASSERT_TRUE(masked.allowed.has_value());
    EXPECT_EQ(*masked.allowed, first_only.array());
    EXPECT_EQ(masked.columns[1], "cat");
    const auto draw = [&](std::size_t head, std::size_t keys) {
        attention_panel("", weights, head, {"it"}, {"the", "cat"},
                        Mask::from({keys}, std::vector<int>(keys, 1)));
    };
    draw(1, 2);
    EXPECT_TRUE(refuses<ShapeError>([&] { draw(2, 2); }, {"3", "2"}));
    EXPECT_TRUE(refuses<ShapeError>([&] { draw(0, 3); }, {"(3)", "(1, 1, 1, 2)"}));
}

}  // namespace

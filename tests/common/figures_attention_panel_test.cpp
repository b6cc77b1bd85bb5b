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

TEST(attention_views, are_one_for_each_layer_and_for_each_six_heads) {
    const auto weights = [](std::size_t heads, float largest) {
        return Tensor::from({1, heads, 1, 2}, std::vector<float>(2 * heads, largest));
    };
    const std::vector<View> views = attention_views({.name = "maps", .title = "T", .caption = "c"},
                                                    {{"layer 1", weights(8, 0.25f), {"it"}, {"the", "cat"}},
                                                     {"layer 2", weights(2, 0.75f), {"it"}, {"the", "cat"}}});
    ASSERT_EQ(views.size(), 3U);
    EXPECT_EQ(views[0].name, "layer 1, heads 1 to 6");
    EXPECT_EQ(views[1].name, "layer 1, heads 7 to 8");
    EXPECT_EQ(views[2].name, "layer 2");
    const auto& second = std::get<HeatMapFigure>(views[1].figure);
    EXPECT_EQ(second.name, "maps_2");
    EXPECT_EQ(second.title, "T: layer 1, heads 7 to 8");
    EXPECT_EQ(second.panels.at(1).title, "head 8");
    EXPECT_EQ(second.largest, 0.75) << "one scale for all views";
    EXPECT_EQ(second.caption, "c");
}

TEST(attention_views, leave_a_cell_without_weight_blank) {
    const std::vector<View> views =
        attention_views({.name = "maps", .title = ""}, {{"", Tensor::from({1, 1, 1, 2}, {0.0f, 1.0f})}});
    EXPECT_EQ(views[0].name, "");
    const HeatMapPanel& panel = std::get<HeatMapFigure>(views[0].figure).panels.at(0);
    EXPECT_EQ(*panel.allowed, (xt::xarray<bool>{{false, true}}));
}

}  // namespace

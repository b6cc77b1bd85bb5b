// tests/common/figures_sheet_test.cpp · the maps of all layers and heads of a model in one figure
#include "common/figures/figure_parts.hpp"
#include "common/figures/heat_map_layout.hpp"
#include "tests/common/occurrences.hpp"
#include "tests/common/scratch_folder.hpp"
#include "tests/support/refusal.hpp"

namespace tfs {
namespace {

using test::occurrences;
using test::ScratchFolder;

constexpr std::size_t tokens = 10;

HeatMapFigure sheet(std::size_t layers, std::size_t heads) {
    HeatMapFigure figure{"sheet", "All layers and heads"};
    figure.panels_per_row = heads;
    Array even = Array::from_shape({tokens, tokens});
    even.fill(0.1f);
    const std::vector<std::string> words{"The", "cat",     "sat", "on",  "the",
                                         "mat", "because", "it",  "was", "tired"};
    for (std::size_t i = 0; i < layers * heads; ++i) {
        const std::string title =
            "layer " + std::to_string(i / heads + 1) + " head " + std::to_string(i % heads + 1);
        figure.panels.push_back({title, even, words, words, {}});
    }
    return figure;
}

TEST(sheet, twelve_layers_of_twelve_heads_fit_into_a_picture) {
    const HeatMapLayout layout = lay_out(sheet(12, 12));
    EXPECT_LE(1.5 * layout.width, 2500.0) << "pixels of the PNG";
    EXPECT_LE(1.5 * layout.height, 2800.0);
    EXPECT_TRUE(layout.large_cells()) << "with lines between the cells, and masked ones crossed";
    EXPECT_LE(14.0 * 0.6 * layout.title_font, layout.slot_width) << "titles don't touch";
}

TEST(sheet, panels_stand_beside_each_other_and_the_bar_beside_them) {
    const HeatMapLayout layout = lay_out(sheet(12, 12));
    const PanelEdges first = edges_of_panel(layout, 0, tokens, tokens);
    const PanelEdges second = edges_of_panel(layout, 1, tokens, tokens);
    const PanelEdges below = edges_of_panel(layout, 12, tokens, tokens);
    const PanelEdges last = edges_of_panel(layout, 143, tokens, tokens);
    const PanelEdges bar = edges_of_bar(layout, 0);
    EXPECT_GT(first.left, layout.left);
    EXPECT_GT(second.left, first.right);
    EXPECT_GT(first.bottom, below.top + layout.title_height - 1.0);
    EXPECT_GE(last.bottom, layout.below);
    EXPECT_GT(bar.left, last.right);
    EXPECT_LT(bar.right, layout.width);
}

TEST(sheet, labels_stand_on_the_left_and_at_the_bottom_only) {
    const std::string script = gnuplot_script(sheet(12, 12), FigureFormat::png);
    EXPECT_EQ(occurrences(script, "\nset ytics"), 12U);
    EXPECT_EQ(occurrences(script, "\nset xtics"), 12U);
    EXPECT_EQ(occurrences(script, "set label 3 'query'"), 12U);
    EXPECT_EQ(occurrences(script, "set label 2 'key'"), 12U);
    EXPECT_EQ(occurrences(script, "set label 1 'layer"), 144U);
    // The last row may be shorter: the panels above the gap are labelled too.
    HeatMapFigure incomplete = sheet(4, 5);
    incomplete.panels.pop_back();
    EXPECT_EQ(occurrences(gnuplot_script(incomplete, FigureFormat::png), "\nset xtics"), 5U);
}

TEST(sheet, few_panels_and_those_that_differ_keep_their_labels) {
    EXPECT_EQ(occurrences(gnuplot_script(sheet(2, 6), FigureFormat::png), "\nset xtics"), 12U);
    HeatMapFigure other_words = sheet(4, 4);
    other_words.panels[5].rows[0] = "A";
    EXPECT_EQ(occurrences(gnuplot_script(other_words, FigureFormat::png), "\nset ytics"), 16U);
}

TEST(sheet, is_drawn_without_complaint) {
    if (run_process({"gnuplot", "--version"}, ".").missing) GTEST_SKIP() << "gnuplot is not installed";
    const ScratchFolder folder;
    FigureFolder figures(folder.path());
    figures.save(sheet(12, 12));
    const ProcessResult again = run_process({"gnuplot", "sheet.gp"}, folder.path());
    EXPECT_EQ(again.exit_code, 0);
    EXPECT_EQ(again.output, "") << "gnuplot had something to complain about";
}

}  // namespace
}  // namespace tfs

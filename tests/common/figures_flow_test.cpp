// tests/common/figures_flow_test.cpp · the data flow through blocks as files: script, numbers, picture
#include "common/figures/flow_layout.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "common/figures/figure_parts.hpp"
#include "common/io/atomic_file.hpp"
#include "tests/common/scratch_folder.hpp"
#include "tests/support/refusal.hpp"

namespace tfs {
namespace {

using nlohmann::json;
using test::refuses;
using test::ScratchFolder;

constexpr const char* shape = "(batch 4, seq 256, d_model 768)";

FlowFigure flow_figure() {
    const FlowPanel encoder{"encoder's {block}_1 50%",
                            {{"input", shape, FlowKind::input},
                             {"LayerNorm", shape, FlowKind::norm},
                             {"Self-attention", shape, FlowKind::attention},
                             {"+", shape, FlowKind::add},
                             {"FFN", shape, FlowKind::feed_forward},
                             {"+", shape, FlowKind::add}},
                            {{0, 3}, {3, 5}, {1, 5, "around both"}},
                            {{2, "mask", "(1, 1, query 4, key 4)"}}};
    const FlowPanel decoder{"decoder", {{"target", "", FlowKind::input}, {"Cross-attention"}, {"logits"}}};
    return {.name = "flow", .title = "Two columns", .panels = {encoder, decoder}, .links = {{0, 5, 1, 1}}};
}

bool contains(const std::string& text, const std::string& part) {
    return text.find(part) != std::string::npos;
}

TEST(flow, leaves_script_numbers_and_picture_without_complaint) {
    if (run_process({"gnuplot", "--version"}, ".").missing) GTEST_SKIP() << "gnuplot is not installed";
    for (const FigureFormat format : {FigureFormat::png, FigureFormat::svg}) {
        const ScratchFolder folder;
        FigureFolder figures(folder.path(), format);
        figures.save(flow_figure());
        EXPECT_EQ(folder.file_count(), 3U);
        const ProcessResult again = run_process({"gnuplot", "flow.gp"}, folder.path());
        EXPECT_EQ(again.exit_code, 0);
        EXPECT_EQ(again.output, "") << "gnuplot had something to complain about";
    }
}

TEST(flow, runs_upwards_or_downwards) {
    FlowFigure figure = flow_figure();
    for (const bool upwards : {true, false}) {
        figure.upwards = upwards;
        const FlowLayout layout = lay_out(figure);
        for (const FlowPanelPlace& panel : layout.panels) {
            for (std::size_t i = 1; i < panel.boxes.size(); ++i) {
                EXPECT_EQ(panel.boxes[i].entry > panel.boxes[i - 1].exit, upwards) << i;
                EXPECT_NEAR(panel.boxes[i].entry, panel.boxes[i - 1].exit + layout.arrow, 1e-9) << i;
            }
        }
        EXPECT_EQ(layout.panels[0].boxes[0].entry, layout.panels[1].boxes[0].entry) << "the inputs are level";
    }
}

TEST(flow, nothing_lies_outside_or_in_another_panel) {
    const FlowLayout layout = lay_out(flow_figure());
    EXPECT_LT(layout.panels[0].right, layout.panels[1].left);
    EXPECT_LT(layout.panels[1].right, layout.width);
    for (const FlowPanelPlace& panel : layout.panels) {
        for (const double line : panel.residuals) EXPECT_GT(line, panel.left);
        for (const FlowBoxPlace& box : panel.boxes) {
            EXPECT_GE(panel.centre - box.half_width, panel.left);
            EXPECT_LE(panel.centre + box.half_width, panel.right);
            EXPECT_GT(std::min(box.entry, box.exit), 0.0);
            EXPECT_LT(std::max(box.entry, box.exit), layout.titles);
        }
    }
}

TEST(flow, a_longer_residual_goes_around_the_shorter_ones_it_meets) {
    const std::vector<double> lines = lay_out(flow_figure()).panels[0].residuals;
    EXPECT_EQ(lines[0], lines[1]) << "one begins where the other ends";
    EXPECT_LT(lines[2], lines[0]);
}

TEST(flow, writes_names_and_shapes_and_colours_of_kinds) {
    const std::string script = gnuplot_script(flow_figure(), FigureFormat::png);
    EXPECT_TRUE(contains(script, "'encoder''s {block}_1 50%'")) << script;
    for (const char* text :
         {"'Self-attention'", "'(batch 4, seq 256, d_model 768)'", "'mask'", "'around both'"})
        EXPECT_TRUE(contains(script, text)) << text;
    for (const char* colour : {"#fdf3c8", "#fbdcc0", "#d3e5f5", "#f1f1f1"})
        EXPECT_TRUE(contains(script, colour)) << colour;
}

TEST(flow, keeps_its_boxes_and_lines_as_json) {
    const json numbers = json::parse(figure_json(flow_figure()));
    EXPECT_EQ(numbers["kind"], "flow");
    const json& panel = numbers["panels"][0];
    EXPECT_EQ(panel["boxes"][2], json({{"name", "Self-attention"}, {"shape", shape}, {"kind", "attention"}}));
    EXPECT_EQ(panel["residuals"][2], json({{"from", 1}, {"to", 5}, {"label", "around both"}}));
    EXPECT_EQ(panel["inputs"][0]["name"], "mask");
    EXPECT_EQ(numbers["links"][0],
              json({{"from_panel", 0}, {"from_box", 5}, {"to_panel", 1}, {"to_box", 1}}));
}

TEST(flow, refuses_what_cant_be_drawn) {
    const auto refuse = [](auto change, const std::vector<std::string>& parts) {
        FlowFigure figure = flow_figure();
        change(figure);
        EXPECT_TRUE(refuses<ValueError>([&] { require_drawable(figure); }, parts));
    };
    EXPECT_NO_THROW(require_drawable(flow_figure()));
    refuse([](FlowFigure& f) { f.name = "a b"; }, {"no name for files"});
    refuse([](FlowFigure& f) { f.panels.clear(); }, {"no panel"});
    refuse([](FlowFigure& f) { f.panels[1].boxes.clear(); }, {"\"decoder\"", "no box"});
    refuse([](FlowFigure& f) { f.panels[1].boxes[2].name = ""; }, {"\"decoder\"", "box 2 has no name"});
    refuse([](FlowFigure& f) { f.panels[0].residuals[0] = {0, 6}; }, {"6 boxes", "from 0 to 6"});
    refuse([](FlowFigure& f) { f.panels[0].residuals[0] = {3, 1}; }, {"from 3 to 1"});
    refuse([](FlowFigure& f) { f.panels[0].residuals[0] = {3, 4}; }, {"from 3 to 4"});
    refuse([](FlowFigure& f) { f.panels[0].inputs[0].to = 9; }, {"6 boxes", "\"mask\" enters box 9"});
    refuse([](FlowFigure& f) { f.links[0] = {0, 5, 2, 0}; }, {"panel 2, box 0", "missing"});
    refuse([](FlowFigure& f) { f.links[0] = {0, 6, 1, 0}; }, {"panel 0, box 6", "missing"});
    refuse([](FlowFigure& f) { f.links[0] = {0, 0, 0, 2}; }, {"within a panel"});
}

}  // namespace
}  // namespace tfs

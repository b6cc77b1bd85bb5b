// tests/common/figures_bars_test.cpp · stacked bars as files: script, numbers, picture
#include <cmath>
#include <nlohmann/json.hpp>

#include "common/figures/figure_parts.hpp"
#include "common/io/atomic_file.hpp"
#include "tests/common/occurrences.hpp"
#include "tests/common/scratch_folder.hpp"
#include "tests/support/refusal.hpp"

namespace tfs {
namespace {

using nlohmann::json;
using test::occurrences;
using test::refuses;
using test::ScratchFolder;

BarFigure bar_figure() {
    return {.name = "parts",
            .title = "Parameters by part",
            .panels = {{.title = "it's {two_models}",
                        .value_axis = "parameters",
                        .parts = {"attention", "FFN 50%", "pooler"},
                        .bars = {{"BERT-base", {28e6, 56e6, 5e5}}, {"GPT-2", {28e6, 56e6, 0}}}},
                       {.title = "shares",
                        .value_axis = "share",
                        .parts = {"pooler", "other"},
                        .bars = {{"one", {1, 3}}, {"none", {0, 0}}},
                        .share = true}}};
}

TEST(bars, leave_script_numbers_and_picture_without_complaint) {
    if (run_process({"gnuplot", "--version"}, ".").missing) GTEST_SKIP() << "gnuplot is not installed";
    for (const FigureFormat format : {FigureFormat::png, FigureFormat::svg}) {
        const ScratchFolder folder;
        FigureFolder figures(folder.path(), format);
        figures.save(bar_figure());
        EXPECT_EQ(folder.file_count(), 3U);
        const ProcessResult again = run_process({"gnuplot", "parts.gp"}, folder.path());
        EXPECT_EQ(again.exit_code, 0);
        EXPECT_EQ(again.output, "") << "gnuplot had something to complain about";
    }
}

TEST(bars, stack_their_parts_from_zero) {
    const std::string script = gnuplot_script(bar_figure(), FigureFormat::png);
    EXPECT_NE(script.find("\n0 0 28000000 \"33 %\"\n"), std::string::npos) << script;
    EXPECT_NE(script.find("\n0 28000000 84000000 \"66 %\"\n"), std::string::npos) << script;
    EXPECT_NE(script.find("\n0 84000000 84500000 \"\"\n"), std::string::npos) << "too narrow for its share";
    EXPECT_NE(script.find("'84.50 M'"), std::string::npos) << "the total at the end";
    EXPECT_NE(script.find("'20 M' 20000000"), std::string::npos) << "round tics";
}

TEST(bars, are_scaled_to100_percent_where_shares_are_asked) {
    const std::string script = gnuplot_script(bar_figure(), FigureFormat::png);
    EXPECT_NE(script.find("\n0 0 25 \"25 %\"\n"), std::string::npos) << script;
    EXPECT_NE(script.find("\n0 25 100 \"75 %\"\n"), std::string::npos) << script;
    EXPECT_NE(script.find("set xrange [0:100]"), std::string::npos) << script;
}

TEST(bars, have_one_key_and_a_colour_for_each_name) {
    const std::string script = gnuplot_script(bar_figure(), FigureFormat::png);
    EXPECT_EQ(occurrences(script, "set object"), 4U) << "attention, FFN, pooler, other";
    // The pooler is the third part of one panel and the first of the other.
    EXPECT_EQ(occurrences(script, "'#009e73'"), 3U) << script;
}

TEST(bars, keep_their_numbers_as_json) {
    const json numbers = json::parse(figure_json(bar_figure()));
    EXPECT_EQ(numbers["kind"], "bars");
    const json& panel = numbers["panels"][0];
    EXPECT_EQ(panel["axis"], "parameters");
    EXPECT_EQ(panel["parts"], json({"attention", "FFN 50%", "pooler"}));
    EXPECT_EQ(panel["bars"][1]["label"], "GPT-2");
    EXPECT_EQ(panel["bars"][1]["values"], json({28e6, 56e6, 0.0}));
    EXPECT_EQ(panel["bars"][1]["total"], 84e6);
    EXPECT_EQ(numbers["panels"][1]["share"], true);
}

TEST(bars, refuse_what_cant_be_drawn) {
    const auto refuse = [](auto change, const std::vector<std::string>& parts) {
        BarFigure figure = bar_figure();
        change(figure);
        EXPECT_TRUE(refuses<Error>([&] { require_drawable(figure); }, parts));
    };
    EXPECT_NO_THROW(require_drawable(bar_figure()));
    refuse([](BarFigure& f) { f.name = "../up"; }, {"no name for files"});
    refuse([](BarFigure& f) { f.panels.clear(); }, {"no panel"});
    refuse([](BarFigure& f) { f.panels_per_row = 0; }, {"panels_per_row"});
    refuse([](BarFigure& f) { f.panels[1].bars.clear(); }, {"\"shares\"", "no bar to draw"});
    refuse([](BarFigure& f) { f.panels[1].bars.erase(f.panels[1].bars.begin()); }, {"no bar to draw"});
    refuse([](BarFigure& f) { f.panels[0].bars[0].values.pop_back(); },
           {"\"BERT-base\"", "2 values", "3 parts"});
    refuse([](BarFigure& f) { f.panels[0].bars[0].values[1] = -2.0; },
           {"\"BERT-base\"", "-2", "\"FFN 50%\""});
    refuse([](BarFigure& f) { f.panels[0].bars[1].values[0] = NAN; }, {"\"GPT-2\"", "nan"});
    refuse([](BarFigure& f) { f.panels[0].bars[1].values[0] = INFINITY; }, {"\"GPT-2\"", "inf"});
}

}  // namespace
}  // namespace tfs

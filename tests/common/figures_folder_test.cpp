// tests/common/figures_folder_test.cpp · figures as files: script, numbers, picture
#include "common/figures/figure.hpp"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <nlohmann/json.hpp>
#include <sstream>

#include "common/figures/figure_parts.hpp"
#include "common/io/atomic_file.hpp"
#include "tests/common/scratch_folder.hpp"
#include "tests/support/refusal.hpp"

namespace tfs {
namespace {

using nlohmann::json;
using test::refuses;
using test::ScratchFolder;

bool have_gnuplot() { return !run_process({"gnuplot", "--version"}, ".").missing; }

// xtensor's own braces are ambiguous for a single row.
template <class Value = float>
xt::xarray<Value> array_of(const Shape& shape, const std::vector<Value>& values) {
    auto array = xt::xarray<Value>::from_shape(shape);
    std::copy(values.begin(), values.end(), array.begin());
    return array;
}

HeatMapFigure heat_map_figure() {
    HeatMapFigure figure{"heads", "Layer 1"};
    HeatMapPanel panel{
        "head 1", array_of({2, 2}, {0.25f, 0.75f, 0.1f, 0.9f}), {"it's", "50% {a_b}"}, {"\\n", "고양이"}, {}};
    figure.panels = {panel, panel};
    figure.panels[1].title = "head 2";
    figure.panels[1].allowed = xt::xarray<bool>{{true, false}, {true, true}};
    return figure;
}

LineFigure line_figure() {
    LineFigure figure{"lines", "Entropy against d_k"};
    figure.panels = {{"entropy",
                      "d_k",
                      "nats",
                      true,
                      true,
                      {{"scaled", {4, 16, 64}, {1, 0.9, 0.95}}, {"unscaled", {4, 16, 64}, {1, 0.1, 0.001}}}}};
    return figure;
}

std::string report_of(const FigureFolder& folder) {
    std::ostringstream out;
    folder.report(out);
    return out.str();
}

TEST(histogram, its_area_is_the_share_of_the_values_shown) {
    const std::vector<float> values{0.0f, 0.1f, 0.9f, 1.0f, 5.0f};  // the last one lies outside
    const Series outline = histogram("x", values, 0.0, 1.0, 2);
    EXPECT_EQ(outline.x, (std::vector<double>{0.0, 0.5, 0.5, 1.0}));
    EXPECT_EQ(outline.y, (std::vector<double>{0.8, 0.8, 0.8, 0.8}));
}

TEST(figure, writes_script_numbers_and_picture) {
    if (!have_gnuplot()) GTEST_SKIP() << "gnuplot is not installed";
    const ScratchFolder folder;
    FigureFolder figures(folder.path() / "it's \"mine\" $HOME/plots");
    figures.save(heat_map_figure());
    figures.save(line_figure());
    for (const char* name : {"heads", "lines"}) {
        const std::string picture = read_file(figures.path() / (std::string(name) + ".png"));
        EXPECT_EQ(picture.substr(1, 3), "PNG");
        EXPECT_EQ(picture.substr(picture.size() - 8, 4), "IEND") << "a complete picture";
    }
    const auto files = std::distance(std::filesystem::directory_iterator(figures.path()), {});
    EXPECT_EQ(files, 6) << "nothing else is left behind";
    EXPECT_NE(report_of(figures).find("heads.png"), std::string::npos);
}

TEST(figure, draws_svg_without_rasters) {
    if (!have_gnuplot()) GTEST_SKIP() << "gnuplot is not installed";
    const ScratchFolder folder;
    FigureFolder figures(folder.path(), FigureFormat::svg);
    figures.save(heat_map_figure());
    HeatMapFigure many{"many", "many small cells"};
    many.panels = {{"image", array_of({80, 90}, std::vector<float>(80 * 90, 0.5f))}};
    figures.save(many);
    for (const char* name : {"heads.svg", "many.svg"}) {
        const std::string picture = read_file(folder / name);
        EXPECT_EQ(picture.find("<image"), std::string::npos) << name;
        EXPECT_NE(picture.find("</svg>"), std::string::npos) << name;
    }
    EXPECT_NE(read_file(folder / "heads.svg").find("고양이"), std::string::npos);
}

TEST(figure, leaves_a_script_that_runs_by_itself) {
    if (!have_gnuplot()) GTEST_SKIP() << "gnuplot is not installed";
    const ScratchFolder folder;
    FigureFolder figures(folder.path());
    figures.save(heat_map_figure());
    std::filesystem::remove(folder / "heads.png");
    const ProcessResult result = run_process({"gnuplot", "heads.gp"}, folder.path());
    EXPECT_EQ(result.exit_code, 0) << result.output;
    EXPECT_EQ(result.output, "") << "gnuplot had something to complain about";
    EXPECT_TRUE(std::filesystem::exists(folder / "heads.png"));
}

TEST(figure, draws_edge_cases_without_complaint) {
    if (!have_gnuplot()) GTEST_SKIP() << "gnuplot is not installed";
    const ScratchFolder folder;
    FigureFolder figures(folder.path());
    HeatMapFigure figure = heat_map_figure();
    figure.panels = {
        {"one cell", array_of({1, 1}, {NAN}), {}, {}, {}, ColourScale::sequential},
        {"one value", array_of({1, 2}, {3.0f, -INFINITY}), {}, {}, {}, ColourScale::sequential},
        {"zero", array_of({2, 1}, {0.0f, 0.0f}), {}, {}, {}, ColourScale::diverging},
        {"yes", array_of({1, 1}, {1.0f}), {}, {}, {}, ColourScale::yes_no},
        {"all masked", array_of({1, 2}, {1.0f, 1.0f}), {}, {}, array_of<bool>({1, 2}, {false, false})}};
    EXPECT_NO_THROW(figures.save(figure));
    LineFigure lines{"lines", ""};
    lines.panels = {
        {"one point", "x", "y", true, true, {{"a", {3}, {5}}, {"only NaN", {1}, {NAN}}, {"none", {}, {}}}},
        {"flat", "x", "y", false, false, {{"b's {x}_1 %", {1, 2}, {0, 0}}}}};
    EXPECT_NO_THROW(figures.save(lines));
}

TEST(figure, keeps_the_numbers_as_json) {
    const ScratchFolder folder;
    FigureFolder figures(folder.path(), FigureFormat::png, "no-such-gnuplot");
    HeatMapFigure figure = heat_map_figure();
    figure.panels[0].values(1, 0) = NAN;
    figures.save(figure);
    const json numbers = json::parse(read_file(folder / "heads.json"));
    EXPECT_EQ(numbers["title"], "Layer 1");
    EXPECT_EQ(numbers["axes"], json({"query", "key"}));
    ASSERT_EQ(numbers["panels"].size(), 2U);
    const json& panel = numbers["panels"][0];
    EXPECT_EQ(panel["title"], "head 1");
    EXPECT_EQ(panel["shape"], json({2, 2}));
    EXPECT_EQ(panel["rows"], json({"it's", "50% {a_b}"}));
    EXPECT_EQ(panel["columns"], json({"\\n", "고양이"}));
    EXPECT_EQ(panel["values"][0][1], 0.75);
    EXPECT_TRUE(panel["values"][1][0].is_null());
    EXPECT_EQ(panel["range"], json({0.0, 1.0}));
    EXPECT_FALSE(panel.contains("allowed"));
    EXPECT_EQ(numbers["panels"][1]["allowed"], json::parse("[[true, false], [true, true]]"));
}

TEST(figure, keeps_the_numbers_of_lines_as_json) {
    const json numbers = json::parse(figure_json(line_figure()));
    const json& panel = numbers["panels"][0];
    EXPECT_EQ(panel["axes"], json({"d_k", "nats"}));
    EXPECT_EQ(panel["logarithmic"], json({true, true}));
    EXPECT_EQ(panel["series"][1]["name"], "unscaled");
    EXPECT_EQ(panel["series"][1]["y"], json({1.0, 0.1, 0.001}));
}

TEST(figure, shares_one_range_among_panels_of_a_scale) {
    HeatMapFigure figure = heat_map_figure();
    for (HeatMapPanel& panel : figure.panels) panel.scale = ColourScale::diverging;
    figure.panels[0].values = array_of({2, 2}, {-3.0f, 1.0f, 0.0f, 0.0f});
    figure.panels[1].values = array_of({2, 2}, {2.0f, 50.0f, 0.0f, 0.0f});  // 50 is masked
    const ColourRange range = colour_range(figure, ColourScale::diverging);
    EXPECT_EQ(range.low, -3.0);
    EXPECT_EQ(range.high, 3.0);
    EXPECT_EQ(colour_range(figure, ColourScale::probability).high, 1.0);
}

TEST(figure, shows_yes_and_no_by_two_swatches) {
    HeatMapFigure figure = heat_map_figure();
    for (HeatMapPanel& panel : figure.panels) {
        panel.scale = ColourScale::yes_no;
        panel.quantity = "may attend";
        panel.values = array_of({2, 2}, {1.0f, 0.0f, 1.0f, 1.0f});
    }
    const std::string script = gnuplot_script(figure, FigureFormat::png);
    for (const char* text : {"'may attend'", "'yes'", "'no'"})
        EXPECT_NE(script.find(text), std::string::npos) << text;
    EXPECT_EQ(script.find("y2tics"), std::string::npos) << "no colour bar";
    EXPECT_EQ(json::parse(figure_json(figure))["panels"][0]["scale"], "yes or no");
    figure.panels[1].values(0, 0) = 0.5f;
    EXPECT_TRUE(refuses<ValueError>([&] { require_drawable(figure); }, {"head 2", "other than 1 for yes"}));
}

TEST(figure, says_how_to_get_the_pictures_without_gnuplot) {
    const ScratchFolder folder;
    FigureFolder figures(folder.path(), FigureFormat::png, "no-such-gnuplot");
    figures.save(heat_map_figure());
    EXPECT_FALSE(std::filesystem::exists(folder / "heads.png"));
    EXPECT_TRUE(std::filesystem::exists(folder / "heads.gp"));
    const std::string report = report_of(figures);
    EXPECT_NE(report.find("gnuplot was not found"), std::string::npos) << report;
    EXPECT_NE(report.find("gnuplot heads.gp"), std::string::npos) << report;
}

TEST(figure, keeps_the_old_picture_and_the_message_where_gnuplot_fails) {
    const ScratchFolder folder;
    write_file_atomically(folder / "heads.png", "old picture");
    write_file_atomically(folder / "failing", "#!/bin/sh\necho 'no room for the picture' >&2\nexit 3\n");
    std::filesystem::permissions(folder / "failing", std::filesystem::perms::owner_all);
    FigureFolder figures(folder.path(), FigureFormat::png, (folder / "failing").string());
    EXPECT_TRUE(refuses<FileError>([&] { figures.save(heat_map_figure()); },
                                   {"heads.png", "exit code 3", "no room for the picture"}));
    EXPECT_EQ(read_file(folder / "heads.png"), "old picture");
}

TEST(figure, draws_indices_and_says_so_where_no_font_has_the_tokens) {
    const ScratchFolder folder;
    write_file_atomically(folder / "fc-list", "#!/bin/sh\nexit 0\n");  // a machine without any such font
    std::filesystem::permissions(folder / "fc-list", std::filesystem::perms::owner_all);
    const char* path = std::getenv("PATH");
    const std::string before = path == nullptr ? "" : path;
    setenv("PATH", (folder.path().string() + ":" + before).c_str(), 1);
    FigureFolder figures(folder.path(), FigureFormat::png, "no-such-gnuplot");
    figures.save(heat_map_figure());
    setenv("PATH", before.c_str(), 1);
    EXPECT_EQ(read_file(folder / "heads.gp").find("고양이"), std::string::npos);
    EXPECT_NE(read_file(folder / "heads.json").find("고양이"), std::string::npos);
    EXPECT_NE(report_of(figures).find("drawn as numbers"), std::string::npos) << report_of(figures);
}

TEST(figure, refuses_a_folder_that_cant_be_made) {
    const ScratchFolder folder;
    write_file_atomically(folder / "file", "");
    EXPECT_TRUE(
        refuses<FileError>([&] { FigureFolder(folder / "file/plots"); }, {"plots", "Not a directory"}));
    EXPECT_TRUE(refuses<FileError>([&] { FigureFolder(folder / "file"); }, {"file", "can't be made"}));
}

TEST(figure, refuses_what_cant_be_drawn) {
    const ScratchFolder folder;
    FigureFolder figures(folder.path());
    const auto refuse = [&](auto change, const std::string& reason) {
        HeatMapFigure figure = heat_map_figure();
        change(figure);
        EXPECT_TRUE(refuses<Error>([&] { figures.save(figure); }, {reason}));
    };
    refuse([](HeatMapFigure& f) { f.name = "../up"; }, "no name for files");
    refuse([](HeatMapFigure& f) { f.name = ""; }, "no name for files");
    refuse([](HeatMapFigure& f) { f.panels.clear(); }, "no panel");
    refuse([](HeatMapFigure& f) { f.panels_per_row = 0; }, "panels_per_row");
    refuse([](HeatMapFigure& f) { f.panels[0].rows.pop_back(); }, "1 row");
    refuse([](HeatMapFigure& f) { f.panels[0].values = Array::from_shape({2}); }, "(2)");
    refuse([](HeatMapFigure& f) { f.panels[0] = {"none", Array::from_shape({0, 3}), {}, {}, {}}; }, "empty");
    refuse([](HeatMapFigure& f) { f.panels[0].allowed = array_of<bool>({1, 1}, {true}); }, "mask");
    EXPECT_EQ(folder.file_count(), 0U);
}

TEST(figure, refuses_lines_that_cant_be_drawn) {
    const ScratchFolder folder;
    FigureFolder figures(folder.path());
    const auto refuse = [&](auto change, const std::string& reason) {
        LineFigure figure = line_figure();
        change(figure.panels[0]);
        EXPECT_TRUE(refuses<Error>([&] { figures.save(figure); }, {reason}));
    };
    refuse([](LinePanel& p) { p.series[0].x.pop_back(); }, "2 x and 3 y");
    refuse([](LinePanel& p) { p.series[0].y[1] = 0.0; }, "not positive");
    refuse([](LinePanel& p) { p.series.clear(); }, "no point");
    refuse([](LinePanel& p) { p.series = {{"a", {1}, {NAN}}}; }, "no point");
}

TEST(process, tells_a_missing_folder_from_a_missing_program) {
    EXPECT_TRUE(run_process({"no-such-program"}, ".").missing);
    EXPECT_TRUE(refuses<FileError>([] { run_process({"true"}, "no/such/folder"); },
                                   {"no/such/folder", "can't be entered", "No such file"}));
}

TEST(gnuplot_string, cant_be_broken_out_of) {
    EXPECT_EQ(gnuplot_string("it's"), "'it''s'");
    EXPECT_EQ(gnuplot_string("a\nb\t\"\\"), "'a b \"\\'");
    EXPECT_EQ(gnuplot_string("\xff한"), "'?한'");
}

}  // namespace
}  // namespace tfs

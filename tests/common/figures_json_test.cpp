// tests/common/figures_json_test.cpp · the numbers of figures as JSON, and what can't be drawn
#include <cmath>
#include <nlohmann/json.hpp>

#include "common/figures/figure.hpp"
#include "tests/common/example_figures.hpp"
#include "tests/support/refusal.hpp"

namespace tfs::test {
namespace {

using FigureJson = nlohmann::json;

FigureJson numbers_of(const Figure& figure) { return FigureJson::parse(json(figure)); }

TEST(histogram, its_area_is_the_share_of_the_values_shown) {
    const std::vector<float> values{0.0f, 0.1f, 0.9f, 1.0f, 5.0f};  // the last one lies outside
    const Series outline = histogram("x", values, 0.0, 1.0, 2);
    EXPECT_EQ(outline.x, (std::vector<double>{0.0, 0.5, 0.5, 1.0}));
    EXPECT_EQ(outline.y, (std::vector<double>{0.8, 0.8, 0.8, 0.8}));
}

TEST(json, keeps_the_numbers_as_json) {
    HeatMapFigure figure = heat_map_figure();
    figure.panels[0].values(1, 0) = NAN;
    const FigureJson numbers = numbers_of(figure);
    EXPECT_EQ(numbers["title"], "Layer 1");
    EXPECT_EQ(numbers["axes"], FigureJson({"query", "key"}));
    ASSERT_EQ(numbers["panels"].size(), 2U);
    const FigureJson& panel = numbers["panels"][0];
    EXPECT_EQ(panel["title"], "head 1");
    EXPECT_EQ(panel["rows"], FigureJson({"it's", "50% {a_b}"}));
    EXPECT_EQ(panel["columns"], FigureJson({"\\n", "고양이"}));
    EXPECT_EQ(panel["values"][0][1], 0.75);
    EXPECT_TRUE(panel["values"][1][0].is_null());
    EXPECT_TRUE(panel["allowed"].is_null());
    EXPECT_EQ(numbers["panels"][1]["allowed"], FigureJson::parse("[[true, false], [true, true]]"));
}

TEST(json, keeps_the_numbers_of_lines_as_json) {
    const FigureJson numbers = numbers_of(line_figure());
    const FigureJson& panel = numbers["panels"][0];
    EXPECT_EQ(panel["axes"], FigureJson({"d_k", "nats"}));
    EXPECT_EQ(panel["logarithmic"], FigureJson({true, true}));
    EXPECT_EQ(panel["series"][1]["name"], "unscaled");
    EXPECT_EQ(panel["series"][1]["y"], FigureJson({1.0, 0.1, 0.001}));
}

TEST(json, keeps_the_numbers_of_bars) {
    const FigureJson numbers = numbers_of(bar_figure());
    EXPECT_EQ(numbers["kind"], "bars");
    const FigureJson& panel = numbers["panels"][0];
    EXPECT_EQ(panel["axis"], "parameters");
    EXPECT_EQ(panel["parts"][1], FigureJson({{"name", "FFN 50%"}, {"hue", "feed-forward"}}));
    EXPECT_EQ(panel["bars"][1]["label"], "GPT-2");
    EXPECT_EQ(panel["bars"][1]["values"], FigureJson({28e6, 56e6, 0.0}));
    EXPECT_EQ(numbers["panels"][1]["share"], true);
}

TEST(figure, refuses_what_cant_be_drawn) {
    const auto refuse = [&](auto change, const std::string& reason) {
        HeatMapFigure figure = heat_map_figure();
        change(figure);
        EXPECT_TRUE(refuses<Error>([&] { (void)svg(figure); }, {reason}));
    };
    refuse([](HeatMapFigure& f) { f.name = "../up"; }, "no name for files");
    refuse([](HeatMapFigure& f) { f.name = ""; }, "no name for files");
    refuse([](HeatMapFigure& f) { f.panels.clear(); }, "no panel");
    refuse([](HeatMapFigure& f) { f.panels_per_row = 0; }, "panels_per_row");
    refuse([](HeatMapFigure& f) { f.panels[0].rows.pop_back(); }, "1 row");
    refuse([](HeatMapFigure& f) { f.panels[0].answers = {"one of two"}; }, "1 answers for 2 rows");
    refuse([](HeatMapFigure& f) { f.panels[0].values = Array::from_shape({2}); }, "(2)");
    refuse([](HeatMapFigure& f) { f.panels[0] = {"none", Array::from_shape({0, 3}), {}, {}, {}}; }, "empty");
    refuse([](HeatMapFigure& f) { f.panels[1].scale = ColourScale::yes_no; }, "other than 1 for yes");
    refuse([](HeatMapFigure& f) { f.panels[0].allowed = xt::xarray<bool>(Shape{1, 1}, true); }, "mask");
}

TEST(figure, refuses_lines_that_cant_be_drawn) {
    const auto refuse = [&](auto change, const std::string& reason) {
        LineFigure figure = line_figure();
        change(figure.panels[0]);
        EXPECT_TRUE(refuses<Error>([&] { (void)svg(figure); }, {reason}));
    };
    refuse([](LinePanel& p) { p.series[0].x.pop_back(); }, "2 x and 3 y");
    refuse([](LinePanel& p) { p.series[0].y[1] = 0.0; }, "not positive");
    refuse([](LinePanel& p) { p.series.clear(); }, "no point");
    refuse([](LinePanel& p) { p.series = {{"a", {1}, {NAN}}}; }, "no point");
    refuse([](LinePanel& p) { p.limits = {{0.0, {}, "nothing"}}; }, "\"nothing\" is not positive");
}

TEST(bars, refuse_what_cant_be_drawn) {
    const auto refuse = [](auto change, const std::vector<std::string>& parts) {
        BarFigure figure = bar_figure();
        change(figure);
        EXPECT_TRUE(refuses<Error>([&] { (void)svg(figure); }, parts));
    };
    EXPECT_NO_THROW((void)svg(bar_figure()));
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

TEST(arcs, refuse_what_cant_be_drawn) {
    const auto refuse = [](auto change, const std::vector<std::string>& parts) {
        ArcFigure figure = arc_figure();
        change(figure.panels[1]);
        EXPECT_TRUE(refuses<Error>([&] { (void)svg(figure); }, parts));
    };
    refuse([](ArcPanel& p) { p.words.clear(); }, {"\"two blocks\"", "no words"});
    refuse([](ArcPanel& p) { p.storeys.clear(); }, {"no words or no arcs"});
    refuse([](ArcPanel& p) { p.names.pop_back(); }, {"2 storeys and 1 name"});
    refuse([](ArcPanel& p) { p.storeys[0][0].to = 4; }, {"4 words", "from 3 to 4"});
    refuse([](ArcPanel& p) { p.storeys[0][0].weight = 1.5; }, {"of weight 1.5"});
    refuse([](ArcPanel& p) { p.storeys[0][0].weight = NAN; }, {"of weight nan"});
}

TEST(small_maps, refuse_what_cant_be_drawn) {
    const auto refuse = [](auto change, const std::vector<std::string>& parts) {
        SmallMapsFigure figure = small_maps_figure();
        change(figure);
        EXPECT_TRUE(refuses<Error>([&] { (void)svg(figure); }, parts));
    };
    refuse([](SmallMapsFigure& f) { f.panels.clear(); }, {"no panel"});
    refuse([](SmallMapsFigure& f) { f.panels[0].values = Array{1.0f}; }, {"\"1.1\"", "values of shape (1)"});
    refuse([](SmallMapsFigure& f) { f.panels[0].values = Array::from_shape({0, 3}); }, {"\"1.1\" is empty"});
    for (const float wrong : {-0.1f, 1.1f, NAN})
        refuse([&](SmallMapsFigure& f) { f.panels[1].values(0, 1) = wrong; }, {"\"<1.2>\" has the value"});
}

TEST(plane, refuses_what_cant_be_drawn) {
    const auto refuse = [](auto change, const std::vector<std::string>& parts) {
        PlaneFigure figure = plane_figure();
        change(figure);
        EXPECT_TRUE(refuses<ValueError>([&] { (void)svg(figure); }, parts));
    };
    refuse([](PlaneFigure& f) { f.panels_per_row = 0; }, {"panels_per_row"});
    refuse([](PlaneFigure& f) { f.panels[0].high_x = -1.5; }, {"\"q & k\"", "no area"});
    refuse([](PlaneFigure& f) { f.panels[0].shapes[1].to_x = INFINITY; }, {"\"q\"", "no place"});
}

TEST(figure_json, is_all_that_is_drawn) {
    HeatMapFigure odd = heat_map_figure();
    odd.panels[0].values(1, 0) = NAN;
    odd.panels[0].values(0, 1) = -INFINITY;
    odd.largest = 2.0;
    odd.panels[1].meant = {1};
    odd.panels[1].answers = {"→ cat"};
    LineFigure marked = line_figure();
    marked.panels[0].series[0].hue = Hue::with;
    marked.panels[0].series[1].name_at = 16.0;
    marked.panels[0].limits = {{20.0, {}, "trained length", true}, {1.0, 2.0, "not allowed"}};
    const Figure figures[] = {odd,          heat_map_figure(), line_figure(),  marked,
                              bar_figure(), arc_figure(),      plane_figure(), small_maps_figure()};
    for (const Figure& figure : figures) {
        EXPECT_EQ(svg(figure_from_json(json(figure))), svg(figure));
        EXPECT_EQ(json(figure_from_json(json(figure))), json(figure));
    }
}

TEST(figure_json, is_refused_if_it_is_no_figure) {
    const std::string whole = json(line_figure());
    for (const std::string& text :
         {std::string("{ cut"), std::string("{}"), std::string(R"({"kind": "pie"})"), whole.substr(0, 90)})
        EXPECT_TRUE(refuses<FileError>([&] { (void)figure_from_json(text); }, {"a figure can't be read"}))
            << text;
}

}  // namespace
}  // namespace tfs::test

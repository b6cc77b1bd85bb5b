// tests/common/figures_test.cpp · figures of any text and any number; what can't be drawn; their JSON, and what differs in it
//
// How figures look, the lessons' own are compared with (tests/lessons).
#include <algorithm>
#include <cmath>
#include <filesystem>
#include <random>

#include <nlohmann/json.hpp>

#include "common/figures.hpp"
#include "common/figures/drawing.hpp"
#include "common/io/atomic_file.hpp"
#include "tests/common/example_figures.hpp"
#include "tests/common/figures_xml.hpp"
#include "tests/support/refusal.hpp"

namespace tfs::test {
namespace {

using Json = nlohmann::ordered_json;

// --- any text, any number

TEST(svg, is_well_formed_for_any_text) {
    std::mt19937 random(1);
    const std::vector<std::string> pieces{
        "<",        ">",      "&",       "\"",     "]]>",          "<!--",         "&amp;",
        "\x1b[31m", "\u202e", "고양이",  "\xff",   "\xed\xa0\x80", "\xef\xbf\xbe", std::string(1, '\0'),
        "\n",       "\t",     "e\u0301", "</text>"};
    const auto any_text = [&] {
        std::string text;
        for (std::size_t i = random() % 8; i-- > 0;)
            text += random() % 3 == 0 ? std::string(1, static_cast<char>(random() % 256))
                                      : pieces[random() % pieces.size()];
        return text;
    };
    for (int i = 0; i < 100; ++i) {
        // Every text of a figure but its name.
        for (const Figure& figure : example_figures()) {
            Json numbers = Json::parse(json(figure));
            const Json flat = numbers.flatten();
            for (const auto& [path, text] : flat.items())
                if (text.is_string() && !path.ends_with("/kind") && !path.ends_with("/hue") &&
                    !path.ends_with("/scale") && path != "/name")
                    numbers[Json::json_pointer(path)] = any_text();
            const Figure odd = figure_from_json(numbers.dump(-1, ' ', false, Json::error_handler_t::replace));
            ASSERT_NO_THROW(XmlReader::root_of(svg(odd))) << svg(odd);
        }
    }
    LineFigure bytes = line_figure();
    bytes.title = bytes.panels[0].series[0].name = "\xff\xed\xa0\x80<";
    EXPECT_NO_THROW(XmlReader::root_of(svg(bytes)));
    EXPECT_EQ(escaped("a\x1b[31m\n<&\">"), "a␛[31m␊&lt;&amp;&quot;&gt;");
    EXPECT_EQ(escaped("\u202e\u009b\x7f\xff"), "\uFFFD\uFFFD␡\uFFFD");
}

TEST(svg, draws_edge_cases) {
    HeatMapFigure maps = heat_map_figure();
    maps.panels = {{"one cell", Array(Shape{1, 1}, NAN), {}, {}, {}, ColourScale::sequential},
                   {"infinite", Array{{INFINITY, 3.0f}}, {}, {}, {}, ColourScale::sequential},
                   {"zero", Array(Shape{2, 1}, 0.0f), {}, {}, {}, ColourScale::diverging},
                   {"yes", Array(Shape{1, 1}, 1.0f), {}, {}, {}, ColourScale::yes_no},
                   {"all masked", Array(Shape{1, 2}, 1.0f), {}, {}, xt::xarray<bool>(Shape{1, 2}, false)}};
    LineFigure lines{"lines", ""};
    lines.panels = {
        {"one point", "x", "y", true, true, {{"a", {3}, {5}}, {"only NaN", {1}, {NAN}}, {"none", {}, {}}}},
        {"flat", "x", "y", false, false, {{"b", {1, 2}, {0, 0}}}}};
    for (const Figure& figure : {Figure(maps), Figure(lines)}) {
        const std::string text = svg(figure);
        EXPECT_NO_THROW(XmlReader::root_of(text));
        for (const char* word : {"nan\"", "inf\""}) EXPECT_EQ(text.find(word), std::string::npos) << text;
    }
    for (const char* number : {">NaN<", ">inf<"})
        EXPECT_NE(svg(maps).find(number), std::string::npos) << number;
}

TEST(svg, arcs_down_to_one_word_have_their_numbers_at_their_upper_ends) {
    ArcFigure figure = arc_figure();
    figure.panels = {{"", {"a", "b", "c"}, {{{0, 1, 0.5}, {2, 1, 0.5}}, {{0, 0, 1.0}}}}};
    const Element root = XmlReader::root_of(svg(figure));
    const std::vector<const Element*> arcs = root.all("arc");
    ASSERT_EQ(arcs.size(), 3U);  // block 2 above, its arc is the first
    const auto below_top = [](const Element& arc) {
        const std::string path = arc.children.at(1)["d"];  // "M18 66L…"
        return arc.children.back().number("y") - std::stod(path.substr(path.find(' ')));
    };
    EXPECT_EQ(below_top(*arcs[1]), 17.0);
    EXPECT_EQ(below_top(*arcs[2]), 17.0);
    EXPECT_GT(below_top(*arcs[0]), 50.0) << "a single one has it below";
}

TEST(svg, twelve_layers_of_twelve_heads_keep_within_the_width) {
    HeatMapFigure figure{"sheet", "All layers and heads"};
    figure.panels_per_row = 12;
    for (int i = 0; i < 144; ++i) figure.panels.push_back({"L H", Array(Shape{10, 10}, 0.1f)});
    const Element root = XmlReader::root_of(svg(figure));
    EXPECT_LE(root.number("width"), figure_width);
    const std::vector<const Element*> rows = root.all("cells");
    EXPECT_EQ(rows.size(), 1440U);
    for (const Element* row : rows) {
        const double left = std::stod((*row)["transform"].substr(std::string("translate(").size())),
                     step = row->children[1].number("x");
        ASSERT_LE(left + row->children.back().number("x") + step, root.number("width"));
    }
}

TEST(colours, are_those_of_what_is_seen) {
    EXPECT_EQ(colours_of(std::vector<Hue>(40)).size(), 40U) << "more than the palette has";
    HeatMapFigure figure = heat_map_figure();
    EXPECT_EQ(colour_range(figure, 0).high, 0.9f);
    figure.panels.pop_back();
    figure.panels[0].meant = {0};
    EXPECT_EQ(colour_range(figure, 0).high, 0.75) << "the other row is not drawn";
    figure.panels[0].scale = ColourScale::diverging;
    figure.panels[0].values = Array{{-3.0f, 1.0f, INFINITY, 50.0f}};
    figure.panels[0].allowed = xt::xarray<bool>{{true, true, true, false}};
    EXPECT_EQ(colour_range(figure, 0).low, -3.0);
    EXPECT_EQ(colour_range(figure, 0).high, 3.0);
}

TEST(svg, says_of_a_large_map_what_its_cells_say) {
    HeatMapFigure figure{"many", "Many cells", "query", "key", {{"", Array(Shape{40, 40}, 0.0f)}}};
    figure.panels[0].allowed = xt::xarray<bool>(Shape{40, 40}, true);
    for (std::size_t i = 0; i < 40; ++i) {
        figure.panels[0].rows.push_back(i == 1 ? "\"<\n," : std::to_string(i));
        for (std::size_t j = i + 1; j < 40; ++j) (*figure.panels[0].allowed)(i, j) = false;
    }
    figure.panels[0].values(2, 1) = 0.1f;
    (*figure.panels[0].allowed)(3, 1) = false;
    const Element root = XmlReader::root_of(svg(figure));
    const Element& map = *root.all("cells").at(0);
    EXPECT_EQ(map["data-rows"].substr(0, 11), "0\n\"<␊,\n2\n");
    EXPECT_EQ(map["data-values"].substr(0, 29), "0\n0,0\n0,0.1,0\n0,masked,0,0\n0,")
        << "what is masked at the end is left out";
    figure.panels[0].values = Array(Shape{32, 32}, 0.0f);
    figure.panels[0].allowed.reset();
    figure.panels[0].rows.clear();
    EXPECT_EQ(XmlReader::root_of(svg(figure)).all("cells").size(), 32U) << "1024 cells are no large map";
}

TEST(axis, ends_at_round_numbers_around_all_values) {
    std::mt19937 random(1);
    std::uniform_real_distribution<double> exponent(-9.0, 9.0), sign(-1.0, 1.0);
    for (int i = 0; i < 2000; ++i) {
        const double a = std::copysign(std::pow(10.0, exponent(random)), sign(random));
        const double b = a + std::pow(10.0, exponent(random));
        if (b - a < 1e-6 * std::abs(a)) continue;
        const std::vector<double> numbers = nice_numbers(a, b);
        const double step = numbers[1] - numbers[0],
                     factor = step / std::pow(10.0, std::floor(std::log10(step) + 1e-6));
        EXPECT_TRUE(std::abs(factor - 1) < 0.1 || std::abs(factor - 2) < 0.1 || std::abs(factor - 5) < 0.1)
            << step;
        EXPECT_LE(numbers.front(), a + 1e-6 * step);
        EXPECT_GE(numbers.back(), b - 1e-6 * step);
        EXPECT_LE(numbers.size(), 12U);
        EXPECT_GE(numbers.size(), 3U);
    }
    const auto labels = [](const Axis& axis) {
        std::string all;
        for (const Tick& tick : axis.ticks()) all += tick.label + " ";
        return all;
    };
    EXPECT_EQ(labels(Axis({16, 64, 256}, 0, 100, true, {.at_values = true})), "16 64 256 ");
    EXPECT_EQ(labels(Axis({1e-7, 1e-5}, 0, 100, true)), "10⁻⁷ 10⁻⁶ 10⁻⁵ ");
    EXPECT_EQ(labels(Axis({3, 30}, 0, 100, true)), "5 10 20 ") << "within about a decade";
    EXPECT_EQ(labels(Axis({0.2, 0.9}, 0, 100, false, {.from_zero = true})), "0 0.2 0.4 0.6 0.8 1 ");
}

TEST(attention_views, are_one_for_each_six_heads_and_refuse_a_head_that_is_not_there) {
    const Tensor weights = Tensor::from({1, 7, 1, 2}, {0, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14});
    const std::vector<View> views =
        attention_views({.name = "maps", .title = "T"}, {{"layer 1", weights}, {"", weights}});
    ASSERT_EQ(views.size(), 4U);
    EXPECT_EQ(views[1].name, "layer 1, heads 7 to 7");
    EXPECT_EQ(views[2].name, "heads 1 to 6");
    EXPECT_EQ(name_of(views[3].figure), "maps_4");
    const auto& first = std::get<HeatMapFigure>(views[0].figure);
    EXPECT_EQ(first.largest, 14.0) << "one scale for all views";
    EXPECT_EQ(*first.panels[0].allowed, (xt::xarray<bool>{{false, true}})) << "no cell without weight";
    EXPECT_TRUE(refuses<ShapeError>([&] { attention_panel("", weights, 7, {}, {}); }, {"7"}));
    EXPECT_TRUE(refuses<ShapeError>(
        [&] {
            attention_panel("", weights, 0, {}, {}, Mask::from({3}, {1, 1, 1}));
        },
        {"(3)", "(1, 1, 1, 2)"}));
}

// --- what can't be drawn

template <class Kind>
void refused(const Kind& figure, const std::vector<std::pair<void (*)(Kind&), std::string>>& cases) {
    EXPECT_NO_THROW((void)svg(figure));
    for (const auto& [change, part] : cases) {
        Kind wrong = figure;
        change(wrong);
        EXPECT_TRUE(refuses<Error>([&] { (void)svg(wrong); }, {part}));
    }
}

TEST(figure, refuses_what_cant_be_drawn) {
    using Maps = HeatMapFigure;
    using Lines = LineFigure;
    using Bars = BarFigure;
    refused<Maps>(heat_map_figure(),
                  {{[](Maps& f) { f.name = "../up"; }, "no name for files"},
                   {[](Maps& f) { f.name = "-up"; }, "no name for files"},
                   {[](Maps& f) { f.name = ""; }, "no name for files"},
                   {[](Maps& f) { f.panels.clear(); }, "no panel"},
                   {[](Maps& f) { f.panels_per_row = 0; }, "panels_per_row"},
                   {[](Maps& f) { f.panels[0].rows.pop_back(); }, "1 row"},
                   {[](Maps& f) { f.panels[0].answers = {"one of two"}; }, "1 answers for 2 rows"},
                   {[](Maps& f) { f.panels[0].meant = {2}; }, "row 2"},
                   {[](Maps& f) { f.panels[0].values = Array::from_shape({2}); }, "(2)"},
                   {[](Maps& f) {
                        f.panels[0] = {"none", Array::from_shape({0, 3})};
                    },
                    "empty"},
                   {[](Maps& f) { f.panels[1].scale = ColourScale::yes_no; }, "other than 1 for yes"},
                   {[](Maps& f) {
                        f.panels[0].allowed = xt::xarray<bool>(Shape{1, 1}, true);
                    },
                    "mask"}});
    refused<Lines>(line_figure(),
                   {{[](Lines& f) { f.panels[0].series[1].y.pop_back(); }, "3 x and 2 y"},
                    {[](Lines& f) { f.panels[0].series[1].y[2] = 0.0; }, "logarithmic y axis"},
                    {[](Lines& f) { f.panels[0].series[1].x[2] = -1.0; }, "logarithmic x axis"},
                    {[](Lines& f) {
                         f.panels[0].limits = {{0.0, {}, "low"}};
                     },
                     "the limit \"low\""},
                    {[](Lines& f) {
                         f.panels[0].series = {{"a", {1}, {NAN}}};
                     },
                     "no point to draw"},
                    {[](Lines& f) {
                         f.same_y = true;
                         f.panels.push_back({"p", "x", "y", false, false, {{"a", {1}, {1}}}});
                     },
                     "share a y axis"}});
    refused<Bars>(bar_figure(), {{[](Bars& f) { f.panels[1].bars.clear(); }, "no bar to draw"},
                                 {[](Bars& f) { f.panels[0].bars[0].values.pop_back(); }, "2 values"},
                                 {[](Bars& f) { f.panels[0].bars[0].values[1] = -2.0; }, "-2"},
                                 {[](Bars& f) { f.panels[0].bars[1].values[0] = INFINITY; }, "inf"},
                                 {[](Bars& f) {
                                      f.panels[0].bars[1].values = {1e308, 1e308, 1e308};
                                  },
                                  "overflow"}});
    refused<ArcFigure>(arc_figure(),
                       {{[](ArcFigure& f) { f.panels[1].words.clear(); }, "no words"},
                        {[](ArcFigure& f) { f.panels[1].names.pop_back(); }, "2 storeys and 1 name"},
                        {[](ArcFigure& f) { f.panels[1].storeys[0][0].to = 4; }, "from 3 to 4"},
                        {[](ArcFigure& f) { f.panels[1].storeys[0][0].weight = 1.5; }, "of weight 1.5"},
                        {[](ArcFigure& f) { f.panels[1].storeys[0][0].weight = NAN; }, "of weight nan"}});
    refused<PlaneFigure>(plane_figure(),
                         {{[](PlaneFigure& f) { f.panels[0].high_x = -1.5; }, "no area"},
                          {[](PlaneFigure& f) { f.panels[0].shapes[1].to_x = INFINITY; }, "no place"}});
    using Small = SmallMapsFigure;
    refused<Small>(small_maps_figure(),
                   {{[](Small& f) { f.panels[0].values = Array{1.0f}; }, "values of shape (1)"},
                    {[](Small& f) {
                         f.panels[0].values = Array::from_shape({0, 3});
                     },
                     "is empty"},
                    {[](Small& f) { f.panels[1].values(0, 1) = -0.1f; }, "-0.1"},
                    {[](Small& f) { f.panels[1].values(0, 1) = NAN; }, "nan"}});
}

// --- JSON

TEST(figure_json, is_all_that_is_drawn) {
    HeatMapFigure odd = heat_map_figure();
    odd.panels[0].values = Array{{NAN, -INFINITY}, {0.1f, 12345678.0f}};
    odd.largest = 2.0;
    odd.panels[1].meant = {1};
    odd.panels[1].answers = {"→ cat"};
    const Json panel = Json::parse(json(odd))["panels"][0];
    EXPECT_EQ(panel["values"].dump(), R"([[null,"-inf"],[0.1,12345678]])");
    EXPECT_TRUE(panel["allowed"].is_null());
    LineFigure marked = line_figure();
    marked.panels[0].series[0].hue = Hue::with;
    marked.panels[0].series[1].name_at = 16.0;
    marked.panels[0].limits = {{20.0, {}, "trained length", true}, {1.0, 2.0, "not allowed"}};
    std::vector<Figure> figures = example_figures();
    figures.insert(figures.end(), {odd, marked});
    for (const Figure& figure : figures) {
        EXPECT_EQ(svg(figure_from_json(json(figure))), svg(figure));
        EXPECT_EQ(json(figure_from_json(json(figure))), json(figure));
    }
}

TEST(figure_json, is_refused_if_it_is_no_figure) {
    const std::string whole = json(heat_map_figure());
    for (const auto& [from, to] :
         std::vector<std::pair<std::string, std::string>>{{"{", "{ cut"},
                                                          {"heat maps", "pie"},
                                                          {"probability", "rainbow"},
                                                          {"[0.25, 0.75]", "[0.25]"},
                                                          {"[0.25, 0.75]", "[0.25, \"x\"]"},
                                                          {"\"quantity\": ", "\"quantities\": "}}) {
        std::string text = whole;
        text.replace(text.find(from), from.size(), to);
        EXPECT_TRUE(refuses<FileError>([&] { (void)figure_from_json(text); }, {"a figure can't be read"}))
            << text;
    }
}

TEST(figure_difference, lets_differ_what_it_is_told_to) {
    const auto figure = [](double y) {
        return json(LineFigure{"f", "f", {{"p", "x", "y", false, false, {{"s", {0, 1}, {1.0, y}}}}}});
    };
    const auto same = [&](double one, double other, const FigureTolerance& tolerance = {}) {
        return figure_difference(figure(one), figure(other), tolerance).empty();
    };
    EXPECT_TRUE(same(0.5, 0.502)) << "3e-3 of the largest of the curve";
    EXPECT_FALSE(same(0.5, 0.504));
    EXPECT_TRUE(same(0.5, 0.7, {.factor = 1.5}));
    EXPECT_FALSE(same(0.5, 0.8, {.factor = 1.5}));
    EXPECT_FALSE(same(0.5, -0.5, {.factor = 1.5}));
    EXPECT_TRUE(same(0.01, 0.05, {.rounding = 0.1}));
    EXPECT_FALSE(same(0.01, 0.11, {.rounding = 0.1}));
    EXPECT_FALSE(same(0.001, 0.05, {.rounding = 0.1}));
    EXPECT_TRUE(same(0.5, 80.0, {.numbers = false}));
    EXPECT_EQ(figure_difference(figure(1), figure(7)), "panels[0].series[0].y[1]: 1 is now 7");
    EXPECT_NE(figure_difference(figure(0.5), json(line_figure()), {.numbers = false}), "");
    EXPECT_THROW(figure_difference(figure(1), "{"), FileError);
}

// Of figures as JSON each number by turns is changed by 3 % of the largest one of its series, and each text.
TEST(figure_difference, notices_whatever_is_changed_in_figures_of_the_lessons) {
    for (const char* name : {"02_masks/figures/cached", "03_positional_encoding/figures/lengths",
                             "00_tensors/figures/product_speed", "11_generation/figures/filters",
                             "09_transformer/figures/induction", "03_positional_encoding/figures/turn"}) {
        const Json kept = Json::parse(read_file(std::string(TFS_SOURCE_DIR "/chapters/") + name + ".json"));
        const Json flat = kept.flatten();
        const auto series_of = [](const std::string& path) {
            return path.substr(0, path.find_last_not_of("/0123456789") + 1);
        };
        std::map<std::string, double> largest;
        for (const auto& [path, value] : flat.items())
            if (value.is_number())
                largest[series_of(path)] = std::max(largest[series_of(path)], std::abs(value.get<double>()));
        for (const auto& [path, value] : flat.items()) {
            Json changed = kept;
            Json& one = changed[Json::json_pointer(path)];
            const double size = largest[series_of(path)];
            if (value.is_string()) one = value.get<std::string>() + "x";
            if (value.is_boolean()) one = !value.get<bool>();
            if (value.is_number()) one = value.get<double>() + 0.03 * (size > 0.0 ? size : 1.0);
            EXPECT_EQ(figure_difference(kept.dump(), changed.dump()).empty(), changed == kept)
                << name << path;
        }
    }
}

}  // namespace
}  // namespace tfs::test

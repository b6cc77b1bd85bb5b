// tests/common/figures_svg_test.cpp · figures as SVG: well-formed for any text, with the numbers under the pointer
#include <algorithm>
#include <cmath>
#include <random>

#include "common/figures/drawing.hpp"
#include "common/figures/figure.hpp"
#include "common/figures/flow_column.hpp"
#include "tests/common/example_figures.hpp"
#include "tests/common/figures_xml.hpp"
#include "tests/support/refusal.hpp"

namespace tfs::test {
namespace {

std::vector<std::string> titles(const Element& root, std::string_view of_class) {
    std::vector<std::string> found;
    for (const Element* element : root.all(of_class)) found.push_back(element->title());
    return found;
}

bool contains(const std::vector<std::string>& all, const std::string& one) {
    return std::find(all.begin(), all.end(), one) != all.end();
}

// The cells of all maps, row by row.
std::vector<const Element*> cells_of(const Element& root) {
    std::vector<const Element*> found;
    for (const Element* row : root.all("cells"))
        for (const Element& child : row->children)
            if (child.name == "rect") found.push_back(&child);
    return found;
}

// The fill of the cell, or of its row where the cell has none.
std::vector<std::string> fills_of(const Element& root) {
    std::vector<std::string> found;
    for (const Element* row : root.all("cells"))
        for (const Element& child : row->children)
            if (child.name == "rect")
                found.push_back((child.attributes.contains("fill") ? child : *row).attributes.at("fill"));
    return found;
}

TEST(svg, names_query_key_and_weight_of_each_cell) {
    const Element root = read_xml(svg(heat_map_figure()));
    const std::vector<const Element*> cells = cells_of(root);
    ASSERT_EQ(cells.size(), 8U);
    EXPECT_EQ(cells[0]->title(), "query it's → key \\n: 0.25");
    EXPECT_EQ(cells[3]->title(), "query 50% {a_b} → key 고양이: 0.9");
    EXPECT_EQ(cells[5]->title(), "query it's → key 고양이: masked");
    EXPECT_EQ(root.all("cells")[1]->attributes.at("data-r"), "1");
    EXPECT_EQ(root.all("map").size(), 2U);
}

TEST(svg, colours_weights_from_paper_at_0_to_the_darkest_at_the_largest) {
    HeatMapFigure figure = heat_map_figure();
    figure.panels.pop_back();
    figure.panels[0].values(1, 0) = 0.0f;
    const Element root = read_xml(svg(figure));
    EXPECT_EQ(fills_of(root)[2], colour_at(ColourScale::probability, 0.0));
    EXPECT_EQ(fills_of(root)[3], colour_at(ColourScale::probability, 1.0)) << "0.9 is the largest";
    EXPECT_EQ(colour_range(figure, 0).high, 0.9f);
}

TEST(svg, writes_numbers_only_where_cells_are_large_and_weights_not_small) {
    HeatMapFigure figure = heat_map_figure();
    figure.panels[0].values(0, 0) = 0.04f;
    const auto numbers = [](const HeatMapFigure& f) {
        const Element root = read_xml(svg(f));
        std::string all;
        for (const Element* row : root.all("cells"))
            for (const Element& child : row->children)
                if (child.name == "text") all += child.text + " ";
        return all;
    };
    EXPECT_EQ(numbers(figure), ".75 .10 .90 .25 .10 .90 ") << "none for .04 and for what is masked";
    figure.panels = {{"many", Array(Shape{30, 30}, 0.5f)}};
    EXPECT_EQ(numbers(figure), "");
    figure.panels[0].values(0, 0) = NAN;
    EXPECT_EQ(numbers(figure), "NaN ") << "what is no number is always written";
}

TEST(svg, writes_once_what_the_cells_of_a_row_share) {
    HeatMapFigure figure = heat_map_figure();
    figure.panels = {{"one", Array{{1.0f, 0.0f, 0.0f}}, {}, {}, {}, ColourScale::yes_no},
                     {"two", Array{{0.5f, 0.5f, 0.5f}}, {}, {}, xt::xarray<bool>{{true, true, false}}}};
    const std::string text = svg(figure);
    const Element root = read_xml(text);
    EXPECT_EQ(root.all("cells")[0]->attributes.at("fill"), colour_at(ColourScale::yes_no, 0.0));
    const std::vector<const Element*> cells = cells_of(root);
    const auto has_fill = [&](std::size_t cell) { return cells[cell]->attributes.contains("fill"); };
    EXPECT_TRUE(has_fill(0));
    EXPECT_FALSE(has_fill(1));
    EXPECT_TRUE(has_fill(3)) << "whether two weights have one colour depends on rounding";
    EXPECT_FALSE(has_fill(5)) << "the masked one";
    EXPECT_FALSE(cells[1]->attributes.contains("width"));
    const std::string size = root.all("map")[0]->attributes.at("class").substr(4);
    EXPECT_NE(text.find("." + size + " rect{width:"), std::string::npos) << size;
}

TEST(svg, draws_only_the_rows_that_mean_something) {
    HeatMapFigure figure = heat_map_figure();
    figure.panels[0].meant = {1};
    const Element root = read_xml(svg(figure));
    EXPECT_EQ(cells_of(root).size(), 6U) << "row 0 of the first panel is left out";
    EXPECT_EQ(root.all("cells")[0]->attributes.at("data-r"), "1");
    figure.panels = {figure.panels[0]};
    figure.panels[0].meant = {0};
    EXPECT_EQ(colour_range(figure, 0).high, 0.75) << "the end of the scale is that of row 0";
    figure.panels[0].meant = {2};
    EXPECT_TRUE(refuses<ValueError>([&] { (void)svg(figure); }, {"head 1", "row 2"}));
}

TEST(svg, shares_one_range_among_panels_of_a_scale) {
    HeatMapFigure figure = heat_map_figure();
    for (HeatMapPanel& panel : figure.panels) panel.scale = ColourScale::diverging;
    figure.panels[0].values = Array{{-3.0f, 1.0f}, {0.0f, 0.0f}};
    figure.panels[1].values = Array{{2.0f, 50.0f}, {0.0f, 0.0f}};  // 50 is masked
    for (const std::size_t panel : {0U, 1U}) {
        EXPECT_EQ(colour_range(figure, panel).low, -3.0);
        EXPECT_EQ(colour_range(figure, panel).high, 3.0);
    }
}

TEST(svg, names_each_point_and_dashes_a_curve_that_hides_another) {
    LineFigure figure = line_figure();
    figure.panels[0].series.push_back(figure.panels[0].series[0]);
    figure.panels[0].series.back().name = "the same";
    const Element root = read_xml(svg(figure));
    EXPECT_TRUE(contains(titles(root, "point"), "unscaled: d_k 64, nats 0.001"));
    const std::vector<const Element*> curves = root.all("curve");
    ASSERT_EQ(curves.size(), 3U);
    EXPECT_FALSE(curves[0]->children.back().attributes.contains("stroke-dasharray"));
    EXPECT_TRUE(curves[2]->children.back().attributes.contains("stroke-dasharray"));
}

TEST(svg, draws_equal_values_at_equal_heights_where_panels_share_a_scale) {
    LineFigure figure{.name = "lines", .title = "one scale"};
    figure.panels = {{"small", "x", "y", false, false, {{"a", {1, 2}, {1, 2}}}},
                     {"large", "x", "y", false, false, {{"b", {1, 2}, {1, 100}}}}};
    const auto height_of_1 = [](const Element& root, std::size_t curve) {
        return root.all("point")[2 * curve]->children.back().number("cy");
    };
    EXPECT_NE(height_of_1(read_xml(svg(figure)), 0), height_of_1(read_xml(svg(figure)), 1));
    figure.same_y = true;
    EXPECT_EQ(height_of_1(read_xml(svg(figure)), 0), height_of_1(read_xml(svg(figure)), 1));
    figure.panels[1].log_y = true;
    EXPECT_THROW((void)svg(figure), ValueError);
}

TEST(svg, breaks_a_curve_at_what_is_no_number) {
    LineFigure figure = line_figure();
    figure.panels[0].log_y = false;
    figure.panels[0].series = {{"a", {1, 2, 3, 4, 5}, {1, 2, NAN, 3, 4}}};
    const Element root = read_xml(svg(figure));
    EXPECT_EQ(root.all("point").size(), 4U);
    EXPECT_EQ(root.all("curve")[0]->children.size(), 3U) << "its title and two pieces";
}

TEST(svg, stacks_bars_from_zero_and_names_their_parts) {
    const Element root = read_xml(svg(bar_figure()));
    const std::vector<const Element*> bars = root.all("bar");
    ASSERT_EQ(bars.size(), 7U) << "a 0 is not drawn";
    EXPECT_EQ(bars[0]->title(), "BERT-base: attention 28.00 M, 33 %");
    for (const std::size_t next : {1U, 2U}) {
        const Element &before = *bars[next - 1], &here = *bars[next];
        EXPECT_NEAR(before.number("x") + before.number("width") + 1.0, here.number("x"), 0.11);
    }
    EXPECT_NEAR(bars[1]->number("width") + 1.0, 2.0 * (bars[0]->number("width") + 1.0), 0.3);
    EXPECT_NEAR(bars[6]->number("width") + 1.0, 3.0 * (bars[5]->number("width") + 1.0), 0.4) << "shares";
}

TEST(svg, a_name_keeps_its_colour_and_a_concept_has_the_same_in_all_figures) {
    const Element root = read_xml(svg(bar_figure()));
    const std::vector<const Element*> bars = root.all("bar");
    const auto fill = [&](std::size_t bar) { return bars[bar]->attributes.at("fill"); };
    EXPECT_EQ(bars[2]->attributes.at("data-part"), "pooler");
    EXPECT_EQ(fill(2), fill(5)) << "the third part of one panel, the first of the other";
    EXPECT_EQ(colours_of({Hue::other, Hue::pre_norm})[1], colours_of({Hue::norm, Hue::pre_norm})[1]);
    const std::vector<std::string> two = colours_of({Hue::other, Hue::attention});
    EXPECT_FALSE(look_alike(two[0], two[1])) << two[0] << " and " << two[1];
    EXPECT_EQ(colours_of(std::vector<Hue>(40)).size(), 40U);
}

TEST(flow_column, leads_around_each_branch_and_up_through_its_boxes) {
    for (const int side : {-1, 1}) {
        PlanePanel panel{.high_y = 400.0};
        FlowColumn column(panel, 50.0, "x", side);
        column.branch();
        const double norm = column.box("LayerNorm", Hue::norm),
                     attention = column.box("attention", Hue::attention, "d_model 8");
        column.add();
        column.output("output");
        EXPECT_LT(norm + 32.0, attention) << "an arrow is between them";
        EXPECT_LT(attention, column.height());
        double outermost = 0.0;
        for (const PlaneShape& shape : panel.shapes) {
            const bool bold = shape.hue == Hue::residual, upright = shape.from_x == shape.to_x;
            if (shape.kind == PlaneShape::Kind::arrow && upright) {
                EXPECT_EQ(bold, shape.from_y > attention + 20.0) << "the stream is bold, the branch is not";
            }
            if (shape.kind == PlaneShape::Kind::line && bold)
                outermost = std::max(outermost, side * (shape.to_x - 50.0));
        }
        EXPECT_EQ(outermost, FlowColumn::reach);
        const std::string text = svg(PlaneFigure{.name = "flow", .title = "A block", .panels = {panel}});
        for (const char* words : {">x<", ">LayerNorm<", ">d_model 8<", ">output<"})
            EXPECT_NE(text.find(words), std::string::npos) << words;
    }
}

TEST(svg, arcs_are_as_wide_as_their_weights_and_lead_from_word_to_word) {
    const Element root = read_xml(svg(arc_figure()));
    const std::vector<const Element*> arcs = root.all("arc");
    ASSERT_EQ(arcs.size(), 4U) << "a weight under 0.05 is not drawn";
    EXPECT_EQ(arcs[0]->title(), "고양이 looks at <cat>: 0.94");
    const auto path = [&](std::size_t arc) {
        for (const Element& child : arcs[arc]->children)
            if (child.name == "path") return child;
        throw std::runtime_error("no path");
    };
    EXPECT_NEAR(path(0).number("stroke-width"), 1.0 + 6.0 * 0.94, 0.06);
    EXPECT_NEAR(path(1).number("stroke-width"), 1.0 + 6.0 * 0.5, 0.06);
    // Of the panel with two storeys: block 2, which is drawn above, ends where block 1 may begin.
    const auto ends = [&](std::size_t arc) {
        const std::string d = path(arc).attributes.at("d");
        return std::pair(std::stod(d.substr(d.find(' '))), std::stod(d.substr(d.rfind(' '))));
    };
    EXPECT_EQ(arcs[2]->title(), "고양이 looks at <cat>: 0.75");
    EXPECT_LT(ends(2).first, ends(2).second) << "down";
    EXPECT_LT(ends(2).second, ends(3).first);
}

TEST(svg, a_plane_has_equal_scales) {
    const Element root = read_xml(svg(plane_figure()));
    double across = 0.0, down = 0.0;
    for (const Element& shape : root.all("plane")[0]->children) {
        if (shape.name != "rect") continue;
        across = shape.number("width");
        down = shape.number("height");
    }
    EXPECT_NEAR(across / 0.7, down / 0.4, 0.5);
    const std::string text = svg(plane_figure());
    for (const char* words : {">q &amp; k<", ">57°<", ">cat<", ">border<", ">origin<", ">W<"})
        EXPECT_NE(text.find(words), std::string::npos) << words;
}

TEST(svg, a_map_of_thousands_of_cells_is_a_path_for_each_shade_and_lines_of_what_they_say) {
    constexpr std::size_t size = 100;
    HeatMapFigure figure{"many", "Many cells", "query", "key"};
    figure.panels = {{"", Array(Shape{size, size}, 0.0f)}};
    figure.panels[0].allowed = xt::xarray<bool>(Shape{size, size}, true);
    for (std::size_t i = 0; i < size; ++i) {
        figure.panels[0].values(i, i / 2) = 0.1f;
        figure.panels[0].values(i, i) = 0.9f;
        for (std::size_t j = i + 1; j < size; ++j) (*figure.panels[0].allowed)(i, j) = false;
        figure.panels[0].rows.push_back(i == 1 ? "\"<\n," : std::to_string(i));
    }
    (*figure.panels[0].allowed)(50, 10) = false;
    const Element root = read_xml(svg(figure));
    ASSERT_EQ(root.all("cells").size(), 1U);
    const Element& map = *root.all("cells")[0];
    EXPECT_EQ(map.attributes.at("viewBox"), "0 0 100 100");
    ASSERT_EQ(map.children.size(), 4U) << "0, .1, .9 and masked";
    std::size_t cells = 0;
    for (const Element& path : map.children)  // "M3 0h2v1h-2z": two cells
        for (std::size_t at = path.attributes.at("d").find('h'); at != std::string::npos;
             at = path.attributes.at("d").find('h', path.attributes.at("d").find('z', at)))
            cells += std::stoul(path.attributes.at("d").substr(at + 1));
    EXPECT_EQ(cells, size * size) << "each cell is drawn once";
    const auto lines = [&](const char* name) {
        std::vector<std::string> found(1);
        for (const char letter : map.attributes.at(name))
            if (letter == '\n')
                found.emplace_back();
            else
                found.back() += letter;
        return found;
    };
    EXPECT_EQ(lines("data-axes"), (std::vector<std::string>{"query", "key"}));
    ASSERT_EQ(lines("data-rows").size(), size);
    EXPECT_EQ(lines("data-rows")[1], "\"<␊,");
    EXPECT_EQ(lines("data-columns")[99], "99");
    ASSERT_EQ(lines("data-values").size(), size);
    EXPECT_EQ(lines("data-values")[0], "0.9") << "what is masked at the end is left out";
    EXPECT_EQ(lines("data-values")[5], "0,0,0.1,0,0,0.9");
    EXPECT_EQ(lines("data-values")[50].find("0,0,0,0,0,0,0,0,0,0,masked,0"), 0U);
}

TEST(svg, small_maps_draw_each_weight_once_and_nothing_for_0) {
    const Element root = read_xml(svg(small_maps_figure()));
    const auto maps = root.all("small-map");
    ASSERT_EQ(maps.size(), 2U);
    EXPECT_EQ(maps[0]->title(), "1.1");
    EXPECT_EQ(maps[1]->attributes.at("data-panel"), "1");
    const Element& cells = *maps[0]->all("cells").at(0);
    EXPECT_EQ(cells.attributes.at("viewBox"), "0 0 3 3");
    std::map<std::string, std::string> drawn;  // by place: so many paths are there
    for (const Element& path : cells.children) drawn[path.attributes.at("d")] = path.attributes.at("fill");
    // .99 has the colour of 1, .01 the lightest one; two halves side by side are one piece.
    EXPECT_EQ(drawn.size(), 3U);
    EXPECT_TRUE(drawn.contains("M1 2h1v1h-1z"));
    EXPECT_TRUE(drawn.contains("M0 0h1v1h-1zM2 2h1v1h-1z"));
    EXPECT_TRUE(drawn.contains("M0 1h2v1h-2z"));
}

TEST(svg, names_stand_apart_at_the_ends_of_curves_and_limits_within_the_plot) {
    LineFigure figure{"lines", "Names"};
    figure.panels = {{"near", "x", "y", false, false, {}}};
    for (int i = 0; i < 6; ++i)
        figure.panels[0].series.push_back({"curve " + std::to_string(i), {0, 1}, {0, 1 + 0.001 * i}});
    figure.panels[0].limits = {{3.0, {}, "the limit"}, {0.5, 9.0, "the zone", true}};
    const Element root = read_xml(svg(figure));
    std::map<std::string, double> heights;
    for (const Element& child : root.all("plot")[0]->children)
        if (child.name == "text") heights[child.text] = child.number("y");
    for (int i = 1; i < 6; ++i)
        EXPECT_GE(heights.at("curve " + std::to_string(i - 1)) - heights.at("curve " + std::to_string(i)),
                  15.0);
    EXPECT_LT(heights.at("the limit"), heights.at("curve 5")) << "the axis reaches to the limit";
    EXPECT_TRUE(root.all("key").empty()) << "no legend beside names";
    figure.panels[0].series.push_back({"curve 6", {0, 1}, {0, 2}});
    EXPECT_EQ(read_xml(svg(figure)).all("key").size(), 7U);
}

TEST(svg, draws_edge_cases) {
    HeatMapFigure maps = heat_map_figure();
    maps.panels = {{"one cell", Array(Shape{1, 1}, NAN), {}, {}, {}, ColourScale::sequential},
                   {"one value", Array(Shape{1, 2}, 3.0f), {}, {}, {}, ColourScale::sequential},
                   {"zero", Array(Shape{2, 1}, 0.0f), {}, {}, {}, ColourScale::diverging},
                   {"yes", Array(Shape{1, 1}, 1.0f), {}, {}, {}, ColourScale::yes_no},
                   {"all masked", Array(Shape{1, 2}, 1.0f), {}, {}, xt::xarray<bool>(Shape{1, 2}, false)}};
    LineFigure lines{"lines", ""};
    lines.panels = {
        {"one point", "x", "y", true, true, {{"a", {3}, {5}}, {"only NaN", {1}, {NAN}}, {"none", {}, {}}}},
        {"flat", "x", "y", false, false, {{"b", {1, 2}, {0, 0}}}}};
    for (const Figure& figure : {Figure(maps), Figure(lines)}) {
        const std::string text = svg(figure);
        EXPECT_NO_THROW(read_xml(text));
        for (const char* word : {"nan\"", "inf\""}) EXPECT_EQ(text.find(word), std::string::npos) << text;
    }
}

TEST(svg, twelve_layers_of_twelve_heads_keep_within_the_width) {
    HeatMapFigure figure{"sheet", "All layers and heads"};
    figure.panels_per_row = 12;
    for (int i = 0; i < 144; ++i) figure.panels.push_back({"L H", Array(Shape{10, 10}, 0.1f)});
    const Element root = read_xml(svg(figure));
    EXPECT_LE(root.number("width"), figure_width);
    const std::vector<const Element*> cells = cells_of(root);
    EXPECT_EQ(cells.size(), 14400U);
    const double step = cells[1]->number("x") - cells[0]->number("x");
    for (const Element* row : root.all("cells")) {
        const std::string& at = row->attributes.at("transform");
        const double left = std::stod(at.substr(at.find('(') + 1));
        ASSERT_LE(left + row->children.back().number("x") + step, root.number("width"));
    }
}

// Texts of random bytes, and of those that mean something to XML.
TEST(svg, is_well_formed_for_any_text) {
    std::mt19937 random(1);
    const std::vector<std::string> pieces{"<",
                                          ">",
                                          "&",
                                          "\"",
                                          "'",
                                          "]]>",
                                          "<!--",
                                          "&amp;",
                                          "\x1b[31m",
                                          "\u202e",
                                          "고양이",
                                          "😀",
                                          "\xff",
                                          "\xed\xa0\x80",
                                          "\xef\xbf\xbe",
                                          std::string(1, '\0'),
                                          "\n",
                                          "\t",
                                          "e\u0301",
                                          "</text>"};
    const auto any_text = [&] {
        std::string text;
        for (std::size_t i = random() % 8; i-- > 0;)
            text += random() % 3 == 0 ? std::string(1, static_cast<char>(random() % 256))
                                      : pieces[random() % pieces.size()];
        return text;
    };
    for (int i = 0; i < 100; ++i) {
        HeatMapFigure maps = heat_map_figure();
        LineFigure lines = line_figure();
        BarFigure bars = bar_figure();
        ArcFigure arcs = arc_figure();
        PlaneFigure plane = plane_figure();
        SmallMapsFigure small = small_maps_figure();
        small.panels[1].title = any_text();
        arcs.panels[1].words[2] = arcs.panels[1].names[0] = plane.panels[0].shapes[1].label = any_text();
        maps.title = lines.title = bars.title = arcs.title = plane.title = any_text();
        maps.panels[0].rows[0] = maps.panels[0].columns[1] = maps.panels[0].quantity = maps.row_axis =
            any_text();
        lines.panels[0].series[0].name = lines.panels[0].x_axis = any_text();
        bars.panels[0].parts[0].name = bars.panels[0].bars[0].label = any_text();
        for (const Figure& figure :
             {Figure(maps), Figure(lines), Figure(bars), Figure(arcs), Figure(plane), Figure(small)}) {
            const std::string text = svg(figure);
            ASSERT_NO_THROW(read_xml(text)) << text;
            ASSERT_EQ(text, svg(figure)) << "the same bytes each time";
        }
    }
}

TEST(svg, shows_control_characters_as_their_pictures) {
    EXPECT_EQ(escaped("a\x1b[31m\n<&\">"), "a␛[31m␊&lt;&amp;&quot;&gt;");
    EXPECT_EQ(escaped("\u202e\u009b\x7f\xff"), "\uFFFD\uFFFD␡\uFFFD");
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
                     power = std::pow(10.0, std::floor(std::log10(step) + 1e-6));
        const double factor = std::round(step / power);
        EXPECT_TRUE(factor == 1.0 || factor == 2.0 || factor == 5.0 || factor == 10.0) << step;
        EXPECT_LE(numbers.front(), a + 1e-6 * step);
        EXPECT_GE(numbers.back(), b - 1e-6 * step);
        EXPECT_LE(numbers.size(), 12U);
        EXPECT_GE(numbers.size(), 3U);
    }
}

TEST(axis, of_powers_has_its_ticks_at_the_few_values_or_at_powers_of_ten) {
    const auto labels = [](const Axis& axis) {
        std::string all;
        for (const Tick& tick : axis.ticks()) all += tick.label + " ";
        return all;
    };
    EXPECT_EQ(labels(Axis({16, 64, 256}, 0, 100, true, {.at_values = true})), "16 64 256 ");
    EXPECT_EQ(labels(Axis({1e-7, 1e-5}, 0, 100, true)), "10⁻⁷ 10⁻⁶ 10⁻⁵ ");
    EXPECT_EQ(labels(Axis({3, 30}, 0, 100, true)), "5 10 20 ") << "within about a decade";
    EXPECT_EQ(labels(Axis({0.2, 0.9}, 0, 100, false, {.from_zero = true})), "0 0.2 0.4 0.6 0.8 1 ");
    const Axis axis({1, 100}, 0, 100, true, {.tight = true});
    EXPECT_NEAR(axis(10), 50.0, 1e-9);
}

}  // namespace
}  // namespace tfs::test

// tests/common/figure_difference_test.cpp · the comparison of figures, tried on all that the lessons show
#include "common/figures/figure_difference.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <functional>

#include "common/base/errors.hpp"
#include "common/io/atomic_file.hpp"
#include "tests/common/example_figures.hpp"

namespace tfs::test {
namespace {

struct Kept {
    Figure figure;
    std::string json;
};

const std::vector<Kept>& figures_of_the_lessons() {
    static std::vector<Kept> figures;
    if (!figures.empty()) return figures;
    for (const auto& chapter : std::filesystem::directory_iterator(TFS_SOURCE_DIR "/chapters"))
        for (const auto& file : std::filesystem::directory_iterator(chapter.path() / "figures"))
            if (file.path().extension() == ".json") {
                const std::string numbers = read_file(file.path());
                figures.push_back({figure_from_json(numbers), numbers});
            }
    return figures;
}

std::string difference(const Figure& kept, const Figure& drawn, const FigureTolerance& tolerance = {}) {
    return figure_difference(json(kept), json(drawn), tolerance);
}

// Makes every panel of this kind wrong by turns, and expects the figure to differ then. `spoil` returns whether there was
// something to spoil.
template <class Kind, class Panel>
void expect_noticed(const std::function<bool(Panel&)>& spoil) {
    std::size_t spoilt = 0;
    for (const auto& [figure, kept] : figures_of_the_lessons()) {
        if (!std::holds_alternative<Kind>(figure)) continue;
        for (std::size_t panel = 0; panel < std::get<Kind>(figure).panels.size(); ++panel) {
            Kind wrong = std::get<Kind>(figure);
            if (!spoil(wrong.panels[panel])) continue;
            ++spoilt;
            EXPECT_NE(figure_difference(kept, json(wrong)), "") << wrong.name << ", panel " << panel;
        }
    }
    EXPECT_GE(spoilt, 4U);
}

double size_of(double value) { return std::isfinite(value) ? std::abs(value) : 0.0; }

// The largest entry by size; its place.
template <class Values>
auto largest_in(Values& values) {
    return std::max_element(values.begin(), values.end(),
                            [](double a, double b) { return size_of(a) < size_of(b); });
}

TEST(figure_difference, none_between_a_figure_and_its_copy) {
    for (const auto& [figure, kept] : figures_of_the_lessons())
        EXPECT_EQ(figure_difference(kept, json(figure)), "") << name_of(figure);
}

TEST(figure_difference, notices_two_rows_that_were_swapped) {
    expect_noticed<HeatMapFigure, HeatMapPanel>([](HeatMapPanel& panel) {
        const std::size_t columns = panel.values.shape()[1];
        const double seen = 0.01 * size_of(*largest_in(panel.values));
        for (std::size_t row = 1; row < panel.values.shape()[0]; ++row)
            for (std::size_t column = 0; column < columns; ++column) {
                if (panel.allowed && !((*panel.allowed)(0, column) && (*panel.allowed)(row, column)))
                    continue;
                if (!(std::abs(panel.values(0, column) - panel.values(row, column)) > seen)) continue;
                for (std::size_t j = 0; j < columns; ++j) std::swap(panel.values(0, j), panel.values(row, j));
                return true;
            }
        return false;
    });
}

TEST(figure_difference, notices_a_changed_sign) {
    expect_noticed<LineFigure, LinePanel>([](LinePanel& panel) {
        Series& series = panel.series[0];
        double* largest = nullptr;  // of the points that are drawn
        for (std::size_t i = 0; i < series.y.size(); ++i)
            if (std::isfinite(series.x[i]) && size_of(series.y[i]) > (largest ? size_of(*largest) : 1e-6))
                largest = &series.y[i];
        if (panel.log_y || !largest) return false;
        *largest = -*largest;
        return true;
    });
    HeatMapFigure figure = heat_map_figure();
    figure.panels[0].values(0, 0) *= -1.0f;
    EXPECT_NE(difference(heat_map_figure(), figure), "");
}

TEST(figure_difference, notices_the_smallest_curve_of_a_panel_scaled_by_three_percent) {
    expect_noticed<LineFigure, LinePanel>([](LinePanel& panel) {
        const auto size = [](Series& one) { return one.y.empty() ? 0.0 : size_of(*largest_in(one.y)); };
        Series* smallest = nullptr;
        for (Series& one : panel.series)
            if (size(one) > 0.0 && (!smallest || size(one) < size(*smallest))) smallest = &one;
        if (!smallest) return false;
        for (double& y : smallest->y) y *= 1.03;
        return true;
    });
}

TEST(figure_difference, notices_labels_that_were_exchanged) {
    const auto exchange = [](std::string& one, std::string& other) {
        std::swap(one, other);
        return one != other;
    };
    expect_noticed<HeatMapFigure, HeatMapPanel>([=](HeatMapPanel& panel) {
        return panel.rows.size() > 1 && exchange(panel.rows.front(), panel.rows.back());
    });
    expect_noticed<LineFigure, LinePanel>([=](LinePanel& panel) {
        return panel.series.size() > 1 && exchange(panel.series[0].name, panel.series[1].name);
    });
    expect_noticed<BarFigure, BarPanel>([=](BarPanel& panel) {
        return panel.bars.size() > 1 && exchange(panel.bars[0].label, panel.bars[1].label);
    });
}

TEST(figure_difference, notices_a_panel_that_is_missing) {
    for (const auto& [figure, kept] : figures_of_the_lessons()) {
        Figure wrong = figure;
        const bool several = std::visit(
            [](auto& one) {
                one.panels.pop_back();
                return !one.panels.empty();
            },
            wrong);
        if (!several) continue;
        EXPECT_NE(figure_difference(kept, json(wrong)), "") << name_of(figure);
    }
}

TEST(figure_difference, of_arcs_and_shapes_lets_rounding_pass_and_nothing_that_is_seen) {
    ArcFigure arcs = arc_figure();
    arcs.panels[0].storeys[0][1].weight = 8.83325e-16;  // softmax of a word that nobody looks at
    ArcFigure again = arcs;
    again.panels[0].storeys[0][1].weight = 9.1e-16;
    again.panels[0].storeys[0][0].weight += 1e-6;
    EXPECT_EQ(difference(arcs, again), "");
    again.panels[0].storeys[0][0].weight = 0.9;
    EXPECT_NE(difference(arcs, again), "");
    again = arcs;
    again.panels[0].storeys[0][0].to = 2;
    EXPECT_NE(difference(arcs, again), "");
    PlaneFigure plane = plane_figure(), moved = plane;
    moved.panels[0].shapes[1].to_y = 1e-9;
    moved.panels[0].shapes[2].to_y *= 1.000001;
    EXPECT_EQ(difference(plane, moved), "");
    moved.panels[0].shapes[1].to_y = 0.1;
    EXPECT_NE(difference(plane, moved), "");
}

TEST(figure_difference, refuses_a_file_that_was_cut) {
    EXPECT_THROW(figure_difference(json(line_figure()), "{"), FileError);
}

TEST(figure_difference, says_where) {
    LineFigure figure = line_figure();
    figure.panels[0].series[1].y[0] = 7.0;
    EXPECT_EQ(difference(line_figure(), figure), "panels[0].series[1].y[0]: 1 is now 7");
}

TEST(figure_difference, lets_differ_what_it_is_told_to) {
    const auto figure = [](double y) {
        return LineFigure{"f", "f", {{"p", "x", "y", false, false, {{"s", {0, 1}, {1.0, y}}}}}};
    };
    EXPECT_EQ(difference(figure(0.5), figure(0.502)), "") << "3e-3 of the largest of the curve";
    EXPECT_NE(difference(figure(0.5), figure(0.504)), "");
    EXPECT_EQ(difference(figure(0.5), figure(0.7), {.factor = 1.5}), "");
    EXPECT_NE(difference(figure(0.5), figure(0.8), {.factor = 1.5}), "");
    EXPECT_NE(difference(figure(0.5), figure(-0.5), {.factor = 1.5}), "");
    EXPECT_EQ(difference(figure(0.01), figure(0.05), {.rounding = 0.1}), "");
    EXPECT_NE(difference(figure(0.01), figure(0.11), {.rounding = 0.1}), "");
    EXPECT_NE(difference(figure(0.001), figure(0.05), {.rounding = 0.1}), "");
    EXPECT_EQ(difference(figure(0.5), figure(80.0), {.numbers = false}), "");
    EXPECT_NE(difference(figure(0.5), line_figure(), {.numbers = false}), "");
}

}  // namespace
}  // namespace tfs::test

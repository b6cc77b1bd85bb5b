// chapters/04_normalization/program/by_hand.cpp · the row of the lesson that fits on paper
#include <fmt/format.h>

#include <cmath>
#include <map>

#include "chapters/04_normalization/program/options.hpp"

namespace tfs {

namespace {

// The numbers of a row as dots on a line, equal ones above each other.
void add_dots(PlanePanel& panel, const Tensor& row, double y, const std::string& name) {
    const bool last = y == 0.0;  // lines leave the others downwards
    using Kind = PlaneShape::Kind;
    panel.shapes.push_back({.kind = Kind::line, .from_x = -6.0, .from_y = y, .to_x = 7.6, .to_y = y});
    panel.text(10.6, y, name);
    std::map<float, double> tops;
    for (const float value : row.values()) {
        const double at = tops.contains(value) ? tops[value] + 0.3 : y;
        tops[value] = at;
        panel.shapes.push_back({.from_x = value, .from_y = at, .hue = Hue::norm, .size = 1.4});
    }
    for (const auto& [value, top] : tops)
        panel.text(
            value, last ? y - 0.42 : top + 0.42,
            fmt::format("{:.3g}{}", std::round(100.0f * value) / 100.0f, top > y && !last ? " twice" : ""));
}

PlaneFigure number_line(const Tensor& x) {
    const Tensor centred = x - mean(x, -1, KeepDims::yes);
    PlanePanel panel{.title = "", .low_x = -6.2, .high_x = 13.2, .low_y = -0.75, .high_y = 5.3};
    panel.shapes.push_back({.kind = PlaneShape::Kind::line, .from_y = -0.2, .to_y = 4.9, .light = true});
    panel.text(0.0, 5.1, "0");
    const std::pair<Tensor, std::string> rows[] = {
        {x, fmt::format("x: mean {:.0f}", mean(x, -1).item())},
        {centred, fmt::format("minus the mean: deviation {:.0f}", sqrt(variance(x, -1)).item())},
        {LayerNorm(x.size())(x), "divided by it: LayerNorm"}};
    double y = 4.0;
    const Tensor* above = nullptr;
    for (const auto& [row, name] : rows) {
        for (std::size_t i = 0; above && i < row.size(); ++i)  // where each number goes
            panel.shapes.push_back({.kind = PlaneShape::Kind::line,
                                    .from_x = above->values()[i],
                                    .from_y = y + 2.0,
                                    .to_x = row.values()[i],
                                    .to_y = y,
                                    .hue = Hue::norm});
        add_dots(panel, row, y, name);
        above = &row;
        y -= 2.0;
    }
    return {.name = "number_line",
            .title = "LayerNorm moves a row until its mean is 0, then scales it to deviation 1",
            .panels = {panel},
            .panels_per_row = 1,
            .caption =
                "The four features of one token as dots; the dashed line is 0. The order of the dots and the "
                "ratios of their distances stay."};
}

Report show_by_hand(const Request&) {
    const Tensor x = Tensor::from({4}, {-1.0f, 5.0f, 5.0f, 7.0f});
    Table table{.columns = {{""}}};
    for (std::size_t i = 1; i <= x.size(); ++i)
        table.columns.push_back({fmt::format("feature {}", i), fixed(2)});
    const auto add = [&](const char* name, const Tensor& row) {
        std::vector<Cell> cells{name};
        cells.insert(cells.end(), row.values().begin(), row.values().end());
        table.add(cells);
    };
    add("x", x);
    add("LayerNorm", LayerNorm(4)(x));
    add("RMSNorm", RMSNorm(4)(x));
    Report report;
    report.note(fmt::format("x has mean {:.0f}, standard deviation {:.0f}, root mean square {:.0f}",
                            mean(x, -1).item(), sqrt(variance(x, -1)).item(), sqrt(mean(x * x, -1)).item()));
    report.add(table);
    report.add(number_line(x));
    return report;
}

}  // namespace

Section one_row_by_hand() { return {.id = "by-hand", .title = "By hand: one row", .run = show_by_hand}; }

}  // namespace tfs

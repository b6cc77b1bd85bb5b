// chapters/04_normalization/program/by_hand.cpp · the row of the lesson that fits on paper
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cmath>
#include <map>
#include <vector>

#include "chapters/04_normalization/program/options.hpp"

namespace tfs {

namespace {

// The numbers of a row as dots on a line, equal ones above each other.
void add_dots(PlanePanel& panel, const Tensor& row, double y, const std::string& name) {
    const bool last = y == 0.0;  // lines leave the others downwards
    using Kind = PlaneShape::Kind;
    panel.shapes.push_back({.kind = Kind::line, .from_x = -6.0, .from_y = y, .to_x = 7.6, .to_y = y});
    panel.text(9.6, y + 0.22, name);
    panel.text(
        9.6, y - 0.22,
        fmt::format("mean {:.0f}, deviation {:.0f}", std::round(mean(row, -1).item()) + 0.0f,  // never -0

                    sqrt(variance(row, -1)).item()));
    std::map<float, std::vector<double>> dots;  // how high those of each value are
    for (const float value : row.values()) {
        std::vector<double>& heights = dots[value];
        heights.push_back(y + 0.3 * static_cast<double>(heights.size()));
        panel.shapes.push_back({.from_x = value, .from_y = heights.back(), .hue = Hue::norm, .size = 1.4});
    }
    for (const auto& [value, heights] : dots) {
        const std::vector<std::string> names(heights.size(),
                                             fmt::format("{:.3g}", std::round(100.0f * value) / 100.0f));
        if (last)  // away from the next dot on its right
            panel.text(value - 0.45 * static_cast<double>(names.size() - 1), y - 0.42,
                       fmt::format("{}", fmt::join(names, ", ")));
        else
            panel.text(value, heights.back() + 0.42, fmt::format("{}", fmt::join(names, ", ")));
    }
}

PlaneFigure number_line(const Tensor& x) {
    const Tensor centred = x - mean(x, -1, KeepDims::yes);
    PlanePanel panel{.title = "", .low_x = -6.2, .high_x = 11.3, .low_y = -0.75, .high_y = 5.4};
    panel.shapes.push_back({.kind = PlaneShape::Kind::line, .from_y = -0.2, .to_y = 4.9, .light = true});
    panel.text(0.0, 5.15, "0");
    const std::pair<Tensor, std::string> rows[] = {
        {x, "the row x"},
        {centred, fmt::format("minus the mean {:.0f}", mean(x, -1).item())},
        {LayerNorm(x.size())(x), fmt::format("divided by {:.0f}", sqrt(variance(x, -1)).item())}};
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
            .caption = "The four features of one token as dots; the dashed line is 0."};
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
    const Tensor input(x.array(), true), arrives = Tensor::from({4}, {0.0f, 0.0f, 0.0f, 4.0f});
    sum(LayerNorm(4)(input) * arrives).backward();
    add("gradient at LayerNorm's result", arrives);
    add("gradient at x", Tensor(input.grad()));
    Report report;
    report.note(fmt::format("x has mean {:.0f}, standard deviation {:.0f}, root mean square {:.0f}",
                            mean(x, -1).item(), sqrt(variance(x, -1)).item(), sqrt(mean(x * x, -1)).item()));
    report.add(table);
    report.add(number_line(x));
    return report;
}

}  // namespace

Sections by_hand_sections() { return {{"by-hand", "By hand: one row", show_by_hand}}; }

}  // namespace tfs

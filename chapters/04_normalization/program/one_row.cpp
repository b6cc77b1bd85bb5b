// chapters/04_normalization/program/one_row.cpp · the row of the lesson that fits on paper, and LayerNorm as two moves in space
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <array>
#include <cmath>
#include <map>
#include <string>
#include <vector>

#include "chapters/04_normalization/program/options.hpp"

namespace tfs {

namespace {

// The numbers of a row as dots on a line, equal ones above each other.
void add_dots(PlanePanel& panel, const Tensor& row, double y, const std::string& name) {
    const bool last = y == 0.0;  // lines leave the others downwards
    panel.line(-6.0, y, 7.6, y);
    panel.text(9.6, y + 0.22, name);
    panel.text(
        9.6, y - 0.22,
        fmt::format("mean {:.0f}, deviation {:.0f}", std::round(mean(row, -1).item()) + 0.0f,  // never -0
                    sqrt(variance(row, -1)).item()));
    std::map<float, std::vector<double>> dots;  // how high those of each value are
    for (const float value : row.values()) {
        std::vector<double>& heights = dots[value];
        heights.push_back(y + 0.3 * static_cast<double>(heights.size()));
        panel.point(value, heights.back(), Hue::norm, 1.4);
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
    PlanePanel panel{.low_x = -6.2, .high_x = 11.3, .low_y = -0.75, .high_y = 5.4};
    panel.line(0.0, -0.2, 0.0, 4.9).light = true;
    panel.text(0.0, 5.15, "0");
    const std::pair<Tensor, std::string> rows[] = {
        {x, "the row x"},
        {centred, fmt::format("minus the mean {:.0f}", mean(x, -1).item())},
        {LayerNorm(x.size())(x), fmt::format("divided by {:.0f}", sqrt(variance(x, -1)).item())}};
    double y = 4.0;
    const Tensor* above = nullptr;
    for (const auto& [row, name] : rows) {
        for (std::size_t i = 0; above && i < row.size(); ++i)  // where each number goes
            panel.line(above->values()[i], y + 2.0, row.values()[i], y, Hue::norm);
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

// --- onto a plane, then onto a circle

// b is a with 1 added to each feature; c is a with twice the distances from another mean.
struct NamedRow {
    const char* name;
    std::array<float, 3> x;
};
constexpr std::array space_rows{NamedRow{"a", {4, 1, 1}}, NamedRow{"b", {5, 2, 2}},
                                NamedRow{"c", {5, -1, -1}}, NamedRow{"d", {-1, -0.5f, 0}}};

// How far a row lies along two directions in the plane of mean 0, and along (1, 1, 1), which stands upright on it.
struct Place {
    double right, back, up;
};
Place place_of(const std::array<float, 3>& x) {
    return {(x[0] - x[1]) / std::sqrt(2.0), (x[0] + x[1] - 2.0 * x[2]) / std::sqrt(6.0),
            (x[0] + x[1] + x[2]) / std::sqrt(3.0)};
}

PlanePanel from_the_side() {
    PlanePanel panel{"1. minus the mean: onto a plane", -2.6, 5.4, -2.6, 6.0};
    panel.line(-2.4, 0.0, 5.2, 0.0, Hue::other, 2.0);
    panel.text(2.6, -1.75, "the plane of mean 0, from the side");
    for (const auto& [name, x] : space_rows) {
        const Place at = place_of(x);
        panel.arrow(at.right, at.up, at.right, 0.0, Hue::norm);
        panel.point(at.right, at.up, Hue::norm, 1.4);
        const std::string label = fmt::format("{} ({:g})", name, fmt::join(x, ", "));
        panel.text(at.right + 0.35 + 0.065 * static_cast<double>(label.size()), at.up + 0.25, label);
    }
    return panel;
}

PlanePanel from_above() {
    PlanePanel panel{"2. divided: onto a circle", -2.6, 5.4, -4.0, 4.6};
    const double radius = std::sqrt(3.0);  // deviation 1, for three features
    panel.circle(0.0, 0.0, radius);
    panel.point(0.0, 0.0, Hue::other, 0.8);
    panel.text(-0.35, 0.2, "0");
    panel.text(0.0, -2.15, "deviation 1");
    panel.text(1.4, -3.4, "the plane of mean 0, from above");
    for (const auto& [name, x] : space_rows) {
        const Place at = place_of(x);
        const double scale = radius / std::hypot(at.right, at.back);
        if (std::string(name) == "b") continue;  // it lies where a does
        panel.arrow(at.right, at.back, scale * at.right, scale * at.back, Hue::norm);
        panel.point(at.right, at.back, Hue::norm, 1.4);
        panel.text(at.right + (at.right > 0 ? 0.55 : 0.35), at.back + (at.right > 0 ? -0.3 : 0.25),
                   std::string(name) == "a" ? "a, b" : name);
    }
    return panel;
}

Report show_geometry(const Request&) {
    Report report;
    for (const auto& [name, x] : space_rows) {
        const Tensor row = LayerNorm(3)(Tensor::from({3}, {x.begin(), x.end()}));
        report.note(fmt::format("LayerNorm of {} ({:g}): {:.2f}", name, fmt::join(x, ", "),
                                fmt::join(row.values(), ", ")));
    }
    report.add(PlaneFigure{
        .name = "geometry",
        .title = "LayerNorm moves a row onto a plane, then onto a circle",
        .panels = {from_the_side(), from_above()},
        .caption =
            "Four rows of three features. Left: all rows of mean 0 lie in a plane, here seen as a line; "
            "without their means a and b are the same row. Right: the division moves each row along its "
            "ray to the circle (with more features a sphere). So a, b and c give the same result."});
    return report;
}

}  // namespace

Sections one_row_sections() {
    return {{"by-hand", "By hand: one row", show_by_hand},
            {"geometry", "Onto a plane, then onto a circle", show_geometry, {}, Level::deeper}};
}

}  // namespace tfs

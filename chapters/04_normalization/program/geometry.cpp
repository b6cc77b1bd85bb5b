// chapters/04_normalization/program/geometry.cpp · LayerNorm as two moves in space: onto a plane, then onto a circle
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <array>
#include <cmath>
#include <string>
#include <vector>

#include "chapters/04_normalization/program/options.hpp"

namespace tfs {

namespace {

// b is a with 1 added to each feature; c is a with twice the distances from another mean.
struct NamedRow {
    const char* name;
    std::array<double, 3> x;
};
constexpr std::array space_rows{NamedRow{"a", {4, 1, 1}}, NamedRow{"b", {5, 2, 2}},
                                NamedRow{"c", {5, -1, -1}}, NamedRow{"d", {-1, -0.5, 0}}};

// How far a row lies along two directions in the plane of mean 0, and along (1, 1, 1), which stands upright on it.
struct Place {
    double right, back, up;
};
Place place_of(const std::array<double, 3>& x) {
    return {(x[0] - x[1]) / std::sqrt(2.0), (x[0] + x[1] - 2.0 * x[2]) / std::sqrt(6.0),
            (x[0] + x[1] + x[2]) / std::sqrt(3.0)};
}

using Kind = PlaneShape::Kind;

PlaneShape arrow(double from_x, double from_y, double to_x, double to_y) {
    return {.kind = Kind::arrow,
            .from_x = from_x,
            .from_y = from_y,
            .to_x = to_x,
            .to_y = to_y,
            .hue = Hue::norm};
}

PlanePanel from_the_side() {
    PlanePanel panel{.title = "1. minus the mean: onto a plane",
                     .low_x = -2.6,
                     .high_x = 5.4,
                     .low_y = -2.6,
                     .high_y = 6.0};
    panel.shapes.push_back({.kind = Kind::line, .from_x = -2.4, .to_x = 5.2, .size = 2.0});
    panel.text(2.6, -1.75, "the plane of mean 0, from the side");
    for (const auto& [name, x] : space_rows) {
        const Place at = place_of(x);
        panel.shapes.push_back(arrow(at.right, at.up, at.right, 0.0));
        panel.shapes.push_back({.from_x = at.right, .from_y = at.up, .hue = Hue::norm, .size = 1.4});
        const std::string label = fmt::format("{} ({:g})", name, fmt::join(x, ", "));
        panel.text(at.right + 0.35 + 0.065 * static_cast<double>(label.size()), at.up + 0.25, label);
    }
    return panel;
}

PlanePanel from_above() {
    PlanePanel panel{
        .title = "2. divided: onto a circle", .low_x = -2.6, .high_x = 5.4, .low_y = -4.0, .high_y = 4.6};
    const double radius = std::sqrt(3.0);  // deviation 1, for three features
    panel.shapes.push_back({.kind = Kind::circle, .size = radius});
    panel.shapes.push_back({.size = 0.8});
    panel.text(-0.35, 0.2, "0");
    panel.text(0.0, -2.15, "deviation 1");
    panel.text(1.4, -3.4, "the plane of mean 0, from above");
    for (const auto& [name, x] : space_rows) {
        const Place at = place_of(x);
        const double scale = radius / std::hypot(at.right, at.back);
        if (std::string(name) == "b") continue;  // it lies where a does
        panel.shapes.push_back(arrow(at.right, at.back, scale * at.right, scale * at.back));
        panel.shapes.push_back({.from_x = at.right, .from_y = at.back, .hue = Hue::norm, .size = 1.4});
        panel.text(at.right + (at.right > 0 ? 0.55 : 0.35), at.back + (at.right > 0 ? -0.3 : 0.25),
                   std::string(name) == "a" ? "a, b" : name);
    }
    return panel;
}

Report show_geometry(const Request&) {
    Table table{.columns = {{"row"}, {"x"}, {"minus the mean"}, {"LayerNorm"}}};
    for (const auto& [name, x] : space_rows) {
        const Tensor row =
            Tensor::from({3}, {static_cast<float>(x[0]), static_cast<float>(x[1]), static_cast<float>(x[2])});
        const auto words = [](const Tensor& t, int digits) {
            std::vector<std::string> all;
            for (const float value : t.values()) all.push_back(fmt::format("{:.{}f}", value + 0.0f, digits));
            return fmt::format("{}", fmt::join(all, ", "));
        };
        table.add({name, words(row, 1), words(row - mean(row, -1, KeepDims::yes), 1),
                   words(plain_layer_norm(row), 2)});
    }
    Report report;
    report.add(table);
    report.add(PlaneFigure{
        .name = "geometry",
        .title = "LayerNorm moves a row onto a plane, then onto a circle",
        .panels = {from_the_side(), from_above()},
        .caption =
            "Four rows of three features. Left: all rows of mean 0 lie in a plane, here seen as a line; "
            "without "
            "their means a and b are the same row. Right: the division moves each row along its ray to the "
            "circle (with more features a sphere). So a, b and c give the same result."});
    return report;
}

}  // namespace

Sections geometry_sections() {
    return {{"geometry", "Onto a plane, then onto a circle", show_geometry, {}, Level::deeper}};
}

}  // namespace tfs

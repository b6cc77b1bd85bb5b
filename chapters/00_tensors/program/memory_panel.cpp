// chapters/00_tensors/program/memory_panel.cpp · the cells of an array, and the floats that they read
#include "chapters/00_tensors/program/memory_panel.hpp"

#include <fmt/format.h>

#include <numeric>
#include <vector>

namespace tfs {

namespace {

PlaneShape cell_of(double x, double top, double side, float number, bool light) {
    return {.kind = PlaneShape::Kind::rectangle,
            .from_x = x,
            .from_y = top - side,
            .to_x = x + side,
            .to_y = top,
            .label = fmt::format("{}", number),
            .hue = light ? Hue::other : Hue::with,
            .light = light};
}

}  // namespace

Array places(std::size_t floats) {
    Array buffer = Array::from_shape({floats});
    std::iota(buffer.begin(), buffer.end(), 0.0f);
    return buffer;
}

Array reads(const Strided& view, std::size_t floats) {
    Array buffer = places(floats);
    return view_of(buffer, view);
}

PlanePanel memory_panel(const std::string& title, const Strided& view, std::size_t floats,
                        const std::function<bool(std::size_t row, std::size_t column)>& marked) {
    constexpr double side = 1.8, bottom = 4.4;
    const double first = 6.0 - static_cast<double>(floats) / 2;
    const Array cells = reads(view, floats);
    PlanePanel panel{.title = title, .low_x = 0.0, .high_x = 12.0, .low_y = -1.2, .high_y = 10.0};
    std::vector<bool> read(floats, false);
    for (std::size_t row = 0; row < cells.shape(0); ++row)
        for (std::size_t column = 0; column < cells.shape(1); ++column) {
            const double x = 2.4 + side * static_cast<double>(column),
                         top = bottom + side * static_cast<double>(cells.shape(0) - row);
            panel.shapes.push_back(cell_of(x, top, side, cells(row, column), !marked(row, column)));
            if (!marked(row, column)) continue;
            read[static_cast<std::size_t>(cells(row, column))] = true;
            // The arrows leave the grid at its lower edge: they cross no number.
            const double start = marked(0, column) ? 0.25 * static_cast<double>(row + 1) : 0.5;
            panel.shapes.push_back({.kind = PlaneShape::Kind::arrow,
                                    .from_x = x + side * start,
                                    .from_y = bottom,
                                    .to_x = first + cells(row, column) + 0.5,
                                    .to_y = 1.1,
                                    .hue = Hue::with,
                                    .size = 0.7});
        }
    for (std::size_t i = 0; i < floats; ++i)
        panel.shapes.push_back(
            cell_of(first + static_cast<double>(i), 1.0, 1.0, static_cast<float>(i), !read[i]));
    panel.text(6.0, -0.7, "floats in memory");
    return panel;
}

}  // namespace tfs

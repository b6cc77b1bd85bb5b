// common/figures/small_maps.cpp · many maps at a glance
#include <algorithm>
#include <cmath>

#include "common/figures/drawing.hpp"

namespace tfs {

namespace {

constexpr double largest_map = 150.0, title_room = 20.0;
constexpr int shades = 16;  // more can't be told apart, and cells of one shade are one path
constexpr std::size_t most_pixels = 128;

// Of groups of cells, where there are more than a small map has pixels: the largest of each. A 0 is not drawn.
void draw_pixels(Canvas& canvas, const Box& cells, const Array& values) {
    const std::size_t rows = values.shape()[0], columns = values.shape()[1],
                      group = (std::max(rows, columns) + most_pixels - 1) / most_pixels;
    std::vector<std::string> colours, fills;  // the lightest colour for what is nearly 0
    for (int shade = 0; shade <= shades; ++shade)
        colours.push_back(colour_at(ColourScale::probability, static_cast<double>(shade) / shades));
    for (std::size_t top = 0; top < rows; top += group)
        for (std::size_t left = 0; left < columns; left += group) {
            float largest = 0.0f;
            for (std::size_t i = top; i < std::min(rows, top + group); ++i)
                for (std::size_t j = left; j < std::min(columns, left + group); ++j)
                    largest = std::max(largest, values.data()[i * columns + j]);
            const auto shade = static_cast<std::size_t>(std::lround(largest * static_cast<float>(shades)));
            fills.push_back(largest > 0.0f ? colours[shade] : "");
        }
    canvas.pixels(cells, (columns + group - 1) / group, fills);
}

}  // namespace

std::string drawn(const SmallMapsFigure& figure) {
    Canvas canvas;
    Grid grid = grid_of(figure.panels.size(), figure.panels_per_row, 16.0);
    grid.width = std::min(largest_map, grid.width);
    grid.height = title_room + grid.width;
    grid.top = draw_title(canvas, figure.title);
    for (std::size_t i = 0; i < figure.panels.size(); ++i) {
        const SmallMap& panel = figure.panels[i];
        const Box place = grid.place(i);
        const Box cells{place.left, place.top + title_room, grid.width, grid.width};
        canvas.open("small-map", {{"panel", std::to_string(i)}}, panel.title);
        canvas.text({place.left, place.top + 13.0}, fitted(panel.title, 13.0, place.width));
        canvas.rectangle(cells, faint_fill);
        draw_pixels(canvas, cells, panel.values);
        canvas.close();
    }
    const double right = grid.place(grid.per_row - 1).right() + margin;
    return canvas.document(std::max(right, title_width(figure.title)), grid.figure_height(), figure.title);
}

}  // namespace tfs

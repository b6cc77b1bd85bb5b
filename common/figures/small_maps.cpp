// common/figures/small_maps.cpp · many maps at a glance
#include <algorithm>
#include <cmath>

#include "common/figures/drawing.hpp"

namespace tfs {

namespace {

constexpr double largest_map = 150.0, title_room = 20.0;
constexpr int shades = 16;  // more can't be told apart, and cells of one shade are one path

// The colours of the shades; "" for what is as good as 0.
std::vector<std::string> shade_colours() {
    std::vector<std::string> colours{""};
    for (int shade = 1; shade <= shades; ++shade)
        colours.push_back(colour_at(ColourScale::probability, static_cast<double>(shade) / shades));
    return colours;
}

std::vector<std::string> fills_of(const Array& values, const std::vector<std::string>& colours) {
    std::vector<std::string> fills;
    for (const float value : values)
        fills.push_back(colours[static_cast<std::size_t>(std::lround(value * static_cast<float>(shades)))]);
    return fills;
}

}  // namespace

std::string drawn(const SmallMapsFigure& figure) {
    Canvas canvas;
    const std::vector<std::string> colours = shade_colours();
    Grid grid{.panels = figure.panels.size(),
              .per_row = std::min(figure.panels_per_row, figure.panels.size())};
    grid.gap = 16.0;
    const auto across = static_cast<double>(grid.per_row);
    grid.width = std::min(largest_map, (figure_width - 2 * margin - grid.gap * (across - 1)) / across);
    grid.height = title_room + grid.width;
    grid.top = draw_title(canvas, figure.title);
    for (std::size_t i = 0; i < figure.panels.size(); ++i) {
        const SmallMap& panel = figure.panels[i];
        const Box place = grid.place(i);
        const Box cells{place.left, place.top + title_room, grid.width, grid.width};
        canvas.open("small-map", {{"panel", std::to_string(i)}}, panel.title);
        canvas.text({place.left, place.top + 13.0}, fitted(panel.title, 13.0, place.width));
        canvas.rectangle(cells, faint_fill, 2.0);
        canvas.pixels(cells, panel.values.shape()[1], fills_of(panel.values, colours));
        canvas.close();
    }
    const double right = grid.place(grid.per_row - 1).right() + margin;
    return canvas.document(std::max(right, title_width(figure.title)), grid.figure_height(), figure.title);
}

}  // namespace tfs

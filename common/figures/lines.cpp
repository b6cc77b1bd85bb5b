// common/figures/lines.cpp · curves over one axis, each point with its numbers
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "common/figures/drawing.hpp"

namespace tfs {

namespace {

constexpr double left_room = 74.0, tallest_plot = 290.0;
constexpr std::size_t most_points = 40;  // of a curve whose points are drawn

bool is_point(const Series& series, std::size_t i) {
    return std::isfinite(series.x[i]) && std::isfinite(series.y[i]);
}

std::vector<double> all_of(const LinePanel& panel, const std::vector<double> Series::*axis) {
    std::vector<double> all;
    for (const Series& series : panel.series)
        all.insert(all.end(), (series.*axis).begin(), (series.*axis).end());
    return all;
}

// Whether one curve lies on the other so closely that the one below can't be seen.
bool hides(const Series& upper, const Series& lower, const Axis& y) {
    if (upper.x != lower.x) return false;
    std::size_t near = 0;
    for (std::size_t i = 0; i < upper.x.size(); ++i)
        near +=
            is_point(upper, i) && is_point(lower, i) && std::abs(y(upper.y[i]) - y(lower.y[i])) < 2.0 ? 1 : 0;
    return 3 * near >= upper.x.size();
}

void draw_axes(Canvas& canvas, const LinePanel& panel, const Box& plot, const Axis& x, const Axis& y) {
    const Stroke grid{.colour = "#e6ebf0", .width = 1.0};
    for (const Tick& tick : y.ticks()) {
        canvas.path({{plot.left, y(tick.value)}, {plot.right(), y(tick.value)}}, grid);
        canvas.text({plot.left - 7.0, y(tick.value) + 4.0}, tick.label,
                    {.anchor = Anchor::end, .classes = "axis"});
    }
    double free_from = -INFINITY;
    for (const Tick& tick : x.ticks()) {
        const double at = x(tick.value), half = text_width(tick.label, 12.0) / 2;
        canvas.path({{at, plot.bottom()}, {at, plot.bottom() + 4.0}}, {.colour = "#9aa7b4", .width = 1.0});
        if (at - half < free_from) continue;
        canvas.text({at, plot.bottom() + 17.0}, tick.label, {.anchor = Anchor::middle, .classes = "axis"});
        free_from = at + half + 6.0;
    }
    canvas.path({{plot.left, plot.bottom()}, {plot.right(), plot.bottom()}},
                {.colour = "#9aa7b4", .width = 1.0});
    canvas.text({plot.middle().x, plot.bottom() + 35.0}, panel.x_axis,
                {.anchor = Anchor::middle, .classes = "axis"});
    canvas.text({plot.left - left_room + 14.0, plot.middle().y}, panel.y_axis,
                {.anchor = Anchor::middle, .classes = "axis", .turned = -90.0});
}

// The pieces of a curve between gaps. Of a dense one, points nearer than half a pixel to the last one are left out.
void draw_curve(Canvas& canvas, const Series& series, const Axis& x, const Axis& y, const Stroke& stroke) {
    std::vector<Point> piece;
    const auto end_piece = [&] {
        if (piece.size() > 1) canvas.path(piece, stroke);
        piece.clear();
    };
    for (std::size_t i = 0; i < series.x.size(); ++i) {
        if (!is_point(series, i)) {
            end_piece();
            continue;
        }
        const Point next{x(series.x[i]), y(series.y[i])};
        const bool near = !piece.empty() && i + 1 < series.x.size() &&
                          std::abs(next.x - piece.back().x) < 0.5 && std::abs(next.y - piece.back().y) < 0.5;
        if (!near) piece.push_back(next);
    }
    end_piece();
}

void draw_points(Canvas& canvas, const LinePanel& panel, const Series& series, const Axis& x, const Axis& y,
                 const std::string& colour) {
    for (std::size_t i = 0; i < series.x.size(); ++i) {
        if (!is_point(series, i)) continue;
        canvas.open("point", {{"series", series.name}},
                    fmt::format("{}: {} {}, {} {}", series.name, panel.x_axis, short_number(series.x[i], 6),
                                panel.y_axis, short_number(series.y[i])));
        canvas.disc({x(series.x[i]), y(series.y[i])}, 3.2, colour, "#fff");
        canvas.close();
    }
}

struct Legend {
    std::vector<std::string> names, colours, dashes;

    std::size_t operator[](const std::string& name) const {
        return static_cast<std::size_t>(std::find(names.begin(), names.end(), name) - names.begin());
    }
};

struct Axes {
    Axis x, y;
};

Axes axes_of(const LineFigure& figure, const LinePanel& panel, const Box& plot) {
    std::vector<double> y_values;
    for (const LinePanel& other : figure.panels) {
        if (&other != &panel && !figure.same_y) continue;
        const std::vector<double> all = all_of(other, &Series::y);
        y_values.insert(y_values.end(), all.begin(), all.end());
    }
    return {
        Axis(all_of(panel, &Series::x), plot.left, plot.right(), panel.log_x,
             {.at_values = true, .tight = true}),
        Axis(y_values, plot.bottom(), plot.top, panel.log_y, {.from_zero = panel.from_zero && !panel.log_y})};
}

Box plot_of(const Box& place) {
    return {place.left + left_room, place.top + panel_title_room, place.width - left_room - 8.0,
            place.height - panel_title_room - axis_below};
}

void draw_panel(Canvas& canvas, const LineFigure& figure, const LinePanel& panel, const Box& place,
                const Legend& legend) {
    const Box plot = plot_of(place);
    const auto [x, y] = axes_of(figure, panel, plot);
    canvas.open("plot");
    canvas.text({plot.left, place.top + 13.0}, fitted(panel.title, panel_title_size, place.width - left_room),
                {.classes = "panel"});
    draw_axes(canvas, panel, plot, x, y);
    for (const Series& series : panel.series) {
        const std::size_t at = legend[series.name];
        canvas.open("curve", {{"series", series.name}}, series.name);
        draw_curve(canvas, series, x, y,
                   {.colour = legend.colours[at], .width = 2.2, .dashes = legend.dashes[at]});
        canvas.close();
    }
    for (const Series& series : panel.series)
        if (series.x.size() <= most_points)
            draw_points(canvas, panel, series, x, y, legend.colours[legend[series.name]]);
    canvas.close();
}

// A name keeps its colour in all panels. Where a curve would hide another one it is dashed in all of them.
Legend legend_of(const LineFigure& figure, const Grid& grid) {
    Legend legend;
    for (const LinePanel& panel : figure.panels)
        for (const Series& series : panel.series) add_new_names(legend.names, {series.name});
    legend.colours = colours_of(legend.names);
    legend.dashes.resize(legend.names.size());
    for (std::size_t p = 0; p < figure.panels.size(); ++p) {
        const std::vector<Series>& all = figure.panels[p].series;
        const Axes axes = axes_of(figure, figure.panels[p], plot_of(grid.place(p)));
        for (std::size_t i = 0; i < all.size(); ++i)
            for (std::size_t j = 0; j < i; ++j)
                if (hides(all[i], all[j], axes.y))
                    legend.dashes[legend[all[i].name]] = i - j > 1 ? "2 5" : "7 5";
    }
    return legend;
}

}  // namespace

std::string drawn(const LineFigure& figure) {
    Canvas canvas;
    Grid grid;
    grid.panels = figure.panels.size();
    grid.per_row = std::min({figure.panels_per_row, grid.panels, std::size_t{3}});
    const auto across = static_cast<double>(grid.per_row);
    grid.width = std::min(680.0, (figure_width - 2 * margin - grid.gap * (across - 1)) / across);
    grid.height = panel_title_room + axis_below + std::min(tallest_plot, 0.62 * (grid.width - left_room));
    const Legend legend = legend_of(figure, grid);
    std::vector<LegendEntry> entries;
    for (std::size_t i = 0; i < legend.names.size(); ++i)
        entries.push_back({legend.names[i], legend.colours[i], true, legend.dashes[i]});
    const double width = std::max(grid.place(grid.per_row - 1).right() + margin, title_width(figure.title));
    grid.top = draw_title(canvas, figure.title);
    if (entries.size() > 1) grid.top = draw_legend(canvas, entries, grid.top, width) + 6.0;
    for (std::size_t p = 0; p < figure.panels.size(); ++p)
        draw_panel(canvas, figure, figure.panels[p], grid.place(p), legend);
    return canvas.document(width, grid.figure_height(), figure.title);
}

}  // namespace tfs

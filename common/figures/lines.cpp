// common/figures/lines.cpp · curves over one axis, each with its name at its end, each point with its numbers
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "common/figures/drawing.hpp"
#include "common/terminal/display.hpp"

namespace tfs {

namespace {

constexpr double left_room = 74.0, tallest_plot = 290.0, least_plot = 230.0;
constexpr double name_row = 15.0, name_gap = 20.0;
constexpr std::size_t most_names = 6;        // at the curves; more stand in a legend
constexpr std::size_t name_characters = 22;  // of a line of a name
constexpr std::size_t most_points = 40;      // of a curve whose points are drawn

bool is_point(const Series& series, std::size_t i) {
    return std::isfinite(series.x[i]) && std::isfinite(series.y[i]);
}

// What an axis must show: the values, and lines across the plot. Of a zone it shows what there is room for.
std::vector<double> all_of(const LinePanel& panel, const std::vector<double> Series::*axis) {
    std::vector<double> all;
    for (const Series& series : panel.series)
        all.insert(all.end(), (series.*axis).begin(), (series.*axis).end());
    for (const Limit& limit : panel.limits)
        if (!limit.to && limit.on_x == (axis == &Series::x)) all.push_back(limit.from);
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
    for (const Tick& tick : y.ticks()) {
        canvas.path({{plot.left, y(tick.value)}, {plot.right(), y(tick.value)}}, faint);
        canvas.text({plot.left - 7.0, y(tick.value) + 4.0}, tick.label,
                    {.anchor = Anchor::end, .classes = "axis"});
    }
    double free_from = -INFINITY;
    for (const Tick& tick : x.ticks()) {
        const double at = x(tick.value), half = text_width(tick.label, 13.0) / 2;
        canvas.path({{at, plot.bottom()}, {at, plot.bottom() + 4.0}}, {.colour = "#8593a1", .width = 1.0});
        if (at - half < free_from) continue;
        canvas.text({at, plot.bottom() + 17.0}, tick.label, {.anchor = Anchor::middle, .classes = "axis"});
        free_from = at + half + 6.0;
    }
    canvas.path({{plot.left, plot.bottom()}, {plot.right(), plot.bottom()}},
                {.colour = "#8593a1", .width = 1.0});
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

struct Legend : Names {
    std::vector<std::string> colours = {}, dashes = {};
    bool at_curves = true;  // each name stands at its curve
    double room = 8.0;      // behind the plots, for those at the ends
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

// Names that stand behind the ends of curves, in lines.
std::vector<std::string> name_lines(const Series& series) { return wrap(series.name, name_characters); }

// The room for those of a panel.
double room_of_names(const LinePanel& panel) {
    double room = 0.0;
    for (const Series& series : panel.series)
        if (!series.name_at && panel.series.size() > 1)
            for (const std::string& line : name_lines(series))
                room = std::max(room, name_gap + text_width(line, 13.0));
    return room;
}

Box plot_of(const Box& place, double right_room) {
    return {place.left + left_room, place.top + panel_title_room, place.width - left_room - right_room,
            place.height - panel_title_room - axis_below};
}

void draw_limits(Canvas& canvas, const LinePanel& panel, const Box& plot, const Axis& x, const Axis& y) {
    for (const Limit& limit : panel.limits) {
        const Axis& axis = limit.on_x ? x : y;
        const auto inside = [&](double value) {
            return limit.on_x ? std::clamp(axis(value), plot.left, plot.right())
                              : std::clamp(axis(value), plot.top, plot.bottom());
        };
        const double one = inside(limit.from), other = inside(limit.to.value_or(limit.from));
        const double low = std::min(one, other), size = std::max(one, other) - low;
        const Box zone =
            limit.on_x ? Box{low, plot.top, size, plot.height} : Box{plot.left, low, plot.width, size};
        if (limit.to)
            canvas.rectangle(zone, "#d55e00/.12");
        else
            canvas.path({{zone.left, zone.top}, {zone.right(), zone.bottom()}},
                        {.width = 1.2, .dashes = "5 4"});
        // Above a line, or below it where a curve is above.
        const double end = zone.left + 12.0 + text_width(limit.name, 12.0);
        const auto is_above = [&](const Series& series) {
            for (std::size_t i = 0; i < series.x.size(); ++i)
                if (is_point(series, i) && x(series.x[i]) < end && y(series.y[i]) < zone.top &&
                    y(series.y[i]) > zone.top - 20.0)
                    return true;
            return false;
        };
        const bool below = limit.on_x || limit.to || std::ranges::any_of(panel.series, is_above);
        canvas.text({zone.left + 6.0, zone.top + (below ? 14.0 : -5.0)}, limit.name, {.classes = "small"});
    }
}

// The names of the curves: above one where it says so, else behind its end, moved apart, and led to by a thin line.
void draw_names(Canvas& canvas, const LinePanel& panel, const Box& plot, const Axis& x, const Axis& y,
                const Legend& legend) {
    struct Name {
        const Series* series;
        Point end;
        double middle, height;
    };
    std::vector<Name> names;
    for (const Series& series : panel.series) {
        std::optional<Point> end;
        std::size_t at = 0;
        double nearest = INFINITY;
        for (std::size_t i = 0; i < series.x.size(); ++i) {
            if (!is_point(series, i)) continue;
            const double away = series.name_at ? std::abs(series.x[i] - *series.name_at) : -series.x[i];
            if (away > nearest) continue;
            nearest = away;
            at = i;
            end = {x(series.x[i]), y(series.y[i])};
        }
        if (!end) continue;
        constexpr double steep = 0.8;
        const std::size_t behind = std::min(at + 2, series.x.size() - 1);
        if (series.name_at && y(series.y[behind]) - end->y > steep * (x(series.x[behind]) - end->x))
            // Beside a slope, which falls away from it.
            canvas.text({end->x + 7.0, end->y - 3.0}, series.name, {.classes = "bold"});
        else if (series.name_at)
            canvas.text({end->x, end->y - 9.0}, series.name, {.anchor = Anchor::middle, .classes = "bold"});
        else
            names.push_back(
                {&series, *end, end->y, name_row * static_cast<double>(name_lines(series).size())});
    }
    std::stable_sort(names.begin(), names.end(),
                     [](const Name& a, const Name& b) { return a.end.y < b.end.y; });
    const auto apart = [](const Name& a, const Name& b) { return (a.height + b.height) / 2 + 2.0; };
    for (std::size_t i = 1; i < names.size(); ++i)
        names[i].middle = std::max(names[i].middle, names[i - 1].middle + apart(names[i - 1], names[i]));
    double lowest = plot.bottom() + 10.0;
    for (std::size_t i = names.size(); i-- > 0;) {
        names[i].middle = std::min(names[i].middle, lowest - names[i].height / 2);
        lowest = names[i].middle - names[i].height / 2 - 2.0;
    }
    for (const Name& name : names) {
        const double left = plot.right() + name_gap - 4.0;
        canvas.path({name.end, {left - 2.0, name.middle}},
                    {.colour = legend.colours[legend[name.series->name]], .width = 1.0});
        double line_y = name.middle - name.height / 2 + 11.5;
        for (const std::string& line : name_lines(*name.series)) {
            canvas.text({left + 2.0, line_y}, line);
            line_y += name_row;
        }
    }
}

void draw_panel(Canvas& canvas, const LineFigure& figure, const LinePanel& panel, const Box& place,
                const Legend& legend) {
    const Box plot = plot_of(place, legend.room);
    const auto [x, y] = axes_of(figure, panel, plot);
    canvas.open("plot");
    draw_panel_title(canvas, {plot.left, place.top}, panel.title, place.width - left_room);
    draw_axes(canvas, panel, plot, x, y);
    draw_limits(canvas, panel, plot, x, y);
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
    if (legend.at_curves && panel.series.size() > 1) draw_names(canvas, panel, plot, x, y, legend);
    canvas.close();
}

// A name keeps its colour in all panels.
Legend legend_of(const LineFigure& figure) {
    Legend legend;
    for (const LinePanel& panel : figure.panels) {
        for (const Series& series : panel.series) legend.add(series.name, series.hue);
        legend.at_curves = legend.at_curves && panel.series.size() <= most_names;
    }
    legend.colours = colours_of(legend.hues);
    legend.dashes.resize(legend.names.size());
    if (legend.at_curves)
        for (const LinePanel& panel : figure.panels)
            legend.room = std::max(legend.room, room_of_names(panel));
    return legend;
}

// Where a curve would hide another one, or look like it to colour-blind eyes, it is dashed in all panels.
void set_dashes(Legend& legend, const LineFigure& figure, const Grid& grid) {
    for (std::size_t p = 0; p < figure.panels.size(); ++p) {
        const std::vector<Series>& all = figure.panels[p].series;
        const Axes axes = axes_of(figure, figure.panels[p], plot_of(grid.place(p), legend.room));
        for (std::size_t i = 0; i < all.size(); ++i)
            for (std::size_t j = 0; j < i; ++j) {
                const std::size_t upper = legend[all[i].name], lower = legend[all[j].name];
                const bool alike =
                    legend.dashes[lower].empty() && look_alike(legend.colours[upper], legend.colours[lower]);
                if (upper != lower && (alike || hides(all[i], all[j], axes.y)))
                    legend.dashes[upper] = i - j > 1 ? "2 5" : "7 5";
            }
    }
}

}  // namespace

std::string drawn(const LineFigure& figure) {
    Canvas canvas;
    Legend legend = legend_of(figure);
    Grid grid = grid_of(figure.panels.size(), figure.panels_per_row);
    while (grid.per_row > 1 && grid.width - left_room - legend.room < least_plot)
        grid = grid_of(grid.panels, grid.per_row - 1);
    grid.width = std::min(640.0, grid.width);
    const double steep =
        grid.per_row < grid.panels && grid.per_row == 1 ? 0.34 : 0.62;  // below each other: flat
    grid.height = panel_title_room + axis_below + std::min(tallest_plot, steep * (grid.width - left_room));
    set_dashes(legend, figure, grid);
    std::vector<LegendEntry> entries;
    for (std::size_t i = 0; i < legend.names.size() && !legend.at_curves; ++i)
        entries.push_back({legend.names[i], legend.colours[i], true, legend.dashes[i]});
    const double width = std::max(grid.place(grid.per_row - 1).right() + margin, title_width(figure.title));
    grid.top = draw_head(canvas, figure.title, entries, width);
    for (std::size_t p = 0; p < figure.panels.size(); ++p)
        draw_panel(canvas, figure, figure.panels[p], grid.place(p), legend);
    return canvas.document(width, grid.figure_height(), figure.title);
}

}  // namespace tfs

// common/figures/plane.cpp · points, arrows, arcs and boxes in a plane, to scale
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "common/figures/drawing.hpp"

namespace tfs {

namespace {

using Kind = PlaneShape::Kind;

// How the plane lies in the picture.
struct Scale {
    Box place;
    double low_x, high_y, unit;

    Point operator()(double x, double y) const {
        return {place.left + unit * (x - low_x), place.top + unit * (high_y - y)};
    }
};

Point on_circle(const PlaneShape& arc, double degrees, double radius) {
    const double angle = degrees * 3.14159265358979 / 180.0;
    return {arc.from_x + radius * std::cos(angle), arc.from_y + radius * std::sin(angle)};
}

// A label beyond the tip of an arrow, on the side to which it points.
void label_tip(Canvas& canvas, const PlaneShape& arrow, Point tip) {
    const double x = arrow.to_x - arrow.from_x, y = arrow.to_y - arrow.from_y,
                 length = std::max(1e-9, std::hypot(x, y));
    const Anchor anchor = x > 0.35 * length    ? Anchor::start
                          : x < -0.35 * length ? Anchor::end
                                               : Anchor::middle;
    canvas.text({tip.x + 8.0 * x / length, tip.y - 11.0 * y / length + 4.5}, arrow.label,
                {.anchor = anchor, .classes = "bold"});
}

void draw_shape(Canvas& canvas, const PlaneShape& shape, const Scale& at) {
    const std::string colour = shape.hue == Hue::other ? "#46535f" : colour_of(shape.hue);
    const double bold = shape.size > 0.0 ? shape.size : 1.0;
    const Point from = at(shape.from_x, shape.from_y), to = at(shape.to_x, shape.to_y);
    const TextStyle centred{.anchor = Anchor::middle};
    const std::string fill = shape.light ? colour + "/.2" : colour;
    switch (shape.kind) {
        case Kind::point:
            canvas.disc(from, 4.0 * bold, colour, "#fff");
            canvas.text({from.x + 4.0 * bold + 5.0, from.y + 4.5}, shape.label);
            break;
        case Kind::text:
            canvas.text({from.x, from.y + 4.5}, shape.label, centred);
            break;
        case Kind::line:
            canvas.path({from, to},
                        {.colour = colour, .width = 1.3 * bold, .dashes = shape.light ? "5 4" : ""});
            canvas.text({(from.x + to.x) / 2 + 7.0, (from.y + to.y) / 2 - 6.0}, shape.label,
                        {.classes = "small"});
            break;
        case Kind::arrow:
            canvas.path(
                {from, to},
                {.colour = colour, .width = 2.0 * bold, .dashes = shape.light ? "5 4" : "", .arrow = true});
            label_tip(canvas, shape, to);
            break;
        case Kind::arc: {
            std::vector<Point> points;
            constexpr int steps = 36;
            for (int i = 0; i <= steps; ++i) {
                const Point one = on_circle(
                    shape, std::lerp(shape.to_x, shape.to_y, static_cast<double>(i) / steps), shape.size);
                points.push_back(at(one.x, one.y));
            }
            canvas.path(points, {.colour = colour, .width = 2.4, .arrow = !shape.light});
            const Point middle = on_circle(shape, (shape.to_x + shape.to_y) / 2, shape.size + 18.0 / at.unit),
                        place = at(middle.x, middle.y);
            canvas.text({place.x, place.y + 4.5}, shape.label, {.anchor = Anchor::middle, .classes = "bold"});
            break;
        }
        case Kind::circle:
            canvas.disc(from, shape.size * at.unit, shape.light ? fill : "none", colour);
            canvas.text({from.x, from.y + 4.5}, shape.label, centred);
            break;
        case Kind::rectangle: {
            const Box box{std::min(from.x, to.x), std::min(from.y, to.y), std::abs(to.x - from.x),
                          std::abs(to.y - from.y)};
            canvas.rectangle(box, fill, 3.0, colour);
            canvas.text({box.middle().x, box.middle().y + 4.5}, shape.label,
                        {.anchor = Anchor::middle,
                         .classes = shape.light       ? ""
                                    : is_dark(colour) ? "light"
                                                      : "black"});
            break;
        }
    }
}

}  // namespace

std::string drawn(const PlaneFigure& figure) {
    Canvas canvas;
    Grid grid = grid_of(figure.panels.size(), figure.panels_per_row);
    double unit = INFINITY, tallest = 0.0, title_room = 0.0;
    for (const PlanePanel& panel : figure.panels) {
        unit =
            std::min({unit, grid.width / (panel.high_x - panel.low_x), 520.0 / (panel.high_y - panel.low_y)});
        tallest = std::max(tallest, panel.high_y - panel.low_y);
        if (!panel.title.empty()) title_room = panel_title_room;
    }
    grid.height = title_room + unit * tallest;
    grid.top = draw_title(canvas, figure.title) + 4.0;
    double right = title_width(figure.title);
    for (std::size_t p = 0; p < figure.panels.size(); ++p) {
        const PlanePanel& panel = figure.panels[p];
        const Box place = grid.place(p);
        const double title = std::min(grid.width, text_width(panel.title, panel_title_size));
        right = std::max(
            {right, place.left + title + margin, place.left + unit * (panel.high_x - panel.low_x) + margin});
        canvas.open("plane");
        draw_panel_title(canvas, {place.left, place.top}, panel.title, grid.width);
        const Scale at{{place.left, place.top + title_room, 0.0, 0.0}, panel.low_x, panel.high_y, unit};
        for (const PlaneShape& shape : panel.shapes) draw_shape(canvas, shape, at);
        canvas.close();
    }
    return canvas.document(right, grid.figure_height(), figure.title);
}

}  // namespace tfs

// common/figures/flow.cpp · the data flow through blocks: boxes from the bottom up, what goes around them, and links
//
// A panel is a column of boxes around a centre line; residual connections and brackets run on its left, shapes and inputs
// stand on its right.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "common/figures/drawing.hpp"
#include "common/terminal/display.hpp"

namespace tfs {

namespace {

constexpr double box_height = 32.0, flow_circle = 22.0, input_height = 16.0, flow_arrow = 34.0,
                 flow_gap = 16.0;
constexpr double least_box = 150.0, link_room = 26.0, input_arrow = 34.0, residual_room = 20.0,
                 bracket_room = 46.0;

struct FlowColours {
    std::string fill, frame;
};
FlowColours flow_colours(FlowKind kind) {
    if (kind == FlowKind::add) return {"#fff", "#46535f"};
    const Hue hue = kind == FlowKind::norm           ? Hue::norm
                    : kind == FlowKind::attention    ? Hue::attention
                    : kind == FlowKind::feed_forward ? Hue::feed_forward
                                                     : Hue::residual;
    const std::string colour = colour_of(hue);
    return {colour + (hue == Hue::residual ? "/.1" : "/.2"), colour};
}

bool is_circle(const FlowBox& box) { return box.kind == FlowKind::add && display_width(box.name) <= 2; }

double height_of(const FlowBox& box) {
    return is_circle(box) ? flow_circle : box.kind == FlowKind::input ? input_height : box_height;
}

// Where a panel's parts lie. `brackets` are the x of brackets.
struct FlowPlace {
    double left = 0.0, centre = 0.0, right = 0.0;
    std::vector<Box> boxes = {};
    std::vector<double> brackets = {};
};

// Whether what leaves a box is the stream itself: no residual connection goes around it.
bool is_stream(const FlowPanel& panel, std::size_t box) {
    return !panel.residuals.empty() &&
           std::none_of(panel.residuals.begin(), panel.residuals.end(),
                        [box](const FlowResidual& one) { return one.from <= box && box < one.to; });
}

// Whether an arrow leaves the box along its column.
bool leaves(const FlowFigure& figure, std::size_t panel, std::size_t box) {
    if (box + 1 != figure.panels[panel].boxes.size()) return true;
    return std::none_of(figure.links.begin(), figure.links.end(), [=](const FlowLink& link) {
        return link.from_panel == panel && link.from_box == box;
    });
}

double room_on_the_right(const FlowFigure& figure, std::size_t p, double width) {
    double room = std::max(width / 2, text_width(figure.panels[p].title, panel_title_size) / 2);
    for (std::size_t b = 0; b < figure.panels[p].boxes.size(); ++b)
        room = std::max(room, 10.0 + (leaves(figure, p, b) ? 0.0 : width / 2) +
                                  text_width(figure.panels[p].boxes[b].shape, 12.0));
    for (const FlowInput& input : figure.panels[p].inputs)
        room = std::max(room, width / 2 + input_arrow + 6.0 +
                                  std::max(text_width(input.name, 13.0), text_width(input.shape, 12.0)));
    return room;
}

double length_of(const FlowPanel& panel) {
    double length = 0.0;
    for (const FlowBox& box : panel.boxes) length += height_of(box) + flow_arrow;
    return length;
}

// The panel from x = `left` on; its lowest box ends at y = `bottom`.
FlowPlace place_of(const FlowFigure& figure, std::size_t p, double left, double bottom, double width) {
    const FlowPanel& panel = figure.panels[p];
    const bool linked = std::any_of(figure.links.begin(), figure.links.end(),
                                    [p](const FlowLink& link) { return link.to_panel == p; });
    FlowPlace place{.left = left};
    double room = std::max(width / 2, text_width(panel.title, panel_title_size) / 2);
    if (!panel.residuals.empty()) room = std::max(room, width / 2 + residual_room + 4.0);
    if (!panel.repeats.empty()) room += bracket_room;
    place.centre = left + room + (linked ? link_room : 0.0);
    place.right = place.centre + room_on_the_right(figure, p, width);
    place.brackets.assign(panel.repeats.size(), place.centre - room + bracket_room - 10.0);
    for (const FlowBox& box : panel.boxes) {
        const double own = is_circle(box)                ? flow_circle
                           : box.kind == FlowKind::input ? text_width(box.name, 13.0) + 8.0
                                                         : width;
        const double height = height_of(box);
        place.boxes.push_back({place.centre - own / 2, bottom - height, own, height});
        bottom -= height + flow_arrow;
    }
    return place;
}

void draw_box(Canvas& canvas, const FlowBox& box, const Box& at, double centre, bool has_arrow, bool stream) {
    const FlowColours colours = flow_colours(box.kind);
    canvas.open("box", {{"name", box.name}}, box.shape.empty() ? box.name : box.name + ": " + box.shape);
    if (is_circle(box)) {
        canvas.disc(at.middle(), flow_circle / 2, colours.fill, colours.frame);
    } else if (box.kind != FlowKind::input) {
        canvas.rectangle(at, colours.fill, 6.0, colours.frame);
    }
    canvas.text({centre, at.middle().y + 4.2}, box.name, {.anchor = Anchor::middle});
    canvas.text(has_arrow ? Point{centre + 9.0, at.top - flow_arrow / 2 + 4.0}
                          : Point{at.right() + 9.0, at.top + 8.0},
                box.shape, {.classes = "small"});
    Stroke stroke{.arrow = true};
    if (stream) stroke = {.colour = colour_of(Hue::residual), .width = 2.6, .arrow = true};
    if (has_arrow) canvas.path({{centre, at.top}, {centre, at.top - flow_arrow}}, stroke);
    canvas.close();
}

// From the arrow that leaves one box, around those in between, into the side of another.
void draw_residual(Canvas& canvas, const FlowResidual& residual, const FlowPlace& place, double width) {
    const Box& to = place.boxes[residual.to];
    const double line = place.centre - width / 2 - residual_room;
    const Point start{place.centre, place.boxes[residual.from].top - 0.4 * flow_arrow};
    const std::string colour = colour_of(Hue::residual);
    canvas.path({{place.centre, place.boxes[residual.from].top},
                 start,
                 {line, start.y},
                 {line, to.middle().y},
                 {to.left, to.middle().y}},
                {.colour = colour, .width = 2.6, .arrow = true});
    canvas.disc(start, 2.8, colour);
}

void draw_input(Canvas& canvas, const FlowInput& input, const FlowPlace& place) {
    const Box& to = place.boxes[input.to];
    const double y = to.middle().y, text = to.right() + input_arrow + 6.0;
    canvas.path({{to.right() + input_arrow, y}, {to.right(), y}}, {.arrow = true});
    canvas.text({text, input.shape.empty() ? y + 4.0 : y - 2.0}, input.name);
    canvas.text({text, y + 12.0}, input.shape, {.classes = "small"});
}

void draw_repeat(Canvas& canvas, const FlowRepeat& repeat, const FlowPlace& place, double x) {
    const double low = place.boxes[repeat.first].bottom() + 6.0, high = place.boxes[repeat.last].top - 6.0;
    canvas.path({{x + 8.0, low}, {x, low}, {x, high}, {x + 8.0, high}}, {.colour = "#8c99a6", .width = 1.6});
    canvas.text({x - 7.0, std::lerp(low, high, 0.3) + 4.0}, repeat.times,
                {.anchor = Anchor::end, .classes = "bold"});
}

// Out of the side of a box, along the edge of the other panel, into the side of the other box.
std::vector<Point> path_of(const FlowLink& link, const std::vector<FlowPlace>& places) {
    const FlowPlace& to = places[link.to_panel];
    const Box &begin = places[link.from_panel].boxes[link.from_box], &end = to.boxes[link.to_box];
    const bool right = link.from_panel < link.to_panel;
    const double turn = right ? to.left : to.right;
    return {{right ? begin.right() : begin.left, begin.middle().y},
            {turn, begin.middle().y},
            {turn, end.middle().y},
            {right ? end.left : end.right(), end.middle().y}};
}

}  // namespace

std::string drawn(const FlowFigure& figure) {
    Canvas canvas;
    double width = least_box, longest = 0.0;
    for (const FlowPanel& panel : figure.panels) {
        longest = std::max(longest, length_of(panel));
        for (const FlowBox& box : panel.boxes) width = std::max(width, text_width(box.name, 13.0) + 24.0);
    }
    const double top = draw_title(canvas, figure.title), bottom = top + panel_title_room + longest;
    std::vector<FlowPlace> places;
    for (std::size_t p = 0; p < figure.panels.size(); ++p)
        places.push_back(
            place_of(figure, p, places.empty() ? margin : places.back().right + flow_gap, bottom, width));
    // A line that another one crosses is interrupted: white, wider, below the one that is drawn later.
    for (std::size_t p = 0; p < figure.panels.size(); ++p) {
        const FlowPanel& panel = figure.panels[p];
        canvas.text({places[p].centre, bottom - length_of(panel) - 8.0}, panel.title,
                    {.anchor = Anchor::middle, .classes = "panel"});
        for (const FlowResidual& residual : panel.residuals)
            draw_residual(canvas, residual, places[p], width);
        for (const FlowInput& input : panel.inputs) draw_input(canvas, input, places[p]);
    }
    for (const FlowLink& link : figure.links)
        canvas.path(path_of(link, places), {.colour = "#fff", .width = 6.0});
    for (const FlowLink& link : figure.links)
        canvas.path(path_of(link, places), {.colour = colour_of(Hue::cross), .width = 2.6, .arrow = true});
    for (std::size_t p = 0; p < figure.panels.size(); ++p) {
        const FlowPanel& panel = figure.panels[p];
        for (std::size_t b = 0; b < panel.boxes.size(); ++b)
            draw_box(canvas, panel.boxes[b], places[p].boxes[b], places[p].centre, leaves(figure, p, b),
                     is_stream(panel, b));
        for (std::size_t i = 0; i < panel.repeats.size(); ++i)
            draw_repeat(canvas, panel.repeats[i], places[p], places[p].brackets[i]);
    }
    const double title = title_width(figure.title);
    return canvas.document(std::max(places.back().right + margin, title), bottom + margin, figure.title);
}

std::string svg(const Figure& figure) {
    require_drawable(figure);
    return std::visit([](const auto& one) { return drawn(one); }, figure);
}

}  // namespace tfs

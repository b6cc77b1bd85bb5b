// common/figures/flow_script.cpp · the data flow through blocks as a gnuplot script
#include <fmt/format.h>

#include <cmath>

#include "common/figures/figure_parts.hpp"
#include "common/figures/flow_layout.hpp"

namespace tfs {
namespace {

constexpr double corner = 5.0;  // the radius of a box' corners
constexpr const char* name_style = "font ',10.5' tc rgb '#202020'";
constexpr const char* shape_style = "font ',9.5' tc rgb '#606060'";

constexpr const char* line_style = "lw 1.2 lc rgb '#505050'";

struct Colours {
    const char *fill, *frame;
};
Colours colours_of(FlowKind kind) {
    switch (kind) {
        case FlowKind::norm:
            return {"#fdf3c8", "#c9ab3c"};
        case FlowKind::attention:
            return {"#fbdcc0", "#cf8a4b"};
        case FlowKind::feed_forward:
            return {"#d3e5f5", "#6494bf"};
        case FlowKind::add:
            return {"#ffffff", "#404040"};
        case FlowKind::input:
        case FlowKind::other:
            break;
    }
    return {"#f1f1f1", "#8c8c8c"};
}

struct Point {
    double x, y;
};

// Numbers the script's labels; objects and arrows are numbered by gnuplot.
class Script {
  public:
    void comment(const std::string& words) { text_ += fmt::format("\n# {}\n", gnuplot_string(words)); }

    void label(const std::string& words, Point at, const std::string& style) {
        if (!words.empty()) text_ += gnuplot_label(next_label_++, words, at.x, at.y, style);
    }

    // A line through all points, with an arrow's head at the last one.
    void path(const std::vector<Point>& points) {
        for (std::size_t i = 1; i < points.size(); ++i)
            piece(points[i - 1], points[i], i + 1 == points.size() ? "head filled size 7,20" : "nohead",
                  line_style);
    }

    // White, wider than a line: what is drawn before ends on both sides of one that crosses it.
    void ground(const std::vector<Point>& points) {
        for (std::size_t i = 1; i < points.size(); ++i)
            piece(points[i - 1], points[i], "nohead", "lw 6 lc rgb 'white'");
    }

    void disc(Point at, double radius, Colours colours) {
        text_ += fmt::format(
            "set object circle at {:.1f},{:.1f} size {:.1f} front fc rgb '{}' fs solid 1 border lc "
            "rgb '{}' lw 1.2\n",
            at.x, at.y, radius, colours.fill, colours.frame);
    }

    // A rectangle with round corners.
    void box(Point low, Point high, Colours colours) {
        std::string points;
        for (int i = 0; i <= 16; ++i) {
            const int quarter = (i % 16) / 4;
            const double angle = (i % 16 - quarter) * std::acos(-1.0) / 6.0;
            const double x =
                (quarter == 0 || quarter == 3 ? high.x - corner : low.x + corner) + corner * std::cos(angle);
            const double y = (quarter < 2 ? high.y - corner : low.y + corner) + corner * std::sin(angle);
            points += fmt::format("{}{:.1f},{:.1f}", i == 0 ? "from " : " to ", x, y);
        }
        text_ += fmt::format(
            "set object polygon {} \\\n    front fc rgb '{}' fs solid 1 border lc rgb '{}' lw 1.2\n", points,
            colours.fill, colours.frame);
    }

    const std::string& text() const { return text_; }

  private:
    std::string text_;
    int next_label_ = 20;

    void piece(Point from, Point to, const char* end, const char* style) {
        text_ += fmt::format("set arrow from {:.1f},{:.1f} to {:.1f},{:.1f} {} back {}\n", from.x, from.y,
                             to.x, to.y, end, style);
    }
};

// A box with its name, and the arrow that leaves it with the shape beside it. An output that goes to another panel
// alone has no such arrow.
void draw_box(Script& script, const FlowBox& box, const FlowBoxPlace& place, double x, double arrow,
              bool leaves) {
    script.comment(box.name);
    const Point middle{x, place.middle()};
    const double half_height = std::abs(place.exit - place.entry) / 2;
    if (is_circle(box)) {
        script.disc(middle, half_height, colours_of(box.kind));
    } else if (box.kind != FlowKind::input) {
        script.box({x - place.half_width, middle.y - half_height},
                   {x + place.half_width, middle.y + half_height}, colours_of(box.kind));
    }
    script.label(box.name, middle, std::string("front center ") + name_style);
    const Point beside =
        leaves ? Point{x + 9.0, place.exit + 0.5 * arrow} : Point{x + place.half_width + 9.0, middle.y + 9.0};
    script.label(box.shape, beside, std::string("front left ") + shape_style);
    if (leaves) script.path({{x, place.exit}, {x, place.exit + arrow}});
}

// From the arrow that leaves one box, around those in between, into the side of another.
void draw_residual(Script& script, const FlowResidual& residual, const FlowPanelPlace& place,
                   std::size_t index, double arrow) {
    const double line = place.residuals[index];
    const FlowBoxPlace& to = place.boxes[residual.to];
    const Point start{place.centre, place.boxes[residual.from].exit + 0.4 * arrow};
    script.path({start, {line, start.y}, {line, to.middle()}, {place.centre - to.half_width, to.middle()}});
    script.disc(start, 2.0, {"#505050", "#505050"});
    script.label(residual.label, {line - 9.0, (start.y + to.middle()) / 2},
                 std::string("front center rotate by 90 ") + shape_style);
}

void draw_input(Script& script, const FlowInput& input, const FlowPanelPlace& place) {
    const FlowBoxPlace& to = place.boxes[input.to];
    const double edge = place.centre + to.half_width;
    const double y = to.middle();
    const double text = edge + flow_input_arrow + 6.0;
    script.path({{edge + flow_input_arrow, y}, {edge, y}});
    script.label(input.name, {text, input.shape.empty() ? y : y + 7.0},
                 std::string("front left ") + name_style);
    script.label(input.shape, {text, y - 7.0}, std::string("front left ") + shape_style);
}

// Out of the side of a box, along the edge of the other panel, into the side of the other box.
std::vector<Point> path_of(const FlowLink& link, const FlowLayout& layout) {
    const FlowPanelPlace& from = layout.panels[link.from_panel];
    const FlowPanelPlace& to = layout.panels[link.to_panel];
    const FlowBoxPlace& begin = from.boxes[link.from_box];
    const FlowBoxPlace& end = to.boxes[link.to_box];
    const double side = link.from_panel < link.to_panel ? 1.0 : -1.0;
    const double turn = side > 0.0 ? to.left : to.right;
    return {{from.centre + side * begin.half_width, begin.middle()},
            {turn, begin.middle()},
            {turn, end.middle()},
            {to.centre - side * end.half_width, end.middle()}};
}

}  // namespace

std::string gnuplot_script(const FlowFigure& figure, FigureFormat format) {
    const FlowLayout layout = lay_out(figure);
    Script script;
    for (std::size_t p = 0; p < figure.panels.size(); ++p) {
        const FlowPanel& panel = figure.panels[p];
        const FlowPanelPlace& place = layout.panels[p];
        script.comment(panel.title);
        script.label(panel.title, {place.centre, layout.titles}, "front center font ',12' tc rgb '#202020'");
        for (std::size_t i = 0; i < panel.residuals.size(); ++i)
            draw_residual(script, panel.residuals[i], place, i, layout.arrow);
        for (const FlowInput& input : panel.inputs) draw_input(script, input, place);
    }
    script.comment("links");
    for (const FlowLink& link : figure.links) script.ground(path_of(link, layout));
    for (const FlowLink& link : figure.links) script.path(path_of(link, layout));
    for (std::size_t p = 0; p < figure.panels.size(); ++p) {
        const FlowPanelPlace& place = layout.panels[p];
        for (std::size_t b = 0; b < place.boxes.size(); ++b) {
            draw_box(script, figure.panels[p].boxes[b], place.boxes[b], place.centre, layout.arrow,
                     !ends_in_links(figure, p, b));
        }
    }
    std::string text = gnuplot_head(figure.name, figure.title, format, layout.width, layout.height);
    text += "# One unit of both axes is one point.\nunset key\nunset tics\nunset border\n";
    text += gnuplot_margins(0.0, layout.width, 0.0, layout.height);
    text += gnuplot_title(figure.title, layout.height) + script.text();
    return text + "\nplot [0:width] [0:height] NaN\n";
}

}  // namespace tfs

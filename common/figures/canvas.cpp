// common/figures/canvas.cpp · SVG, character by character
#include "common/figures/canvas.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "common/figures/figure.hpp"
#include "common/terminal/display.hpp"

namespace tfs {

namespace {

constexpr double text_size = 13.0;  // of texts without a class
// On a dark page paper and ink change; cells, whose colours say numbers, are turned around together with their numbers.
constexpr std::string_view style_sheet =
    "<style>.tfs text{font:13px system-ui,\"Segoe UI\",\"Noto Sans\",\"Noto Sans KR\",\"Apple SD Gothic "
    "Neo\",\"Malgun Gothic\",sans-serif;fill:#1c2733}"
    ".tfs .title{font-size:17px;font-weight:600}.tfs .panel{font-size:14px;font-weight:600}"
    ".tfs .axis{fill:#566575}.tfs .small{font-size:12px;fill:#3d4a57}.tfs .bold{font-weight:600}"
    ".tfs .cells text{font-size:12px;fill:#000;text-anchor:middle;pointer-events:none}"
    ".tfs .light,.tfs .cells .light{fill:#fff}.tfs .black{fill:#000}"
    "@media screen and (prefers-color-scheme:dark){.tfs text{fill:#e6edf3}.tfs .axis,.tfs "
    ".small{fill:#a9b7c4}"
    ".tfs .cells text,.tfs .black{fill:#000}.tfs .light,.tfs .cells .light{fill:#fff}"
    ".tfs [fill=\"#fff\"]{fill:#131a22}.tfs [stroke=\"#fff\"]{stroke:#131a22}"
    ".tfs [fill=\"#46535f\"]{fill:#b4c0cb}.tfs [stroke=\"#46535f\"]{stroke:#b4c0cb}"
    ".tfs .cells,.tfs .scale{filter:invert(.88) hue-rotate(180deg)}}</style>";

// Coordinates: a tenth of a pixel is finer than any screen. -0.0 is 0.
std::string px(double value) {
    const double tenths = std::round(value * 10.0) / 10.0;
    return fmt::format("{:g}", tenths == 0.0 ? 0.0 : tenths);
}

// A fill may end in how opaque it is: "#8593a1/.25".
std::string painted(std::string_view fill, std::string_view stroke) {
    const std::size_t slash = fill.find('/');
    std::string text = fmt::format(" fill=\"{}\"", fill.substr(0, slash));
    if (slash != std::string_view::npos) text += fmt::format(" fill-opacity=\"{}\"", fill.substr(slash + 1));
    return text + (stroke.empty() ? "" : fmt::format(" stroke=\"{}\" stroke-width=\"1.2\"", stroke));
}

std::string placed(const Box& box, double round) {
    return fmt::format(" x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\"{}", px(box.left), px(box.top),
                       px(box.width), px(box.height),
                       round > 0.0 ? fmt::format(" rx=\"{}\"", px(round)) : "");
}

std::string marked(const Attributes& data) {
    std::string text;
    for (const auto& [name, value] : data) text += fmt::format(" data-{}=\"{}\"", name, escaped(value));
    return text;
}

// How wide a character is, in sizes of its letters; of the sans-serif fonts that systems have, rather too much.
double letter_width(std::uint32_t code) {
    constexpr std::string_view narrow = "iljtfI.,:;'|!()[] -/", wide = "mwMW%@";
    if (character_width(code) != 1) return static_cast<double>(character_width(code)) / 2;
    if (code >= 128) return 0.64;
    const char letter = static_cast<char>(code);
    if (narrow.find(letter) != std::string_view::npos) return 0.34;
    if (wide.find(letter) != std::string_view::npos) return 0.9;
    return letter >= 'A' && letter <= 'Z' ? 0.7 : 0.62;
}

}  // namespace

std::string escaped(std::string_view text) {
    std::string result;
    while (!text.empty()) {
        const Utf8Character next = first_character(text);
        const std::string_view bytes = text.substr(0, next.bytes);
        text.remove_prefix(next.bytes);
        if (!next.valid || (is_control(next.code) && next.code >= 0x7F) || next.code == 0xFFFE ||
            next.code == 0xFFFF) {
            result += next.code == 0x7F ? "␡" : "\uFFFD";
        } else if (next.code < 0x20) {  // U+2400 and on are pictures of them: ␀ ␁ … ␛
            result += fmt::format("\xE2\x90{}", static_cast<char>(0x80 + next.code));
        } else if (bytes == "<") {
            result += "&lt;";
        } else if (bytes == ">") {
            result += "&gt;";
        } else if (bytes == "&") {
            result += "&amp;";
        } else if (bytes == "\"") {
            result += "&quot;";
        } else {
            result += bytes;
        }
    }
    return result;
}

double text_width(std::string_view text, double size) {
    double width = 0.0;
    while (!text.empty()) {
        const Utf8Character next = first_character(text);
        width += letter_width(next.code);
        text.remove_prefix(next.bytes);
    }
    return size * width;
}

std::string fitted(std::string_view text, double size, double width) {
    if (text_width(text, size) <= width) return std::string(text);
    std::string kept;
    while (!text.empty()) {
        const std::string_view next = text.substr(0, first_character(text).bytes);
        if (text_width(kept, size) + text_width(next, size) + size > width) break;
        kept += next;
        text.remove_prefix(next.size());
    }
    return kept + "…";
}

void Canvas::rectangle(const Box& box, std::string_view fill, double round, std::string_view stroke) {
    body_ += "<rect" + placed(box, round) + painted(fill, stroke) + "/>\n";
}

void Canvas::rectangle(const Box& box, std::string_view fill, double round, std::string_view classes,
                       const Attributes& data, std::string_view title) {
    body_ += fmt::format("<rect class=\"{}\"{}{}{}><title>{}</title></rect>\n", classes, marked(data),
                         placed(box, round), painted(fill, {}), escaped(title));
}

std::string Canvas::cell_size(double width, double height, double round) {
    std::string name = fmt::format("cell-{}-{}", px(width), px(height));
    std::replace(name.begin(), name.end(), '.', '_');
    // The last rule: the faint fill of a row is no fill of cells with their own, and of numbers.
    body_ += fmt::format(
        "<style>.tfs .{0} rect{{width:{1}px;height:{2}px{3}}}"
        ".tfs .{0} rect[fill]:not([fill-opacity]),.tfs .{0} text{{fill-opacity:1}}</style>\n",
        name, px(width), px(height), round > 0.0 ? fmt::format(";rx:{}px", px(round)) : "");
    return name;
}

void Canvas::open_row(const CellRow& row) {
    body_ += fmt::format("<g class=\"cells\" data-r=\"{}\" transform=\"translate({} {})\"{}>\n", row.index,
                         px(row.at.x), px(row.at.y), row.fill.empty() ? "" : painted(row.fill, {}));
}

void Canvas::cell(double x, std::string_view fill, std::string_view title) {
    body_ += fmt::format("<rect x=\"{}\"{}><title>{}</title></rect>\n", px(x),
                         fill.empty() ? "" : painted(fill, {}), escaped(title));
}

void Canvas::cell_number(const CellRow& row, double x, std::string_view number, bool light) {
    if (number.empty()) return;
    body_ += fmt::format("<text x=\"{}\" y=\"{}\"{}>{}</text>\n", px(x), px(row.height / 2 + 4.2),
                         light ? " class=\"light\"" : "", escaped(number));
}

void Canvas::pixels(const Box& box, std::size_t columns, const std::vector<std::string>& fills,
                    const std::vector<std::pair<std::string_view, std::vector<std::string>>>& data) {
    std::map<std::string, std::string> paths;  // by colour
    for (std::size_t begin = 0, end = 0; begin < fills.size(); begin = end) {
        const std::size_t row = begin / columns, row_end = (row + 1) * columns;
        for (end = begin + 1; end < row_end && fills[end] == fills[begin];) ++end;
        if (!fills[begin].empty())
            paths[fills[begin]] +=
                fmt::format("M{} {}h{}v1h-{}z", begin % columns, row, end - begin, end - begin);
    }
    std::string marks;
    for (const auto& [name, lines] : data) {
        marks += fmt::format(" data-{}=\"", name);
        for (std::size_t i = 0; i < lines.size(); ++i) marks += (i > 0 ? "&#10;" : "") + escaped(lines[i]);
        marks += '"';
    }
    body_ += fmt::format(
        "<svg class=\"cells\"{} x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\" viewBox=\"0 0 {} {}\" "
        "preserveAspectRatio=\"none\" "
        "shape-rendering=\"crispEdges\">\n",
        marks, px(box.left), px(box.top), px(box.width), px(box.height), columns, fills.size() / columns);
    for (const auto& [fill, path] : paths)
        body_ += fmt::format("<path{} d=\"{}\"/>\n", painted(fill, {}), path);
    body_ += "</svg>\n";
}

void Canvas::disc(Point centre, double radius, std::string_view fill, std::string_view stroke) {
    body_ += fmt::format("<circle cx=\"{}\" cy=\"{}\" r=\"{}\"{}/>\n", px(centre.x), px(centre.y), px(radius),
                         painted(fill, stroke));
}

void Canvas::path(const std::vector<Point>& points, const Stroke& stroke) {
    std::vector<Point> line = points;
    std::string head;
    if (stroke.arrow && points.size() > 1) {
        // The line ends within its head, so that a bold one has a point, too.
        const double size = std::min(2.0 + 1.3 * stroke.width, 9.0);
        const Point tip = points.back();
        const auto from_tip = [&](Point one) { return std::hypot(tip.x - one.x, tip.y - one.y); };
        while (line.size() > 2 && from_tip(line[line.size() - 2]) < 1.5 * size) line.erase(line.end() - 2);
        const Point before = line[line.size() - 2];
        const double length = std::max(1e-9, from_tip(before));
        const double x = size * (tip.x - before.x) / length, y = size * (tip.y - before.y) / length;
        line.back() = {tip.x - 1.5 * x, tip.y - 1.5 * y};
        head = fmt::format("<path d=\"M{} {}L{} {}L{} {}Z\" fill=\"{}\"/>\n", px(tip.x), px(tip.y),
                           px(tip.x - 2 * x - y), px(tip.y - 2 * y + x), px(tip.x - 2 * x + y),
                           px(tip.y - 2 * y - x), stroke.colour);
    }
    std::string places;
    for (const Point& point : line)
        places += fmt::format("{}{} {}", places.empty() ? "M" : "L", px(point.x), px(point.y));
    body_ += fmt::format(
        "<path d=\"{}\" fill=\"none\" stroke=\"{}\" stroke-width=\"{}\"{}{} stroke-linejoin=\"round\"/>\n{}",
        places, stroke.colour, px(stroke.width),
        stroke.opacity < 1.0 ? fmt::format(" stroke-opacity=\"{:g}\"", stroke.opacity) : "",
        stroke.dashes.empty() ? "" : fmt::format(" stroke-dasharray=\"{}\"", stroke.dashes), head);
}

void Canvas::text(Point at, std::string_view words, const TextStyle& style) {
    if (words.empty()) return;
    constexpr const char* anchors[] = {"", " text-anchor=\"middle\"", " text-anchor=\"end\""};
    body_ += fmt::format("<text x=\"{0}\" y=\"{1}\"{2}", px(at.x), px(at.y),
                         anchors[static_cast<int>(style.anchor)]);
    if (!style.classes.empty()) body_ += fmt::format(" class=\"{}\"", style.classes);
    if (style.size > 0.0 && (style.size != text_size || !style.classes.empty()))
        body_ += fmt::format(" style=\"font-size:{}px\"", px(style.size));
    if (style.turned != 0.0)
        body_ += fmt::format(" transform=\"rotate({} {} {})\"", px(style.turned), px(at.x), px(at.y));
    body_ += ">" + escaped(words) + "</text>\n";
}

void Canvas::open(std::string_view classes, const Attributes& data, std::string_view title) {
    body_ += fmt::format("<g class=\"{}\"{}>", classes, marked(data));
    if (!title.empty()) body_ += "<title>" + escaped(title) + "</title>";
}

void Canvas::close() { body_ += "</g>\n"; }

std::string Canvas::document(double width, double height, std::string_view name) const {
    const double scale = std::min(1.0, figure_width / width);  // a wider one is drawn smaller
    return fmt::format(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"tfs\" viewBox=\"0 0 {0} {1}\" width=\"{2}\" "
        "height=\"{3}\" "
        "role=\"img\" aria-label=\"{4}\">\n{5}\n<rect width=\"{0}\" height=\"{1}\" rx=\"8\" "
        "fill=\"#fff\"/>\n{6}</svg>\n",
        px(width), px(height), px(scale * width), px(scale * height), escaped(name), style_sheet, body_);
}

}  // namespace tfs

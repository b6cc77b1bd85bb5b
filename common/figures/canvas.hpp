// common/figures/canvas.hpp · all that knows SVG: rectangles, lines, texts, groups, and what a pointer reads from them
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace tfs {

struct Point {
    double x = 0.0, y = 0.0;  // in pixels of a figure at full width; y grows downwards
};

struct Box {
    double left = 0.0, top = 0.0, width = 0.0, height = 0.0;

    double right() const { return left + width; }
    double bottom() const { return top + height; }
    Point middle() const { return {left + width / 2, top + height / 2}; }
};

enum class Anchor { start, middle, end };

// How a text is written. Its colour and size come from the classes of the style sheet in canvas.cpp: "title", "panel",
// "axis", "small" and "bold"; "light" (white) and "black" are for a text on a colour.
struct TextStyle {
    Anchor anchor = Anchor::start;
    std::string_view classes = {};
    double turned = 0.0;  // degrees, clockwise, around the point
    double size = 0.0;    // in place of that of the class
};

// A row of cells of one size: where the first one begins, and the colour of those without one.
struct CellRow {
    std::size_t index = 0;
    Point at;
    double height = 0.0;
    std::string fill = {};
};

// How a line is drawn. Two numbers as `dashes`: "6 4".
struct Stroke {
    std::string colour = "#46535f";
    double width = 1.3;
    std::string dashes = {};
    bool arrow = false;  // a head at the last point
    double opacity = 1.0;
};

// What is drawn faintly, on white paper and on dark: lines of a grid, fills of what says nothing.
inline const Stroke faint{.colour = "#8593a1", .width = 1.0, .opacity = 0.3};
constexpr std::string_view faint_fill = "#8593a1/.28";

using Attributes = std::vector<std::pair<std::string_view, std::string>>;

// A picture in the making. All text is escaped here: characters that XML can't hold, and those that a reader would obey
// rather than see, are written as their pictures or as U+FFFD.
class Canvas {
  public:
    void rectangle(const Box& box, std::string_view fill, double round = 0.0, std::string_view stroke = {});
    // A rectangle that a page finds by its class and its data, as open() has them; a pointer on it reads `title`.
    void rectangle(const Box& box, std::string_view fill, double round, std::string_view classes,
                   const Attributes& data, std::string_view title);
    // Maps have thousands of cells, so what they share is written once: their size for all rows inside of an element of the
    // class that comes back, the place and one colour for a row. A row ends with close().
    std::string cell_size(double width, double height, double round);
    void open_row(const CellRow& row);
    // The next cell of the row, `x` from its left; a pointer on it reads `title`. Without a fill it has that of the row. The
    // number stands in its middle.
    void cell(double x, std::string_view fill, std::string_view title);
    void cell_number(const CellRow& row, double x, std::string_view number, bool light);
    // Rows of `columns` cells each that touch, without titles; "" is no colour. Neighbours of one colour in a row are one piece.
    // `data`: attributes data-NAME that a page reads, a list of lines each.
    void pixels(const Box& box, std::size_t columns, const std::vector<std::string>& fills,
                const std::vector<std::pair<std::string_view, std::vector<std::string>>>& data = {});
    void disc(Point centre, double radius, std::string_view fill, std::string_view stroke = {});
    void path(const std::vector<Point>& points, const Stroke& stroke);
    void text(Point at, std::string_view words, const TextStyle& style = {});

    // What is drawn until close(): a page finds it by its class and its data, and a pointer on it reads `title`.
    void open(std::string_view classes, const Attributes& data = {}, std::string_view title = {});
    void close();

    // The whole file.
    std::string document(double width, double height, std::string_view name) const;

  private:
    std::string body_;
};

// Text as it stands between two tags, or in an attribute.
std::string escaped(std::string_view text);

// About how wide a text is drawn, in pixels, at this size of its letters.
double text_width(std::string_view text, double size);

// The beginning of the text that fits into so many pixels, with an ellipsis where something was cut.
std::string fitted(std::string_view text, double size, double width);

}  // namespace tfs

// common/figures/figure.hpp · what a figure shows: maps, lines, bars, arcs, drawings in a plane; as an SVG and as numbers
//
// A figure is a value. It is drawn into a text here, and read from its JSON; files are written by FigureFolder in
// common/program/figure_folder.hpp. Panels that many figures need: common/figures/panels.hpp.
#pragma once

#include <functional>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "common/base/xtensor.hpp"

namespace tfs {

enum class ColourScale {
    probability,  // 0 … the largest value, from paper to dark: weights
    diverging,    // -m … m, blue, paper, brown: scores around 0
    sequential,   // minimum … maximum, from paper to dark
    yes_no,       // 1 = yes, coloured; 0 = no, paper; two swatches in place of a colour bar
};

// What a curve, a part of a bar, an arc or a shape stands for: one colour each, in all figures (palette.cpp). Whoever draws says it.
enum class Hue {
    other,  // no concept: the next one of the free colours
    attention,
    feed_forward,
    norm,
    residual,
    embedding,
    positions,
    output,
    query,
    key,
    value,
    encoder,
    decoder,
    cross,
    encoder_decoder,
    training,
    held_out,
    with,
    without,  // a part of the model
    pre_norm,
    post_norm,
};

// One map. Panels of the same scale share one range in their figure, and one colour bar.
struct HeatMapPanel {
    std::string title = {};
    Array values;                                      // (rows, columns); NaN and infinities are written out
    std::vector<std::string> rows = {}, columns = {};  // labels, first row on top; empty = indices
    std::optional<xt::xarray<bool>> allowed = {};      // as `values`; false = masked: a blank cell
    ColourScale scale = ColourScale::probability;
    std::string quantity = {};  // named on the colour bar; empty = "weight" for probability, else "value"
    std::vector<std::size_t> meant = {};    // rows that mean something: only they are drawn; empty = all
    std::vector<std::string> answers = {};  // behind each drawn row, what it says: "→ mouse"
};

struct HeatMapFigure {
    std::string name;  // of the files, without an ending: small letters, digits, _
    std::string title;
    std::string row_axis = "query", column_axis = "key";
    std::vector<HeatMapPanel> panels = {};
    std::size_t panels_per_row = 2;  // at most: as many as fit into the width
    // What to see, in plain sentences: it stands below the figure on the page of a run.
    std::string caption = {};
    std::optional<double> largest = {};  // weight of the colour scale; empty: the largest one shown
};

// Many maps at a glance: the patterns of all heads, without labels and numbers. Grey is a 0, such as a masked key.
struct SmallMap {
    std::string title;
    Array values;  // (rows, columns), 0 … 1
};

struct SmallMapsFigure {
    std::string name, title;
    std::vector<SmallMap> panels = {};
    std::size_t panels_per_row = 4;
    std::string caption = {};
};

struct Series {
    std::string name;
    std::vector<double> x = {}, y = {};  // of the same length; NaN is left out
    Hue hue = Hue::other;
    std::optional<double> name_at = {};  // the x at which its name stands above it; empty: behind its end

    void add(double x_value, double y_value) {
        x.push_back(x_value);
        y.push_back(y_value);
    }
};

// A limit across the plot, or between two values a zone. A logarithmic axis has none that is not positive.
struct Limit {
    double from = 0.0;
    std::optional<double> to = {};
    std::string name = {};
    bool on_x = false;  // of x, else of y
};

struct LinePanel {
    std::string title = {}, x_axis, y_axis;
    bool log_x = false, log_y = false;
    std::vector<Series> series = {};
    bool from_zero = false;  // the y axis begins at 0: shares, ratios
    std::vector<Limit> limits = {};
};

struct LineFigure {
    std::string name, title;
    std::vector<LinePanel> panels = {};
    std::size_t panels_per_row = 2;
    std::string caption = {};
    bool same_y = false;  // one y scale for all panels, so that they can be compared
};

// A bar: its label, and the values of its parts, stacked in their order.
struct Bar {
    std::string label;
    std::vector<double> values = {};  // one for each part of the panel, finite and >= 0; a 0 is not drawn
};

struct BarPart {
    std::string name;
    Hue hue = Hue::other;
};

struct BarPanel {
    std::string title, value_axis;    // "parameters", "FLOPs": with its unit where it has one
    std::vector<BarPart> parts = {};  // of every bar; a name keeps its colour in all panels of a figure
    std::vector<Bar> bars = {};       // from top to bottom
    bool share = false;               // each bar scaled to 100 %; its own total is written at its end as ever
};

// Horizontal stacked bars, the total at the end of each, one legend for all panels.
struct BarFigure {
    std::string name, title;
    std::vector<BarPanel> panels = {};
    std::size_t panels_per_row = 1;
    std::string caption = {};
};

// Who looks at whom: from the word `from` to the word `to`, as wide as its weight (0 … 1).
struct Arc {
    std::size_t from = 0, to = 0;
    double weight = 1.0;
    Hue hue = Hue::attention;
};

// A text, and arcs over it. With several storeys the text stands once below and once above each of them: storey s leads from
// the words above it down to those below, block after block.
struct ArcPanel {
    std::string title = {};
    std::vector<std::string> words = {};
    std::vector<std::vector<Arc>> storeys = {};
    std::vector<std::string> names = {};  // of the storeys: "block 1"; empty, or one each
    std::string answer = {};              // behind the words of the highest row: "→ mouse"
};

struct ArcFigure {
    std::string name, title;
    std::vector<ArcPanel> panels = {};
    std::string caption = {};
};

// How much a word attends to each word, as arcs.
[[nodiscard]] std::vector<Arc> arcs_of(std::size_t word, std::span<const float> weights);

// A sentence, and how much its last word attends to each word.
struct LastWord {
    std::vector<std::string> sentence;
    std::vector<float> weights;
};
// A panel for each of them. The title says what each last word looks at most: “tired” looks at “cat”.
[[nodiscard]] ArcFigure last_words_figure(const std::string& name, const std::vector<LastWord>& words);

// What is drawn in a plane. Its label stands at a point and a text, at the tip of an arrow, beside the middle of an arc, in a rectangle.
struct PlaneShape {
    enum class Kind {
        point,
        text,
        line,       // from … to
        arrow,      // from … to
        arc,        // around `from`, of radius `size`, from to.x to to.y degrees, counterclockwise
        circle,     // around `from`, of radius `size`
        rectangle,  // corners from, to
    };
    Kind kind = Kind::point;
    double from_x = 0.0, from_y = 0.0, to_x = 0.0, to_y = 0.0;
    std::string label = {};
    Hue hue = Hue::other;  // of `other` in the colour of texts
    double size = 0.0;     // the radius; of a point, a line and an arrow how bold it is: 1 unless given
    bool light = false;    // a rectangle or circle: filled with a tint, a line: dashed
};

// Equal scales: a circle is round. y grows upwards.
struct PlanePanel {
    std::string title = {};
    double low_x = -1.0, high_x = 1.0, low_y = -1.0, high_y = 1.0;
    std::vector<PlaneShape> shapes = {};

    // Words around a point.
    void text(double x, double y, std::string words, Hue hue = Hue::other) {
        shapes.push_back({PlaneShape::Kind::text, x, y, 0.0, 0.0, std::move(words), hue});
    }
    // From a point to another.
    PlaneShape& line(double from_x, double from_y, double to_x, double to_y, Hue hue = Hue::other,
                     double bold = 0.0) {
        return add({PlaneShape::Kind::line, from_x, from_y, to_x, to_y, {}, hue, bold});
    }
    PlaneShape& arrow(double from_x, double from_y, double to_x, double to_y, Hue hue = Hue::other,
                      double bold = 0.0) {
        return add({PlaneShape::Kind::arrow, from_x, from_y, to_x, to_y, {}, hue, bold});
    }
    void point(double x, double y, Hue hue, double bold) {
        add({PlaneShape::Kind::point, x, y, 0.0, 0.0, {}, hue, bold});
    }
    void circle(double x, double y, double radius, std::string label = {}) {
        add({PlaneShape::Kind::circle, x, y, 0.0, 0.0, std::move(label), Hue::other, radius});
    }
    // Between two corners: in full colour, and as a tint.
    PlaneShape& rectangle(double from_x, double from_y, double to_x, double to_y, Hue hue = Hue::other,
                          std::string label = {}) {
        return add({PlaneShape::Kind::rectangle, from_x, from_y, to_x, to_y, std::move(label), hue});
    }
    void box(double from_x, double from_y, double to_x, double to_y, Hue hue, std::string label = {}) {
        rectangle(from_x, from_y, to_x, to_y, hue, std::move(label)).light = true;
    }
    PlaneShape& add(PlaneShape shape) { return shapes.emplace_back(std::move(shape)); }
};

struct PlaneFigure {
    std::string name, title;
    std::vector<PlanePanel> panels = {};
    std::size_t panels_per_row = 2;
    std::string caption = {};
};

using Figure = std::variant<HeatMapFigure, LineFigure, BarFigure, ArcFigure, PlaneFigure, SmallMapsFigure>;

// One of several views of a figure: a layer, or some of its heads. The page of a run shows one at a time.
struct View {
    std::string name;  // "layer 1": what the reader chooses
    Figure figure;
};

// The name of its files.
const std::string& name_of(const Figure& figure);
const std::string& caption_of(const Figure& figure);

// The figure as the text of an SVG file, at most `figure_width` pixels wide. Cells, bars and points have their exact
// numbers as <title>, and the classes and data- attributes by which a page finds them: class "map" or "small-map" with data-panel, "cells" with data-r (a
// row, whose rectangles are its cells in the order of the columns; data-c where the one before is not drawn); "curve" and "point" with data-series; "bar" with data-part.
// Throws ShapeError if labels or sizes disagree, ValueError if there is nothing to draw, the name is no file name, a
// log axis meets a value that is not positive, panels share an axis that is logarithmic in some of them only, a bar meets a
// value that is negative or not finite, a map of yes_no one that is neither 0 nor 1, a small map one that is not in 0 … 1.
std::string svg(const Figure& figure);

// All that is drawn, as JSON: kind, name, title, caption, and the fields of its panels under the names that they have here
// (values to six digits, NaN as null). Throws as svg().
std::string json(const Figure& figure);

// The figure of such a text. FileError if the text is no figure.
Figure figure_from_json(const std::string& text);

// What may differ between two drawings of one figure. Their structure must be the same.
struct FigureTolerance {
    // Of numbers that are drawn: as a share of the largest in their own series (a curve, a map, a bar). On a logarithmic axis
    // each number may differ by three times that share of its own size.
    double share = 3e-3;
    double factor = 1.0;    // they may also differ by this factor: numbers of a training
    double rounding = 0.0;  // what is smaller comes from rounding: a factor of ten is allowed
    bool numbers = true;    // false: they may be any, and as many: measured times
    std::function<bool(const std::string&, const std::string&)> same_text = std::equal_to<std::string>();
};

// Where a figure is not as another, both as json() writes them: "panels[0].series[1].y: 0.5 is now 0.7"; empty if they mean the
// same. Throws FileError if one is no JSON.
std::string figure_difference(const std::string& kept, const std::string& drawn,
                              const FigureTolerance& tolerance = {});

constexpr double figure_width = 800.0;

}  // namespace tfs

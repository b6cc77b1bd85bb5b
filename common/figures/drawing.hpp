// common/figures/drawing.hpp · what all kinds of figures are drawn with: checks, colours, ticks, the grid of panels
#pragma once

#include <span>

#include "common/figures/canvas.hpp"
#include "common/figures/figure.hpp"

namespace tfs {

// Throws ShapeError or ValueError as svg() says.
void require_drawable(const Figure& figure);

// What the kinds draw; svg() chooses one.
std::string drawn(const HeatMapFigure& figure);
std::string drawn(const LineFigure& figure);
std::string drawn(const BarFigure& figure);
std::string drawn(const ArcFigure& figure);
std::string drawn(const PlaneFigure& figure);
std::string drawn(const SmallMapsFigure& figure);

// --- colours (palette.cpp)

// The range of a panel's colours: over all allowed, finite values of the panels of its scale.
struct ColourRange {
    double low = 0.0, high = 1.0;

    double place_of(double value) const { return (value - low) / (high - low); }
};
ColourRange colour_range(const HeatMapFigure& figure, std::size_t panel);

// The rows that are drawn: all, or those that mean something.
std::vector<std::size_t> rows_of(const HeatMapPanel& panel);

// The colour at `place` in 0 … 1 of a scale, "#1c2733"; and whether white is read better on a colour than black.
std::string colour_at(ColourScale scale, double place);
bool is_dark(std::string_view colour);

// The colours of hues, in their order. A concept has its own; `other` takes the next of the palette that none of them has.
std::vector<std::string> colours_of(const std::vector<Hue>& hues);
std::string colour_of(Hue hue);  // of one alone

// Whether colour-blind eyes take one for the other (Viénot, Brettel, Mollon 1999).
bool look_alike(std::string_view one, std::string_view other);

// --- axes (axes.cpp)

struct Tick {
    double value;
    std::string label;
};

struct AxisManner {
    bool from_zero = false;
    bool at_values =
        false;  // a logarithmic axis of at most ten different values has its ticks at them: 16, 64, 256
    bool tight = false;  // it ends at the values, not at round numbers
};

// An axis: how values lie between two pixels.
class Axis {
  public:
    Axis(const std::vector<double>& values, double first, double last, bool logarithmic,
         const AxisManner& manner = {});

    double operator()(double value) const;  // its pixel
    const std::vector<Tick>& ticks() const { return ticks_; }

  private:
    bool logarithmic_;
    double low_, high_, first_, last_;
    std::vector<Tick> ticks_ = {};
};

// About `count` round numbers (1, 2 or 5 times a power of ten) around low … high: Heckbert, "Nice numbers for graph
// labels", Graphics Gems 1990. The first is not above `low`, the last not below `high`.
std::vector<double> nice_numbers(double low, double high, int count = 5);

// 0.25, 12, 4096, 1e-08: a number as people write it, with at most so many digits.
std::string short_number(double value, int digits = 4);

// A number in JSON, with six digits, which say all that a picture shows: NaN is null, and infinities are texts. Many: "0.25, 1".
// They stand here because figures are optimised, unlike what else writes JSON, and a map has thousands.
std::string number_in_json(double number);
std::string numbers_in_json(std::span<const float> numbers);

// --- panels, titles and legends (axes.cpp)

constexpr double margin = 18.0;
constexpr double panel_title_size = 15.0;  // bold letters of 14 are as wide as others of 15
constexpr double panel_title_room = 26.0,
                 axis_below = 42.0;  // of a panel: its title, its x axis with ticks and name

// Panels of one size in rows, left to right, below the figure's title and its legend.
struct Grid {
    std::size_t panels = 1, per_row = 1;
    double width = 0.0, height = 0.0;  // of a panel, with its title and labels
    double gap = 26.0;
    double left = margin, top = 0.0;  // where the first one begins

    Box place(std::size_t index) const;
    double figure_height() const;
};

// Panels that share the whole width of a figure.
Grid grid_of(std::size_t panels, std::size_t per_row, double gap = 26.0);

// The title, in lines where it is long; returns the y below it.
double draw_title(Canvas& canvas, const std::string& title);
double title_width(const std::string& title);  // of its widest line, with both margins
void draw_panel_title(Canvas& canvas, Point corner, const std::string& title, double width);

struct LegendEntry {
    std::string name, colour;
    bool line = false;  // a piece of a line, else a square
    std::string dashes = {};
};

// The title, and below it the entries from left to right, in rows as wide as the figure; of a single one nothing. Returns the y
// below them.
double draw_head(Canvas& canvas, const std::string& title, const std::vector<LegendEntry>& entries,
                 double width = figure_width);

// What a name stands for, in the order of their first occurrence in the panels.
struct Names {
    std::vector<std::string> names = {};
    std::vector<Hue> hues = {};

    void add(const std::string& name, Hue hue);
    std::size_t operator[](const std::string& name) const;
};

double total(const Bar& bar);

}  // namespace tfs

// common/figures/drawing.hpp · what all kinds of figures are drawn with: checks, colours, ticks, the grid of panels
#pragma once

#include "common/figures/canvas.hpp"
#include "common/figures/figure.hpp"

namespace tfs {

// Throws ShapeError or ValueError as svg() says.
void require_drawable(const Figure& figure);

// What the four kinds draw; svg() chooses one.
std::string drawn(const HeatMapFigure& figure);
std::string drawn(const LineFigure& figure);
std::string drawn(const BarFigure& figure);
std::string drawn(const FlowFigure& figure);

// --- colours (palette.cpp)

// The range of a panel's colours: over all allowed, finite values of the panels of its scale.
struct ColourRange {
    double low = 0.0, high = 1.0;

    double place_of(double value) const { return (value - low) / (high - low); }
};
ColourRange colour_range(const HeatMapFigure& figure, std::size_t panel);

// Whether a row means nothing, so that it is drawn pale and does not count in the range.
bool is_pale(const HeatMapPanel& panel, std::size_t row);

// The colour at `place` in 0 … 1 of a scale, "#1c2733"; and whether white is read better on it than ink.
std::string colour_at(ColourScale scale, double place);
bool is_dark(ColourScale scale, double place);
bool is_dark(std::string_view colour);

// The colours of names: one for each concept of this project (attention, norm, pre-norm, encoder, …) in all figures; other
// names take what is left of the palette, in their order.
std::vector<std::string> colours_of(const std::vector<std::string>& names);

// --- axes (ticks.cpp)

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

// --- the grid of panels (grid.cpp)

constexpr double margin = 18.0;
constexpr double panel_title_size = 14.5;  // bold letters of 13.5 are as wide as others of 14.5
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

// The title, in lines where it is long; returns the y below it.
double draw_title(Canvas& canvas, const std::string& title);
double title_width(const std::string& title);  // of its widest line, with both margins

struct LegendEntry {
    std::string name, colour;
    bool line = false;  // a piece of a line, else a square
    std::string dashes = {};
};

// Its entries from left to right below `top`, in rows as wide as the figure; returns the y below them.
double draw_legend(Canvas& canvas, const std::vector<LegendEntry>& entries, double top,
                   double width = figure_width);

// The names of all panels in the order of their first occurrence.
void add_new_names(std::vector<std::string>& names, const std::vector<std::string>& more);

double total(const Bar& bar);

}  // namespace tfs

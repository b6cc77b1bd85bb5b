// common/figures/figure.hpp · figures as files, drawn by gnuplot
//
// Every figure NAME leaves three files: NAME.gp, a gnuplot script with its data inside (change it and redraw
// by `gnuplot NAME.gp` in its folder), NAME.json with the numbers for other viewers, and the picture,
// NAME.png or NAME.svg. Without gnuplot the first two are written all the same, and report() says how to get
// the pictures.
#pragma once

#include <filesystem>
#include <iosfwd>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "common/base/xtensor.hpp"

namespace tfs {

enum class ColourScale {
    probability,  // 0 … 1, from dark to bright (the anchors of viridis)
    diverging,    // -m … m, blue, white, red: scores around 0
    sequential,   // minimum … maximum, the colours of `probability`
    yes_no,       // 1 = yes, coloured; 0 = no, grey; two swatches in place of a colour bar
};

// One map. Panels of the same scale share one range in their figure, and one colour bar.
struct HeatMapPanel {
    std::string title;
    Array values;  // (rows, columns); NaN and infinities are written out on grey
    std::vector<std::string> rows = {}, columns = {};  // labels, first row on top; empty = indices
    std::optional<xt::xarray<bool>> allowed = {};      // as `values`; false = masked: grey, crossed
    ColourScale scale = ColourScale::probability;
    std::string quantity = {};  // named on the colour bar; empty = "weight" for probability, else "value"
};

struct HeatMapFigure {
    std::string name;  // of the files, without an ending: letters, digits, - _ .
    std::string title;
    std::string row_axis = "query", column_axis = "key";
    std::vector<HeatMapPanel> panels = {};
    std::size_t panels_per_row = 2;
};

struct Series {
    std::string name;
    std::vector<double> x = {}, y = {};  // of the same length; NaN is left out

    void add(double x_value, double y_value) {
        x.push_back(x_value);
        y.push_back(y_value);
    }
};

// The outline of a histogram between low and high: in each bin the share of all values divided by the bin's width, so
// that the area is the share of those between low and high. Values outside are counted, but not shown.
Series histogram(const std::string& name, std::span<const float> values, double low, double high,
                 std::size_t bins = 48);

struct LinePanel {
    std::string title, x_axis, y_axis;
    bool log_x = false, log_y = false;
    std::vector<Series> series = {};
};

struct LineFigure {
    std::string name, title;
    std::vector<LinePanel> panels = {};
    std::size_t panels_per_row = 2;
};

// A bar: its label, and the values of its parts, stacked in their order.
struct Bar {
    std::string label;
    std::vector<double> values = {};  // one for each part of the panel, finite and >= 0; a 0 is not drawn
};

struct BarPanel {
    std::string title, value_axis;        // "parameters", "FLOPs": with its unit where it has one
    std::vector<std::string> parts = {};  // of every bar; a name keeps its colour in all panels of a figure
    std::vector<Bar> bars = {};           // from top to bottom
    bool share = false;  // each bar scaled to 100 %; its own total is written at its end as ever
};

// Horizontal stacked bars, the total at the end of each, one key for all panels beside them.
struct BarFigure {
    std::string name, title;
    std::vector<BarPanel> panels = {};
    std::size_t panels_per_row = 1;
};

// What a box of a data flow does; each kind has its colour.
enum class FlowKind {
    other,         // grey
    input,         // no frame: the name alone
    norm,          // yellow
    attention,     // orange
    feed_forward,  // blue
    add,           // a circle around its name, "+" (or "x", where two branches are multiplied)
};

struct FlowBox {
    std::string name;        // "LayerNorm"
    std::string shape = {};  // written beside the arrow that leaves it, as named_shape() says it
    FlowKind kind = FlowKind::other;
};

// Around the boxes in between: from the arrow that leaves box `from` into box `to`, which comes later in the panel.
struct FlowResidual {
    std::size_t from = 0, to = 0;
    std::string label = {};  // along the line; empty for a residual connection, which says enough
};

// What enters a box from the side, out of nowhere: "memory", "mask".
struct FlowInput {
    std::size_t to = 0;
    std::string name;
    std::string shape = {};
};

struct FlowPanel {
    std::string title;
    std::vector<FlowBox> boxes = {};  // in the order of the data, an arrow from each into the next
    std::vector<FlowResidual> residuals = {};
    std::vector<FlowInput> inputs = {};
};

// From a box of one panel into a box of another: the encoder's output into each cross-attention. It leaves and enters
// at the sides that face each other; inputs stand on the right, so the panel that gives belongs on the left.
struct FlowLink {
    std::size_t from_panel = 0, from_box = 0, to_panel = 0, to_box = 0;
};

// The data flow through blocks: one column of boxes for each panel, side by side.
struct FlowFigure {
    std::string name, title;
    std::vector<FlowPanel> panels = {};
    std::vector<FlowLink> links = {};
    bool upwards = true;  // the first box at the bottom, as papers draw it; false: on top
};

enum class FigureFormat { png, svg };

// A folder of figures, made where it is missing. Throws FileError where it can't be made or written.
class FigureFolder {
  public:
    explicit FigureFolder(std::filesystem::path folder, FigureFormat format = FigureFormat::png,
                          std::string gnuplot = "gnuplot");

    // Write the files of a figure; an older one of the same name is replaced only when the new one is
    // complete. Throw FileError where a file can't be written or gnuplot fails (with its message), ShapeError
    // where labels or sizes disagree, ValueError where there is nothing to draw, the name is no file name, a
    // log axis meets a value that is not positive, a bar one that is negative or not finite, a map of yes_no
    // one that is neither 0 nor 1, or an arrow of a flow has no such box to begin or end at.
    void save(const HeatMapFigure& figure);
    void save(const LineFigure& figure);
    void save(const BarFigure& figure);
    void save(const FlowFigure& figure);

    // Lists the files that were written, or says that gnuplot is missing and how to get the pictures.
    void report(std::ostream& out) const;

    const std::filesystem::path& path() const { return folder_; }

  private:
    std::filesystem::path folder_;
    FigureFormat format_;
    std::string gnuplot_;
    std::vector<std::string> scripts_, pictures_;  // names of the files written
    bool gnuplot_missing_ = false;
    bool labels_replaced_ = false;  // by indices, for want of a font

    void write_files(const std::string& name, const std::string& script, const std::string& json);
};

}  // namespace tfs

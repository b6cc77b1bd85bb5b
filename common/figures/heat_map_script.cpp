// common/figures/heat_map_script.cpp · heat maps as a gnuplot script
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "common/figures/figure_parts.hpp"
#include "common/figures/heat_map_layout.hpp"

namespace tfs {
namespace {

// The anchors of viridis (Smith and van der Walt 2015), and blue-white-red (ColorBrewer RdBu), both safe for
// colour-blind eyes.
constexpr const char* viridis =
    "set palette defined (0 '#440154', 0.125 '#472d7b', 0.25 '#3b528b', 0.375 '#2c728e', 0.5 '#21918c', \\\n"
    "    0.625 '#28ae80', 0.75 '#5ec962', 0.875 '#addc30', 1 '#fde725')\n";
constexpr const char* blue_white_red =
    "set palette defined (0 '#2166ac', 0.167 '#4393c3', 0.333 '#92c5de', 0.5 '#f7f7f7', 0.667 '#f4a582', \\\n"
    "    0.833 '#d6604d', 1 '#b2182b')\n";
constexpr const char* yes_colour = "#2c728e";
constexpr const char* no_colour = "#d9d9d9";
constexpr const char* axis_style = "center font ',11' tc rgb '#505050'";

// What the fourth column says of a cell: gnuplot reads words safely, where NaN and infinities are lost
// between versions.
std::string state_of(float value, bool allowed) {
    if (!allowed) return "masked";
    if (std::isnan(value)) return "NaN";
    if (std::isinf(value)) return value > 0 ? "inf" : "-inf";
    return "shown";
}

// "$panel_1 << END": one line for each cell.
std::string data_block(const HeatMapPanel& panel, std::size_t number) {
    std::string block = fmt::format("# {}\n# column row value state\n$panel_{} << END\n",
                                    gnuplot_string(panel.title), number);
    const std::size_t columns = panel.values.shape()[1];
    for (std::size_t k = 0; k < panel.values.size(); ++k) {
        const float value = panel.values.data()[k];
        const std::string state = state_of(value, !panel.allowed || panel.allowed->data()[k]);
        block += fmt::format("{} {} {:.6g} {}\n", k % columns, k / columns,
                             std::isfinite(value) ? value : 0.0f, state);
    }
    return block + "END\n\n";
}

std::string palette(ColourScale scale, ColourRange range) {
    if (scale == ColourScale::yes_no)
        return fmt::format("set palette defined (0 '{}', 1 '{}')\nset cbrange [0:1]\n", no_colour,
                           yes_colour);
    const char* colours = scale == ColourScale::diverging ? blue_white_red : viridis;
    return fmt::format("{}set cbrange [{:.6g}:{:.6g}]\n", colours, range.low, range.high);
}

// The colour of a cell's number: white on dark cells, black on bright ones.
std::string ink(ColourScale scale, ColourRange range) {
    if (scale == ColourScale::diverging)
        return fmt::format("ink(v) = abs(v) > {:.6g} ? 0xffffff : 0x202020\n", 0.66 * range.high);
    if (scale == ColourScale::yes_no) return "ink(v) = v > 0.5 ? 0xffffff : 0x202020\n";
    return fmt::format("ink(v) = v < {:.6g} ? 0xffffff : 0x202020\n",
                       range.low + 0.55 * (range.high - range.low));
}

std::string plot_commands(std::size_t number, const HeatMapLayout& layout, FigureFormat format) {
    const std::string block = fmt::format("$panel_{}", number);
    std::string text = "plot ";
    // Boxes with thin white lines between them; masked cells are the grey ground, crossed. Many small cells
    // are an image, which in an SVG is made of boxes again.
    if (layout.large_cells()) {
        text += block +
                " using (is(4, 'shown') ? $1 : NaN):2:(0.5):(0.5):3 with boxxyerror fc palette fs solid 1 "
                "noborder, \\\n     ";
        text += block +
                " using (is(4, 'masked') ? $1 - 0.5 : NaN):($2 + 0.5):(1):(-1) with vectors nohead lc rgb "
                "'#a8a8a8' lw 0.8, \\\n     ";
        text += block +
                " using ($1 - 0.5):($2 - 0.5):(1):(0) with vectors nohead lc rgb 'white' lw 0.7, \\\n     ";
        text += block + " using ($1 - 0.5):($2 - 0.5):(0):(1) with vectors nohead lc rgb 'white' lw 0.7";
    } else {
        text += block + " using 1:2:(is(4, 'shown') ? $3 : NaN) with image" +
                (format == FigureFormat::svg ? " pixels" : "");
    }
    if (layout.numbered()) {
        text += fmt::format(
            ", \\\n     {} using 1:2:(is(4, 'shown') ? number($3) : is(4, 'masked') ? '' : strcol(4)):"
            "(is(4, 'shown') ? ink($3) : 0xb00020) with labels noenhanced font ',{:.1f}' tc rgb variable",
            block, std::min(9.5, layout.cell_width * 0.22));
    }
    return text + "\n";
}

std::string panel_commands(const HeatMapFigure& figure, std::size_t index, const HeatMapLayout& layout,
                           FigureFormat format) {
    const HeatMapPanel& panel = figure.panels[index];
    const std::size_t rows = panel.values.shape()[0];
    const std::size_t columns = panel.values.shape()[1];
    const PanelEdges edges = edges_of_panel(layout, index, rows, columns);
    const ColourRange range = colour_range(figure, panel.scale);
    // Indices lie side by side and need room for their digits, words are turned and need room for a line.
    const double line = layout.font * 1.25;
    const double digits = layout.font * 0.68 * static_cast<double>(std::to_string(columns).size()) + 8.0;

    std::string text = fmt::format("\n# panel {}\n", index + 1);
    text += palette(panel.scale, range) + ink(panel.scale, range);
    text += gnuplot_margins(edges.left, edges.right, edges.bottom, edges.top);
    text += fmt::format("set xrange [-0.5:{}.5]\nset yrange [{}.5:-0.5]  # the first row on top\n",
                        columns - 1, rows - 1);
    text += "unset label 1\nunset label 2\nunset label 3\nunset xtics\nunset ytics\n";
    const double middle = (edges.left + edges.right) / 2;
    text += gnuplot_label(1, panel.title, middle, edges.top + layout.title_height / 2,
                          fmt::format("center font ',{:.1f}' tc rgb '#202020'", layout.title_font));
    if (layout.labels_columns(index, figure.panels.size())) {
        text += fmt::format(
            "set xtics scale 0 nomirror ({}) {} noenhanced font ',{:.1f}' tc rgb '#303030'\n",
            tic_list(panel.columns, columns, layout.cell_width, panel.columns.empty() ? digits : line),
            layout.rotated ? "rotate by 45 right" : "norotate center", layout.font);
        text += gnuplot_label(2, figure.column_axis, middle, edges.bottom - layout.below + 10.0, axis_style);
    }
    if (layout.labels_rows(index)) {
        text += fmt::format("set ytics scale 0 nomirror ({}) noenhanced font ',{:.1f}' tc rgb '#303030'\n",
                            tic_list(panel.rows, rows, layout.cell_height, line), layout.font);
        text += gnuplot_label(3, figure.row_axis, edges.left - layout.left + 10.0,
                              (edges.top + edges.bottom) / 2, std::string("rotate by 90 ") + axis_style);
    }
    text +=
        "set object 1 rectangle from graph 0, graph 0 to graph 1, graph 1 fc rgb '#e0e0e0' fs solid 1 "
        "noborder behind\n";
    return text + plot_commands(index + 1, layout, format);
}

// In place of a colour bar: what the two colours mean.
std::string swatches(const std::string& quantity, const PanelEdges& edges) {
    std::string text =
        gnuplot_label(1, quantity, edges.left, edges.top + 15.0, "left font ',11' tc rgb '#505050'");
    for (const int no : {0, 1}) {
        const double top = edges.top - 24.0 * no;
        text += fmt::format(
            "set object {} rectangle from screen {:.1f}/width, {:.1f}/height to screen {:.1f}/width, "
            "{:.1f}/height fc rgb '{}' fs solid 1 noborder\n",
            no + 1, edges.left, top - 15.0, edges.right, top, no == 0 ? yes_colour : no_colour);
        text += gnuplot_label(no + 2, no == 0 ? "yes" : "no", edges.right + 8.0, top - 7.5,
                              "left font ',10.5' tc rgb '#303030'");
    }
    return text + "plot [0:1] [0:1] NaN\n";
}

// A colour bar is a plot of its own, so that it doesn't depend on any panel.
std::string bar_commands(const HeatMapFigure& figure, std::size_t index, const HeatMapLayout& layout) {
    const ColourScale scale = layout.bars[index];
    const PanelEdges edges = edges_of_bar(layout, index);
    const ColourRange range = colour_range(figure, scale);
    std::string text = fmt::format("\n# colour bar {}\n", index + 1);
    text += "unset label\nunset object\nunset xtics\nunset ytics\n" + palette(scale, range);
    text += gnuplot_margins(edges.left, edges.right, edges.bottom, edges.top);
    if (scale == ColourScale::yes_no) return text + swatches(bar_name(figure, scale), edges);
    text += fmt::format("set xrange [0:1]\nset yrange [{0:.6g}:{1:.6g}]\nset y2range [{0:.6g}:{1:.6g}]\n",
                        range.low, range.high);
    const std::string step_of_tics =  // a short bar has room for its ends and its middle only
        edges.top - edges.bottom < 90.0
            ? fmt::format(" {:.6g}, {:.6g}", range.low, (range.high - range.low) / 2)
            : "";
    text += "set y2tics" + step_of_tics + " font ',9.5' format '%.3g'\n";
    text += gnuplot_label(1, bar_name(figure, scale), edges.left, edges.top + 15.0,
                          "left font ',11' tc rgb '#505050'");
    // 128 boxes, each reaching under the next one, so that no seam shows.
    const double step = (range.high - range.low) / 128.0;
    text += fmt::format("low = {:.8g}\nstep = {:.8g}\n", range.low, step);
    text +=
        "plot sample [i=0:127:1] '+' using (0.5):(low + i * step):(0):(1):(low + i * step):(low + (i < 127 ? "
        "i + 2 : 128) * step):"
        "(low + (i + 0.5) * step) \\\n     with boxxyerror fc palette fs solid 1 noborder\n";
    return text;
}

// Counts and offsets are written without decimals.
bool whole_numbers(const HeatMapFigure& figure) {
    const auto whole = [](float v) { return std::isnan(v) || (v == std::round(v) && std::abs(v) < 1e4f); };
    return std::all_of(figure.panels.begin(), figure.panels.end(), [&](const HeatMapPanel& panel) {
        return std::all_of(panel.values.data(), panel.values.data() + panel.values.size(), whole);
    });
}

}  // namespace

std::string gnuplot_script(const HeatMapFigure& figure, FigureFormat format) {
    const HeatMapLayout layout = lay_out(figure);
    std::string text = gnuplot_head(figure.name, figure.title, format, layout.width, layout.height);
    for (std::size_t i = 0; i < figure.panels.size(); ++i) text += data_block(figure.panels[i], i + 1);
    text += "is(column, state) = strcol(column) eq state\n";
    text += whole_numbers(figure)
                ? "number(v) = sprintf('%.0f', v)\n"
                : "number(v) = sprintf(abs(v) < 9.995 ? '%.2f' : abs(v) < 99.95 ? '%.1f' : '%.2g', abs(v) < "
                  "0.005 ? 0 : v)\n";
    text +=
        "unset key\nunset colorbox\nset tics scale 0 nomirror textcolor rgb '#303030'\nset border 0\nset "
        "multiplot\n";
    text += gnuplot_title(figure.title, layout.height);
    for (std::size_t i = 0; i < figure.panels.size(); ++i) {
        text += panel_commands(figure, i, layout, format);
        if (i == 0) text += "unset label 9\n";  // the figure's title is drawn once
    }
    for (std::size_t i = 0; i < layout.bars.size(); ++i) text += bar_commands(figure, i, layout);
    return text + "unset multiplot\n";
}

}  // namespace tfs

// common/figures/line_script.cpp · line charts as a gnuplot script
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <set>

#include "common/figures/figure_parts.hpp"
#include "common/text/display.hpp"

namespace tfs {
namespace {

constexpr double panel_title_height = 28.0, key_line = 17.5, gap = 26.0;
constexpr double left_room = 84.0, below = 56.0, plot_width = 420.0, plot_height = 300.0;

// Okabe and Ito 2008: eight colours that colour-blind eyes tell apart, yellow left out on white. And a point
// for each.
constexpr std::array<const char*, 7> colours = {"#0072b2", "#d55e00", "#009e73", "#cc79a7",
                                                "#e69f00", "#56b4e9", "#000000"};
constexpr std::array<int, 7> points = {7, 5, 9, 13, 11, 6, 4};

std::string number(double value) { return std::isfinite(value) ? fmt::format("{:.10g}", value) : "NaN"; }

std::string data_block(const Series& series, std::size_t panel, std::size_t index) {
    std::string text = fmt::format("# {}\n$series_{}_{} << END\n", gnuplot_string(series.name), panel, index);
    for (std::size_t i = 0; i < series.x.size(); ++i)
        text += number(series.x[i]) + " " + number(series.y[i]) + "\n";
    return text + "END\n\n";
}

// How many entries of the legend stand side by side: as many as the longest name leaves room for.
std::size_t key_columns(const LinePanel& panel) {
    std::size_t longest = 1;
    for (const Series& series : panel.series) longest = std::max(longest, display_width(series.name));
    const double entry = 60.0 + 7.4 * static_cast<double>(longest);
    const auto fitting = static_cast<std::size_t>(std::max(1.0, plot_width / entry));
    return std::min(fitting, std::max<std::size_t>(1, panel.series.size()));
}

std::size_t key_rows(const LinePanel& panel) {
    const std::size_t columns = key_columns(panel);
    return (panel.series.size() + columns - 1) / columns;
}

// The range of one axis over all series; what is not finite is not drawn either.
std::pair<double, double> extent(const LinePanel& panel, const std::vector<double> Series::*axis) {
    std::pair<double, double> range{INFINITY, -INFINITY};
    for (const Series& series : panel.series) {
        for (const double value : series.*axis) {
            if (!std::isfinite(value)) continue;
            range.first = std::min(range.first, value);
            range.second = std::max(range.second, value);
        }
    }
    return range;
}

// Logarithmic axes: the measured values themselves as tics where they are few (16, 64, 256, …), else powers
// of ten.
std::string logarithmic_axis(const LinePanel& panel, char axis, const std::vector<double> Series::*member) {
    const auto [low, high] = extent(panel, member);
    std::set<double> values;
    for (const Series& series : panel.series) {
        for (const double value : series.*member) {
            if (std::isfinite(value)) values.insert(value);
        }
    }
    std::string text = fmt::format("set logscale {} 10\n", axis);
    if (axis == 'x' && values.size() <= 10) {
        std::string tics;
        for (const double value : values)
            tics += fmt::format("{}'{:g}' {:.10g}", tics.empty() ? "" : ", ", value, value);
        return text + fmt::format("set xtics ({})\nset format x '%g'\n", tics);
    }
    const bool decades = high / low >= 20.0;
    text += fmt::format("set {}tics autofreq enhanced\nset format {} '{}'\n", axis, axis,
                        decades ? "10^{%L}" : "%g");
    return text + fmt::format("set m{}tics 10\n", axis);
}

std::string axis_commands(const LinePanel& panel) {
    std::string text =
        "unset logscale\nset xtics autofreq\nset ytics autofreq\nset format '%g'\nunset mxtics\nunset "
        "mytics\n";
    text += "set autoscale\n";
    // A little room beside the points; autoscale alone would go on to the next tic, or the next power of ten.
    const auto [low, high] = extent(panel, &Series::x);
    if (panel.log_x) {
        text += logarithmic_axis(panel, 'x', &Series::x);
        const double room = std::max(1.05, std::pow(high / low, 0.04));
        text += fmt::format("set xrange [{:.6g}:{:.6g}]\n", low / room, high * room);
    } else if (high > low) {
        const double room = 0.03 * (high - low);
        text += fmt::format("set xrange [{:.6g}:{:.6g}]\n", low - room, high + room);
    }
    if (panel.log_y) text += logarithmic_axis(panel, 'y', &Series::y);
    return text;
}

// The names of all series in the order of their first occurrence: a name keeps its colour in every panel.
std::vector<std::string> series_names(const LineFigure& figure) {
    std::vector<std::string> names;
    for (const LinePanel& panel : figure.panels) {
        for (const Series& series : panel.series) {
            if (std::find(names.begin(), names.end(), series.name) == names.end())
                names.push_back(series.name);
        }
    }
    return names;
}

std::string plot_commands(const LineFigure& figure, std::size_t index) {
    const std::vector<std::string> names = series_names(figure);
    std::string text;
    for (std::size_t i = 0; i < figure.panels[index].series.size(); ++i) {
        const Series& series = figure.panels[index].series[i];
        const auto place =
            static_cast<std::size_t>(std::find(names.begin(), names.end(), series.name) - names.begin());
        const std::size_t dash = 1 + place / colours.size();  // where the colours repeat, the dashes don't
        const bool marked = series.x.size() <= 40;            // points where they can be told apart
        text += fmt::format("{}$series_{}_{} using 1:2 with {} lc rgb '{}' lw 2 dt {}{} title {}",
                            i == 0 ? "plot " : ", \\\n     ", index + 1, i + 1,
                            marked ? "linespoints" : "lines", colours[place % colours.size()], dash,
                            marked ? fmt::format(" pt {} ps 0.9", points[place % points.size()]) : "",
                            gnuplot_string(series.name));
    }
    return text + "\n";
}

struct Layout {
    std::size_t panels_per_row = 1, panel_rows = 1;
    double key_height = 0.0, width = 0.0, height = 0.0, title = 0.0;
    double slot_width() const { return left_room + plot_width + gap; }
    double slot_height() const { return panel_title_height + key_height + plot_height + below; }
};

Layout lay_out(const LineFigure& figure) {
    Layout layout;
    for (const LinePanel& panel : figure.panels) {
        layout.key_height =
            std::max(layout.key_height, key_line * static_cast<double>(key_rows(panel)) + 6.0);
    }
    layout.title = figure.title.empty() ? 0.0 : figure_title_height;
    layout.panels_per_row = std::min(figure.panels_per_row, figure.panels.size());
    layout.panel_rows = (figure.panels.size() + layout.panels_per_row - 1) / layout.panels_per_row;
    layout.width = 2 * figure_margin + static_cast<double>(layout.panels_per_row) * layout.slot_width();
    layout.height = 2 * figure_margin + layout.title +
                    static_cast<double>(layout.panel_rows) * (layout.slot_height() + gap) - gap;
    return layout;
}

std::string panel_commands(const LineFigure& figure, std::size_t index, const Layout& layout) {
    const LinePanel& panel = figure.panels[index];
    const double left =
        figure_margin + left_room + static_cast<double>(index % layout.panels_per_row) * layout.slot_width();
    const double top = layout.height - figure_margin - layout.title - panel_title_height - layout.key_height -
                       static_cast<double>(index / layout.panels_per_row) * (layout.slot_height() + gap);
    const double bottom = top - plot_height;
    const double right = left + plot_width;

    std::string text = fmt::format("\n# panel {}\n", index + 1) + axis_commands(panel);
    text += gnuplot_margins(left, right, bottom, top);
    text += fmt::format(
        "set key at screen {:.1f}/width, {:.1f}/height left top Left reverse vertical maxrows {} samplen 2.4 "
        "font ',10.5' noenhanced\n",
        left - 8.0, top + layout.key_height + 2.0, key_rows(panel));
    text += gnuplot_label(1, panel.title, left, top + layout.key_height + 14.0,
                          "left font ',12' tc rgb '#202020'");
    text += gnuplot_label(2, panel.x_axis, (left + right) / 2, bottom - 44.0,
                          "center font ',11' tc rgb '#404040'");
    text += gnuplot_label(3, panel.y_axis, left - left_room + 14.0, (top + bottom) / 2,
                          "center rotate by 90 font ',11' tc rgb '#404040'");
    return text + plot_commands(figure, index);
}

}  // namespace

std::string gnuplot_script(const LineFigure& figure, FigureFormat format) {
    const Layout layout = lay_out(figure);
    std::string text = gnuplot_head(figure.name, figure.title, format, layout.width, layout.height);
    for (std::size_t p = 0; p < figure.panels.size(); ++p) {
        for (std::size_t s = 0; s < figure.panels[p].series.size(); ++s)
            text += data_block(figure.panels[p].series[s], p + 1, s + 1);
    }
    text += "set border 3 lc rgb '#808080'\nset tics nomirror scale 0.6 font ',10' textcolor rgb '#303030'\n";
    text += "set grid xtics ytics lc rgb '#e2e2e2' lt 1 lw 0.8\nset multiplot\n";
    text += gnuplot_title(figure.title, layout.height);
    for (std::size_t i = 0; i < figure.panels.size(); ++i) {
        text += panel_commands(figure, i, layout);
        if (i == 0) text += "unset label 9\n";
    }
    return text + "unset multiplot\n";
}

}  // namespace tfs

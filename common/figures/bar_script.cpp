// common/figures/bar_script.cpp · stacked bars as a gnuplot script
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "common/figures/figure_parts.hpp"
#include "common/show/summary.hpp"
#include "common/text/display.hpp"

namespace tfs {
namespace {

constexpr double panel_title_height = 30.0, below = 52.0, gap = 26.0;
constexpr double plot_width = 480.0, row = 38.0, bar_height = 25.0, key_line = 22.0;
constexpr double letter = 6.9;  // the mean width of one, in labels of size 10.5
constexpr std::size_t widest_label = 30;
constexpr double least_for_share = 31.0;  // a part narrower than this has no room for "12 %"

// Okabe and Ito 2008, without black, then the same ones paler, for parts beyond the eighth.
constexpr std::array<const char*, 16> colours = {
    "#0072b2", "#e69f00", "#009e73", "#cc79a7", "#56b4e9", "#d55e00", "#f0e442", "#999999",
    "#80b9d9", "#f3cf80", "#80cfb9", "#e6bcd3", "#abdaf4", "#eaaf80", "#f8f2a1", "#cccccc"};

// The names of all parts in the order of their first occurrence: a name keeps its colour in every panel.
std::vector<std::string> part_names(const BarFigure& figure) {
    std::vector<std::string> names;
    for (const BarPanel& panel : figure.panels) {
        for (const std::string& part : panel.parts) {
            if (std::find(names.begin(), names.end(), part) == names.end()) names.push_back(part);
        }
    }
    return names;
}

std::size_t place_of(const std::string& part, const std::vector<std::string>& names) {
    return static_cast<std::size_t>(std::find(names.begin(), names.end(), part) - names.begin());
}

// "109.48 M", "12", "0.25".
std::string amount(double value) { return value >= 1000.0 ? in_flops(value) : fmt::format("{:.4g}", value); }

double text_width(const std::string& label) {
    return letter * static_cast<double>(std::min(widest_label, display_width(label)));
}

struct Layout {
    std::size_t panels_per_row = 1, panel_rows = 1;
    double labels = 0.0, totals = 0.0;  // the room on both sides of the bars
    double bars = 0.0;                  // the height of the panel with the most of them
    double key = 0.0;                   // the width of the column on the right
    double title = 0.0, width = 0.0, height = 0.0;
    double slot_width() const { return labels + plot_width + totals + gap; }
    double slot_height() const { return panel_title_height + bars + below; }
};

Layout lay_out(const BarFigure& figure) {
    Layout layout;
    for (const BarPanel& panel : figure.panels) {
        layout.bars = std::max(layout.bars, row * static_cast<double>(panel.bars.size()));
        for (const Bar& bar : panel.bars) {
            layout.labels = std::max(layout.labels, 14.0 + text_width(bar.label));
            layout.totals = std::max(layout.totals, 14.0 + text_width(amount(total(bar))));
        }
    }
    const std::vector<std::string> parts = part_names(figure);
    for (const std::string& part : parts) layout.key = std::max(layout.key, 30.0 + text_width(part));
    layout.title = figure.title.empty() ? 0.0 : figure_title_height;
    layout.panels_per_row = std::min(figure.panels_per_row, figure.panels.size());
    layout.panel_rows = (figure.panels.size() + layout.panels_per_row - 1) / layout.panels_per_row;
    layout.width = 2 * figure_margin + layout.key +
                   std::max(static_cast<double>(layout.panels_per_row) * layout.slot_width(),
                            9.8 * static_cast<double>(display_width(figure.title)) - layout.key);
    const double panels = static_cast<double>(layout.panel_rows) * (layout.slot_height() + gap) - gap;
    const double key = panel_title_height + key_line * static_cast<double>(parts.size());
    layout.height = 2 * figure_margin + layout.title + std::max(panels, key);
    return layout;
}

// What is drawn of a panel: its bars from 0 to `full`, where `full` is the largest total, or 100 %.
double full_scale(const BarPanel& panel) {
    double full = panel.share ? 100.0 : 0.0;
    for (const Bar& bar : panel.bars) full = std::max(full, panel.share ? 0.0 : total(bar));
    return full;
}

// One line for each bar that has the part: row, where the part begins and ends, and its share where it fits in.
std::string data_block(const BarPanel& panel, std::size_t part, double full, const std::string& name) {
    std::string text =
        fmt::format("# {}\n# row from to share\n{} << END\n", gnuplot_string(panel.parts[part]), name);
    for (std::size_t i = 0; i < panel.bars.size(); ++i) {
        const std::vector<double>& values = panel.bars[i].values;
        if (values[part] == 0.0) continue;
        const double sum = total(panel.bars[i]);
        const double scale = panel.share ? 100.0 / sum : 1.0;
        double from = 0.0;
        for (std::size_t p = 0; p < part; ++p) from += scale * values[p];
        const bool room =
            panel.parts.size() > 1 && scale * values[part] / full * plot_width >= least_for_share;
        text += fmt::format("{} {:.10g} {:.10g} \"{}\"\n", i, from, from + scale * values[part],
                            room ? fmt::format("{:.0f} %", 100.0 * values[part] / sum) : "");
    }
    return text + "END\n\n";
}

// About five tics at multiples of 1, 2 or 5 times a power of ten: "'0' 0, '50 M' 5e+07".
std::string tics(double full, bool share) {
    const double power = std::pow(10.0, std::floor(std::log10(full / 5.0)));
    const double least = full / 5.0 / power;
    const double step = power * (least <= 1.0 ? 1.0 : least <= 2.0 ? 2.0 : least <= 5.0 ? 5.0 : 10.0);
    std::string text;
    for (int i = 0; i * step <= full * 1.0001; ++i) {
        std::string name = share ? fmt::format("{:g} %%", i * step) : amount(i * step);
        const std::size_t zeros = name.find(".00 ");  // "50.00 M" is "50 M"
        if (zeros != std::string::npos) name.erase(zeros, 3);
        text += fmt::format("{}'{}' {:.10g}", i == 0 ? "" : ", ", name, i * step);
    }
    return text;
}

// The part's boxes, and its share in black or white, whichever is read better on its colour.
std::string plot_commands(const BarPanel& panel, std::size_t index, const std::vector<std::string>& names) {
    std::string text;
    for (std::size_t p = 0; p < panel.parts.size(); ++p) {
        const std::size_t colour = place_of(panel.parts[p], names) % colours.size();
        const bool dark = colour == 0 || colour == 2 || colour == 5;
        text += fmt::format(
            "{0}$part_{1}_{2} using (($2 + $3) / 2):1:2:3:($1 - {3:.2f}):($1 + {3:.2f}) with boxxyerror fc "
            "rgb '{4}' "
            "fs solid 1 border lc rgb 'white', \\\n     "
            "$part_{1}_{2} using (($2 + $3) / 2):1:4 with labels noenhanced font ',9.5' tc rgb '{5}'",
            p == 0 ? "plot " : ", \\\n     ", index + 1, p + 1, bar_height / row / 2, colours[colour],
            dark ? "#ffffff" : "#202020");
    }
    return text + "\n";
}

// The names of a panel and of its axis, and at each bar its label and its total.
std::string panel_labels(const BarPanel& panel, double left, double top, double full) {
    const double bottom = top - row * static_cast<double>(panel.bars.size());
    std::string text = gnuplot_label(1, panel.title, left, top + 15.0, "left font ',12' tc rgb '#202020'");
    text += gnuplot_label(2, panel.value_axis, left + plot_width / 2, bottom - 40.0,
                          "center font ',11' tc rgb '#404040'");
    int number = 10;
    for (std::size_t i = 0; i < panel.bars.size(); ++i) {
        const double sum = total(panel.bars[i]);
        const double y = top - row * (static_cast<double>(i) + 0.5);
        const double length = plot_width * (!panel.share ? sum / full : sum > 0.0 ? 1.0 : 0.0);
        text += gnuplot_label(number++, truncate(panel.bars[i].label, widest_label), left - 8.0, y,
                              "right font ',10.5' tc rgb '#303030'");
        text += gnuplot_label(number++, amount(sum), left + length + 7.0, y,
                              "left font ',10.5' tc rgb '#303030'");
    }
    return text;
}

std::string panel_commands(const BarFigure& figure, std::size_t index, const Layout& layout) {
    const BarPanel& panel = figure.panels[index];
    const double left = figure_margin + layout.labels +
                        static_cast<double>(index % layout.panels_per_row) * layout.slot_width();
    const double top = layout.height - figure_margin - layout.title - panel_title_height -
                       static_cast<double>(index / layout.panels_per_row) * (layout.slot_height() + gap);
    const double bottom = top - row * static_cast<double>(panel.bars.size());
    const double full = full_scale(panel);
    std::string text = fmt::format("\n# panel {}\nunset label\n", index + 1);
    text += gnuplot_margins(left, left + plot_width, bottom, top);
    text += fmt::format("set xrange [0:{:.10g}]\nset yrange [{}.5:-0.5]  # the first bar on top\n", full,
                        panel.bars.size() - 1);
    text += fmt::format("set xtics ({}) scale 0.6 font ',10'\n", tics(full, panel.share));
    return text + panel_labels(panel, left, top, full) +
           (index == 0 ? gnuplot_title(figure.title, layout.height) : "") +
           plot_commands(panel, index, part_names(figure));
}

// One for all panels, on their right: a square and a name for each part, drawn with the first panel.
std::string key_commands(const std::vector<std::string>& names, const Layout& layout) {
    const double left = figure_margin + static_cast<double>(layout.panels_per_row) * layout.slot_width();
    double y = layout.height - figure_margin - layout.title - panel_title_height - row / 2;
    std::string text = "\n# key\nunset label\nunset xtics\nset border 0\n";
    for (std::size_t i = 0; i < names.size(); ++i, y -= key_line) {
        text += fmt::format(
            "set object {} rectangle from screen {:.1f}/width, {:.1f}/height to screen {:.1f}/width, "
            "{:.1f}/height fc rgb '{}' fs solid 1 noborder\n",
            i + 1, left, y - 6.0, left + 12.0, y + 6.0, colours[i % colours.size()]);
        text += gnuplot_label(static_cast<int>(i) + 10, truncate(names[i], widest_label), left + 19.0, y,
                              "left font ',10.5' tc rgb '#303030'");
    }
    return text + "plot [0:1] [0:1] NaN\n";
}

}  // namespace

std::string gnuplot_script(const BarFigure& figure, FigureFormat format) {
    const Layout layout = lay_out(figure);
    std::string text = gnuplot_head(figure.name, figure.title, format, layout.width, layout.height);
    for (std::size_t i = 0; i < figure.panels.size(); ++i) {
        const BarPanel& panel = figure.panels[i];
        for (std::size_t p = 0; p < panel.parts.size(); ++p)
            text += data_block(panel, p, full_scale(panel), fmt::format("$part_{}_{}", i + 1, p + 1));
    }
    text +=
        "unset key\nset border 1 lc rgb '#808080'\nset tics nomirror textcolor rgb '#303030'\nunset ytics\n";
    text += "set grid xtics lc rgb '#e2e2e2' lt 1 lw 0.8\nset multiplot\n";
    for (std::size_t i = 0; i < figure.panels.size(); ++i) text += panel_commands(figure, i, layout);
    return text + key_commands(part_names(figure), layout) + "unset multiplot\n";
}

}  // namespace tfs

// common/figures/heat_map_layout.cpp · sizes and places of panels, labels and colour bars
#include "common/figures/heat_map_layout.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "common/base/shape.hpp"
#include "common/figures/figure_parts.hpp"
#include "common/text/display.hpp"

namespace tfs {
namespace {

constexpr double axis_name = 26.0, panel_gap = 22.0;
constexpr double bar_width = 15.0, tallest_bar = 420.0;
constexpr double letter_width = 0.68;  // the mean width of a letter, in sizes of its font
constexpr std::size_t longest_tick = 16;
constexpr std::size_t panels_of_a_sheet = 13;  // and more
constexpr double sheet_width = 1470.0, sheet_gap = 12.0;

// Whether labels on the left and at the bottom hold for all panels.
bool are_alike(const std::vector<HeatMapPanel>& panels) {
    return std::all_of(panels.begin(), panels.end(), [&](const HeatMapPanel& panel) {
        return shape_of(panel.values) == shape_of(panels[0].values) && panel.rows == panels[0].rows &&
               panel.columns == panels[0].columns;
    });
}

// Cells shrink as they become more.
double cell_size(std::size_t count) { return std::clamp(560.0 / static_cast<double>(count), 3.0, 46.0); }

std::string label(const std::vector<std::string>& tokens, std::size_t i) {
    return tokens.empty() ? std::to_string(i) : truncate(tokens[i], longest_tick);
}

std::size_t widest_label(const std::vector<std::string>& tokens, std::size_t count) {
    std::size_t width = 1;
    for (std::size_t i = 0; i < count; ++i) width = std::max(width, display_width(label(tokens, i)));
    return width;
}

// A tic's label is a format for its position, as in printf.
std::string escape_percent(const std::string& text) {
    std::string escaped;
    for (const char character : text) escaped += character == '%' ? "%%" : std::string(1, character);
    return escaped;
}

// The smallest of 1, 2, 5, 10, 20, 50, … that is not below `least`.
std::size_t round_step(double least) {
    for (std::size_t power = 1;; power *= 10) {
        for (const std::size_t factor : {1U, 2U, 5U}) {
            if (static_cast<double>(power * factor) >= least) return power * factor;
        }
    }
}

void size_cells(HeatMapLayout& layout) {
    const double cell = std::min(cell_size(layout.rows), cell_size(layout.columns));
    // A side of few cells gets larger ones, so that no panel is a thin strip.
    layout.cell_width = std::max(cell, std::min(46.0, 180.0 / static_cast<double>(layout.columns)));
    layout.cell_height = std::max(cell, std::min(46.0, 150.0 / static_cast<double>(layout.rows)));
    if (layout.sheet) {
        const double room = sheet_width / static_cast<double>(layout.panels_per_row) - sheet_gap;
        const double scale = std::min(1.0, room / (layout.cell_width * static_cast<double>(layout.columns)));
        layout.cell_width = std::max(2.0, scale * layout.cell_width);
        layout.cell_height = std::max(2.0, scale * layout.cell_height);
    }
    layout.font = std::clamp(std::min(layout.cell_width, layout.cell_height) * 0.55, 7.5, 11.5);
}

// The widest texts of a figure, in letters.
struct TextWidths {
    std::size_t row_label = 1, column_label = 1, panel_title = 1, bar_label = 1;
    bool tokens = false;  // some columns have words; plain indices are thinned out and never rotated

    explicit TextWidths(const HeatMapFigure& figure) {
        for (const HeatMapPanel& panel : figure.panels) {
            row_label = std::max(row_label, widest_label(panel.rows, panel.values.shape()[0]));
            column_label = std::max(column_label, widest_label(panel.columns, panel.values.shape()[1]));
            panel_title = std::max(panel_title, display_width(panel.title));
            bar_label = std::max(bar_label, display_width(bar_name(figure, panel.scale)));
            tokens = tokens || !panel.columns.empty();
        }
    }
};

// The room for a panel with its labels, and for a colour bar with its numbers.
void size_slots(HeatMapLayout& layout, const TextWidths& widths) {
    const double letter = layout.font * letter_width;
    const double column_label_width = static_cast<double>(widths.column_label) * letter;
    layout.rotated = widths.tokens && column_label_width > layout.cell_width;
    layout.left = axis_name + 12.0 + static_cast<double>(widths.row_label) * letter;
    layout.below = axis_name + 10.0 + (layout.rotated ? column_label_width * 0.72 + 4.0 : layout.font);
    const double cells_wide = static_cast<double>(layout.columns) * layout.cell_width;
    const double cells_high = static_cast<double>(layout.rows) * layout.cell_height;
    const double title = static_cast<double>(widths.panel_title);
    if (layout.sheet) {
        layout.slot_width = cells_wide + sheet_gap;
        layout.title_font = std::clamp((layout.slot_width - 8.0) / (title * letter_width), 6.5, 11.0);
        layout.title_height = layout.title_font + 8.0;
        layout.slot_height = layout.title_height + cells_high + 6.0;
    } else {
        layout.slot_width = std::max(layout.left + cells_wide, title * 7.6) + panel_gap;
        layout.slot_height = layout.title_height + cells_high + layout.below + panel_gap;
    }
    layout.bar_slot = std::max(72.0, static_cast<double>(widths.bar_label) * 7.2 + 12.0);
}

}  // namespace

bool HeatMapLayout::numbered() const {
    constexpr std::size_t most = 13;
    return rows <= most && columns <= most && cell_width >= 30.0;
}

double HeatMapLayout::panels_width() const {
    return (sheet ? left : 0.0) + static_cast<double>(panels_per_row) * slot_width;
}

HeatMapLayout lay_out(const HeatMapFigure& figure) {
    HeatMapLayout layout;
    for (const HeatMapPanel& panel : figure.panels) {
        layout.rows = std::max(layout.rows, panel.values.shape()[0]);
        layout.columns = std::max(layout.columns, panel.values.shape()[1]);
        const bool known =
            std::find(layout.bars.begin(), layout.bars.end(), panel.scale) != layout.bars.end();
        if (!known) layout.bars.push_back(panel.scale);
    }
    layout.panels_per_row = std::min(figure.panels_per_row, figure.panels.size());
    layout.sheet = figure.panels.size() >= panels_of_a_sheet && are_alike(figure.panels);
    size_cells(layout);
    size_slots(layout, TextWidths(figure));
    layout.panel_rows = (figure.panels.size() + layout.panels_per_row - 1) / layout.panels_per_row;
    const double title = figure.title.empty() ? 0.0 : figure_title_height;
    layout.width = 2 * figure_margin +
                   std::max(layout.panels_width() + static_cast<double>(layout.bars.size()) * layout.bar_slot,
                            static_cast<double>(display_width(figure.title)) * 9.8);
    layout.height = 2 * figure_margin + title + static_cast<double>(layout.panel_rows) * layout.slot_height +
                    (layout.sheet ? layout.below : -panel_gap);
    layout.grid_top = layout.height - figure_margin - title - layout.title_height;
    return layout;
}

PanelEdges edges_of_panel(const HeatMapLayout& layout, std::size_t index, std::size_t rows,
                          std::size_t columns) {
    const auto across = static_cast<double>(index % layout.panels_per_row);
    const auto down = static_cast<double>(index / layout.panels_per_row);
    const double left = figure_margin + across * layout.slot_width + layout.left;
    const double top = layout.grid_top - down * layout.slot_height;
    return {left, left + static_cast<double>(columns) * layout.cell_width,
            top - static_cast<double>(rows) * layout.cell_height, top};
}

PanelEdges edges_of_bar(const HeatMapLayout& layout, std::size_t index) {
    const double left =
        figure_margin + layout.panels_width() + 4.0 + static_cast<double>(index) * layout.bar_slot;
    const double bottom =
        edges_of_panel(layout, layout.panels_per_row * (layout.panel_rows - 1), layout.rows, 1).bottom;
    const double middle = (layout.grid_top + bottom) / 2;
    // Beside a single row of panels it is as tall as they are, less the room for its name.
    const double half = std::min(tallest_bar, layout.grid_top - bottom - 24.0) / 2;
    return {left, left + bar_width, middle - half - 10.0, middle + half - 10.0};
}

std::string tic_list(const std::vector<std::string>& tokens, std::size_t count, double cell, double room) {
    const double least = room / cell;
    const std::size_t step =
        tokens.empty() ? round_step(least) : static_cast<std::size_t>(std::max(1.0, std::ceil(least)));
    std::string text;
    for (std::size_t i = 0; i < count; i += step) {
        text +=
            fmt::format("{}{} {}", i == 0 ? "" : ", ", gnuplot_string(escape_percent(label(tokens, i))), i);
    }
    return text;
}

std::string bar_name(const HeatMapFigure& figure, ColourScale scale) {
    for (const HeatMapPanel& panel : figure.panels) {
        if (panel.scale == scale && !panel.quantity.empty()) return panel.quantity;
    }
    return scale == ColourScale::probability ? "weight" : "value";
}

}  // namespace tfs

// common/figures/heat_maps.cpp · maps: cells in rows and columns, their labels and their colour bars
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "common/base/array.hpp"
#include "common/figures/drawing.hpp"
#include "common/terminal/display.hpp"

namespace tfs {

namespace {

constexpr double largest_cell = 36.0, numbered_cell = 28.0, widest_map_label = 150.0;
constexpr double axis_room = 18.0, bar_width = 12.0, label_letters = 13.0;

struct MapLayout {
    std::size_t rows = 1, columns = 1;  // of the largest panel
    bool shared = false;   // labels on the left and on top hold for all panels, and stand there once
    bool slanted = false;  // the column labels
    double cell_width = 0.0, cell_height = 0.0;
    double left = 0.0, above = 0.0;  // the room for labels and the axes' names
    double answers = 0.0;            // the room for answers, on the right of a panel
    double bars = 0.0;               // the room for colour bars, on the right
    Grid grid;
};

std::string label(const std::vector<std::string>& labels, std::size_t i) {
    return labels.empty() ? std::to_string(i) : labels[i];
}

double widest(const std::vector<std::string>& labels, std::size_t count) {
    double width = 0.0;
    for (std::size_t i = 0; i < count; ++i)
        width = std::max(width, text_width(label(labels, i), label_letters));
    return std::min(width, widest_map_label);
}

std::string quantity_of(const HeatMapPanel& panel) {
    return !panel.quantity.empty()                   ? panel.quantity
           : panel.scale == ColourScale::probability ? "weight"
                                                     : "value";
}

bool are_alike(const std::vector<HeatMapPanel>& panels) {
    return std::all_of(panels.begin(), panels.end(), [&](const HeatMapPanel& panel) {
        return shape_of(panel.values) == shape_of(panels[0].values) && panel.rows == panels[0].rows &&
               panel.columns == panels[0].columns;
    });
}

// The first panel of each scale: it stands for its bar. Where cells have numbers, only yes and no have one.
std::vector<std::size_t> panels_with_bar(const HeatMapFigure& figure, bool numbered) {
    std::vector<std::size_t> first;
    for (std::size_t i = 0; i < figure.panels.size(); ++i) {
        if (numbered && figure.panels[i].scale != ColourScale::yes_no) continue;
        const auto same = [&](std::size_t other) {
            return figure.panels[other].scale == figure.panels[i].scale;
        };
        if (std::none_of(first.begin(), first.end(), same)) first.push_back(i);
    }
    return first;
}

// As many panels side by side as asked for, or as fit with cells that can be told apart and labelled. `numbered`: the cells are
// large enough for numbers, so that most need no bar.
MapLayout lay_out(const HeatMapFigure& figure, bool numbered) {
    MapLayout layout;
    double row_labels = 0.0, column_labels = 0.0;
    bool words = false;
    for (const HeatMapPanel& panel : figure.panels) {
        layout.rows = std::max(layout.rows, rows_of(panel).size());
        layout.columns = std::max(layout.columns, panel.values.shape()[1]);
        row_labels = std::max(row_labels, widest(panel.rows, panel.values.shape()[0]));
        column_labels = std::max(column_labels, widest(panel.columns, panel.values.shape()[1]));
        words = words || !panel.columns.empty();
        for (const std::string& answer : panel.answers)
            layout.answers = std::max(layout.answers, 12.0 + text_width(answer, 14.0));
    }
    for (const std::size_t i : panels_with_bar(figure, numbered))
        layout.bars = std::max({layout.bars, 74.0, 12.0 + text_width(quantity_of(figure.panels[i]), 13.0)});
    layout.left = row_labels + axis_room + 12.0;
    const auto rows = static_cast<double>(layout.rows), columns = static_cast<double>(layout.columns);
    const double tallest = std::clamp(520.0 / rows, 3.0, largest_cell);
    Grid& grid = layout.grid;
    double cell = 0.0;
    for (std::size_t per_row = figure.panels_per_row;; --per_row) {
        grid = grid_of(figure.panels.size(), per_row);
        per_row = grid.per_row;
        layout.shared = per_row > 2 && are_alike(figure.panels);
        const auto across = static_cast<double>(per_row);
        const double labels = layout.left * (layout.shared ? 1.0 : across) + layout.answers * across;
        cell = (grid.width - (layout.bars + labels) / across) / columns;
        if (cell >= std::min(14.0, tallest) || per_row == 1) break;
    }
    // Square, except where there are few rows or columns beside many.
    layout.cell_width = std::min({cell, largest_cell, std::max(tallest, 360.0 / columns)});
    layout.cell_height = std::min({tallest, largest_cell, std::max(layout.cell_width, 160.0 / rows)});
    // Single letters stand upright: of too many every second one.
    layout.slanted = words && column_labels > std::max(layout.cell_width - 3.0, label_letters);
    layout.above = axis_room + (layout.slanted ? 0.77 * column_labels + 14.0 : 16.0);
    // A panel is as wide as its title, where the figure has that room.
    const double labels = layout.shared ? 0.0 : layout.left, across = static_cast<double>(grid.per_row);
    const double room =
        (figure_width - 2 * margin - layout.bars - (layout.shared ? layout.left : 0.0)) / across - grid.gap;
    grid.width = labels + layout.cell_width * columns + layout.answers;
    for (const HeatMapPanel& panel : figure.panels)
        grid.width = std::max(grid.width, std::min(room, labels + text_width(panel.title, panel_title_size)));
    grid.height = panel_title_room + layout.above + layout.cell_height * rows;
    grid.left = margin + (layout.shared ? layout.left : 0.0);
    return layout;
}

// Counts are written whole, weights as .55 and only from .05 on.
std::string cell_text(float value, ColourScale scale, bool whole) {
    if (!std::isfinite(value)) return std::isnan(value) ? "NaN" : value > 0 ? "inf" : "-inf";
    if (scale == ColourScale::yes_no) return {};
    if (whole) return fmt::format("{:.0f}", value);
    if (scale == ColourScale::probability && value < 0.05f) return {};
    if (std::abs(value) >= 9.95f) return short_number(value, 2);
    std::string text = fmt::format("{:.2f}", value);
    if (text == "-0.00") text = "0.00";
    const std::size_t zero = text.find("0.");
    return zero <= 1 && text != "0.00" ? text.erase(zero, 1) : text == "0.00" ? "0" : text;
}

bool is_whole(const Array& values) {
    return std::all_of(values.data(), values.data() + values.size(),
                       [](float v) { return std::isnan(v) || (v == std::round(v) && std::abs(v) < 1e4f); });
}

// Of many labels along one side only every k-th is written, so that they don't touch.
std::size_t step_of_labels(bool words, double cell, double needed) {
    const double least = needed / cell;
    if (words) return static_cast<std::size_t>(std::max(1.0, std::ceil(least)));
    for (std::size_t power = 1;; power *= 10)
        for (const std::size_t factor : {1U, 2U, 5U})
            if (static_cast<double>(power * factor) >= least) return power * factor;
}

void draw_row_labels(Canvas& canvas, const HeatMapFigure& figure, const HeatMapPanel& panel,
                     const MapLayout& layout, const Box& cells) {
    const bool single = widest(panel.rows, panel.values.shape()[0]) <= label_letters;
    const std::size_t step =
        step_of_labels(!panel.rows.empty(), layout.cell_height, label_letters + (single ? -1.0 : 1.0));
    const std::vector<std::size_t> shown = rows_of(panel);
    for (std::size_t i = 0; i < shown.size(); i += step) {
        const double y =
            cells.top + (static_cast<double>(i) + 0.5) * layout.cell_height + 0.35 * label_letters;
        canvas.open("row-label", {{"r", std::to_string(shown[i])}});
        canvas.text({cells.left - 7.0, y},
                    fitted(label(panel.rows, shown[i]), label_letters, widest_map_label),
                    {.anchor = Anchor::end, .size = label_letters});
        canvas.close();
    }
    if (text_width(figure.row_axis, 13.0) > cells.height) return;  // a strip or two: their labels say enough
    canvas.text({cells.left - layout.left + 11.0, cells.middle().y}, figure.row_axis,
                {.anchor = Anchor::middle, .classes = "axis", .turned = -90.0});
}

void draw_column_labels(Canvas& canvas, const HeatMapFigure& figure, const HeatMapPanel& panel,
                        const MapLayout& layout, const Box& cells) {
    const double digits = 8.0 + text_width(std::to_string(panel.values.shape()[1]), label_letters);
    const std::size_t step = step_of_labels(!panel.columns.empty(), layout.cell_width,
                                            panel.columns.empty() ? digits
                                            : layout.slanted      ? label_letters + 1.0
                                                                  : label_letters - 1.0);
    for (std::size_t j = 0; j < panel.values.shape()[1]; j += step) {
        const double x = cells.left + (static_cast<double>(j) + 0.5) * layout.cell_width;
        const std::string words = fitted(label(panel.columns, j), label_letters, widest_map_label);
        canvas.open("column-label", {{"c", std::to_string(j)}});
        canvas.text({x + (layout.slanted ? 3.0 : 0.0), cells.top - 6.0}, words,
                    {.anchor = layout.slanted ? Anchor::start : Anchor::middle,
                     .turned = layout.slanted ? -50.0 : 0.0,
                     .size = label_letters});
        canvas.close();
    }
    canvas.text({cells.middle().x, cells.top - layout.above + 12.0}, figure.column_axis,
                {.anchor = Anchor::middle, .classes = "axis"});
}

struct Cell {
    std::string value = {}, fill = {}, number = {};
    bool light = false;      // the number: on a dark fill
    bool same_fill = false;  // as others of its kind on every machine: rounding can't change it
};

constexpr std::string_view masked = "masked";

// `shades`: how many colours the scale has; 0: as many as there are values.
Cell cell_of(const HeatMapPanel& panel, const ColourRange& range, bool whole, std::size_t i, std::size_t j,
             int shades = 0) {
    const std::size_t at = i * panel.values.shape()[1] + j;
    const float value = panel.values.data()[at];
    if (panel.allowed && !panel.allowed->data()[at])
        return {.value = std::string(masked), .fill = std::string(faint_fill), .same_fill = true};
    const bool tiny = panel.scale == ColourScale::probability && value > 0.0f && value < 1e-4f;
    Cell cell{.value = panel.scale == ColourScale::yes_no ? (value > 0.5f ? "yes" : "no")
                       : !std::isfinite(value)            ? cell_text(value, panel.scale, whole)
                       : tiny                             ? "< 0.0001"
                                                          : short_number(value),
              .fill = "#f6d9cd",
              .number = shades == 0 ? cell_text(value, panel.scale, whole) : "",
              .same_fill = panel.scale == ColourScale::yes_no};
    if (!std::isfinite(value)) return cell;
    const double place = range.place_of(value);
    cell.fill = colour_at(panel.scale, shades == 0 ? place : std::round(place * shades) / shades);
    cell.light = is_dark(cell.fill);
    return cell;
}

// The space between cells that are large enough for one.
double gap_of(const MapLayout& layout) {
    return std::min(layout.cell_width, layout.cell_height) >= 9.0 ? 1.5 : 0.0;
}

// Of masked cells, of yes and of no; empty where there are none. Other colours depend on rounding: what is written of a cell
// must not.
std::string commonest_fill(const std::vector<Cell>& cells) {
    std::map<std::string, std::size_t> counts{{"", 0}};
    for (const Cell& cell : cells)
        if (cell.same_fill) ++counts[cell.fill];
    const auto fewer = [](const auto& a, const auto& b) { return a.second < b.second; };
    return std::max_element(counts.begin(), counts.end(), fewer)->first;
}

bool is_numbered(const MapLayout& layout) {
    return std::min(layout.cell_width, layout.cell_height) >= numbered_cell;
}

// `row` says which and where; its colour is found here.
void draw_cells(Canvas& canvas, const HeatMapFigure& figure, const HeatMapPanel& panel,
                const ColourRange& range, const MapLayout& layout, CellRow row) {
    const std::size_t columns = panel.values.shape()[1];
    const bool numbered = is_numbered(layout), whole = is_whole(panel.values);
    std::vector<Cell> cells;
    for (std::size_t j = 0; j < columns; ++j) cells.push_back(cell_of(panel, range, whole, row.index, j));
    row.height = layout.cell_height - gap_of(layout);
    row.fill = commonest_fill(cells);
    canvas.open_row(row);
    for (std::size_t j = 0; j < columns; ++j) {
        const double x = static_cast<double>(j) * layout.cell_width;
        canvas.cell(x, cells[j].same_fill && cells[j].fill == row.fill ? "" : cells[j].fill,
                    fmt::format("{} {} → {} {}: {}", figure.row_axis, label(panel.rows, row.index),
                                figure.column_axis, label(panel.columns, j), cells[j].value));
        if (numbered || cells[j].number == "NaN")
            canvas.cell_number(row, x + (layout.cell_width - gap_of(layout)) / 2, cells[j].number,
                               cells[j].light);
    }
    canvas.close();
}

// A larger map has a path for each shade, not an element for each cell: thousands of them make a page slow.
constexpr std::size_t most_cells = 1024;
constexpr int shades_of_large = 64;

bool is_large(const HeatMapPanel& panel) { return panel.meant.empty() && panel.values.size() > most_cells; }

// common/report/cells.js makes the title of a cell from these lines when one points at it. What is no number has its colour, and
// no text.
void draw_large(Canvas& canvas, const HeatMapFigure& figure, const HeatMapPanel& panel,
                const ColourRange& range, const Box& cells) {
    const bool whole = is_whole(panel.values);
    const std::size_t rows = panel.values.shape()[0], columns = panel.values.shape()[1];
    std::vector<std::string> fills, values(rows), row_names, column_names;
    for (std::size_t i = 0; i < rows; ++i) {
        std::size_t seen = 0;  // the end of the row: what is masked behind it is not written
        for (std::size_t j = 0; j < columns; ++j) {
            const Cell cell = cell_of(panel, range, whole, i, j, shades_of_large);
            if (j > 0) values[i] += ',';
            values[i] += cell.value;
            if (cell.value != masked) seen = values[i].size();
            fills.push_back(cell.fill);
        }
        values[i].resize(seen);
        row_names.push_back(label(panel.rows, i));
    }
    for (std::size_t j = 0; j < columns; ++j) column_names.push_back(label(panel.columns, j));
    canvas.pixels(cells, columns, fills,
                  {{"axes", {figure.row_axis, figure.column_axis}},
                   {"rows", row_names},
                   {"columns", column_names},
                   {"values", values}});
}

void draw_panel(Canvas& canvas, const HeatMapFigure& figure, std::size_t index, const MapLayout& layout,
                const std::string& cell_size) {
    const HeatMapPanel& panel = figure.panels[index];
    const ColourRange range = colour_range(figure, index);
    const Box place = layout.grid.place(index);
    const std::vector<std::size_t> shown = rows_of(panel);
    const auto rows = static_cast<double>(shown.size()),
               columns = static_cast<double>(panel.values.shape()[1]);
    const double left = layout.shared ? 0.0 : layout.left;
    const Box cells{place.left + left, place.top + panel_title_room + layout.above,
                    columns * layout.cell_width, rows * layout.cell_height};
    const bool large = is_large(panel);
    canvas.open(large ? "map" : "map " + cell_size, {{"panel", std::to_string(index)}});
    canvas.text({cells.left, place.top + 13.0},
                fitted(panel.title, panel_title_size, place.width - left + 20.0), {.classes = "panel"});
    if (!layout.shared || index % layout.grid.per_row == 0)
        draw_row_labels(canvas, figure, panel, layout, cells);
    draw_column_labels(canvas, figure, panel, layout, cells);

    if (large) draw_large(canvas, figure, panel, range, cells);
    for (std::size_t i = 0; i < shown.size(); ++i) {
        const double top = cells.top + static_cast<double>(i) * layout.cell_height;
        if (!large)
            draw_cells(canvas, figure, panel, range, layout, {.index = shown[i], .at = {cells.left, top}});
        if (!panel.answers.empty())
            canvas.text({cells.right() + 10.0, top + layout.cell_height / 2 + 4.5}, panel.answers[i],
                        {.classes = "bold"});
    }
    canvas.close();
}

// What the colours mean: a bar with its numbers, or two swatches. Returns the y below it.
double draw_bar(Canvas& canvas, const HeatMapFigure& figure, std::size_t panel, Point at, double height) {
    const HeatMapPanel& one = figure.panels[panel];
    const ColourRange range = colour_range(figure, panel);
    canvas.open("bar-of-colours");
    canvas.text(at, quantity_of(one), {.classes = "axis"});
    if (one.scale == ColourScale::yes_no) {
        for (const int no : {0, 1}) {
            const double y = at.y + 10.0 + 22.0 * no;
            canvas.open("scale");
            canvas.rectangle({at.x, y, 14.0, 14.0}, colour_at(one.scale, 1.0 - no), 2.0);
            canvas.close();
            canvas.text({at.x + 20.0, y + 11.0}, no == 0 ? "yes" : "no");
        }
        canvas.close();
        return at.y + 70.0;
    }
    constexpr int steps = 40;
    const Box bar{at.x, at.y + 10.0, bar_width, height - 24.0};
    canvas.open("scale");
    for (int i = 0; i < steps; ++i)
        canvas.rectangle(
            {bar.left, bar.bottom() - bar.height * (i + 1) / steps, bar.width, bar.height / steps + 0.4},
            colour_at(one.scale, (i + 0.5) / steps));
    canvas.close();
    std::vector<double> ends{range.low, range.high};
    if (one.scale == ColourScale::diverging) ends.push_back(0.0);
    for (const double value : ends)
        canvas.text({bar.right() + 6.0, bar.bottom() - bar.height * range.place_of(value) + 4.0},
                    short_number(value, 2));
    canvas.close();
    return bar.bottom() + 34.0;
}

}  // namespace

std::string drawn(const HeatMapFigure& figure) {
    Canvas canvas;
    MapLayout layout = lay_out(figure, true);
    const bool numbered = is_numbered(layout);
    if (!numbered) layout = lay_out(figure, false);
    layout.grid.top = draw_title(canvas, figure.title);
    const double gap = gap_of(layout);
    const std::string cell_size =
        canvas.cell_size(layout.cell_width - gap, layout.cell_height - gap, gap > 0.0 ? 2.0 : 0.0);
    for (std::size_t i = 0; i < figure.panels.size(); ++i) draw_panel(canvas, figure, i, layout, cell_size);
    const Box last_of_row = layout.grid.place(layout.grid.per_row - 1);
    Point at{last_of_row.right() + 22.0, layout.grid.top + panel_title_room + layout.above - 2.0};
    // Several bars share the height of the panels.
    const std::vector<std::size_t> with_bar = panels_with_bar(figure, numbered);
    const double room = layout.grid.figure_height() - margin - at.y;
    const double height =
        std::clamp(room / static_cast<double>(std::max<std::size_t>(1, with_bar.size())) - 34.0, 60.0, 300.0);
    double bottom = layout.grid.figure_height();
    for (const std::size_t i : with_bar) {
        at.y = draw_bar(canvas, figure, i, at, height);
        bottom = std::max(bottom, at.y - 20.0);
    }
    const double title = title_width(figure.title);
    const double right = with_bar.empty() ? last_of_row.right() + margin : at.x + layout.bars + margin - 22.0;
    return canvas.document(std::max(right, title), bottom, figure.title);
}

}  // namespace tfs

// chapters/00_tensors/program/views.cpp · where the values of a shape lie; views that repeat, turn and overlap; broadcasting
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <functional>
#include <numeric>
#include <string>
#include <vector>

#include "chapters/00_tensors/given/view_of.hpp"
#include "common/base/array.hpp"
#include "common/program.hpp"
#include "common/tensor.hpp"

namespace tfs {

namespace {

void add_cell(PlanePanel& panel, double x, double top, double side, float number, bool marked) {
    const Hue hue = marked ? Hue::with : Hue::other;
    panel.rectangle(x, top - side, x + side, top, hue, fmt::format("{}", number)).light = !marked;
}

Array places(std::size_t floats) {
    Array buffer = Array::from_shape({floats});
    std::iota(buffer.begin(), buffer.end(), 0.0f);
    return buffer;
}

Array reads(const Strided& view, std::size_t floats) {
    Array buffer = places(floats);
    return view_of(buffer, view);
}

PlanePanel memory_panel(const std::string& title, const Strided& view, std::size_t floats,
                        const std::function<bool(std::size_t row, std::size_t column)>& marked) {
    constexpr double side = 1.8, bottom = 4.4;
    const double first = 6.0 - static_cast<double>(floats) / 2;
    const Array cells = reads(view, floats);
    PlanePanel panel{.title = title, .low_x = 0.0, .high_x = 12.0, .low_y = -1.2, .high_y = 10.0};
    std::vector<bool> read(floats, false);
    for (std::size_t row = 0; row < cells.shape(0); ++row)
        for (std::size_t column = 0; column < cells.shape(1); ++column) {
            const double x = 2.4 + side * static_cast<double>(column),
                         top = bottom + side * static_cast<double>(cells.shape(0) - row);
            add_cell(panel, x, top, side, cells(row, column), marked(row, column));
            if (!marked(row, column)) continue;
            read[static_cast<std::size_t>(cells(row, column))] = true;
            // The arrows leave the grid at its lower edge: they cross no number.
            const double start = marked(0, column) ? 0.25 * static_cast<double>(row + 1) : 0.5;
            panel.arrow(x + side * start, bottom, first + cells(row, column) + 0.5, 1.1, Hue::with, 0.7);
        }
    for (std::size_t i = 0; i < floats; ++i)
        add_cell(panel, first + static_cast<double>(i), 1.0, 1.0, static_cast<float>(i), read[i]);
    panel.text(6.0, -0.7, "floats in memory");
    return panel;
}

PlaneFigure memory_figure() {
    const auto column_1 = [](std::size_t, std::size_t column) { return column == 1; };
    const auto row_2 = [](std::size_t row, std::size_t) { return row == 2; };
    return {.name = "memory",
            .title = "With a stride of 0, many cells read the same float",
            .panels = {memory_panel("x: strides (4, 1)", {{3, 4}, {4, 1}}, 12, column_1),
                       memory_panel("bias: strides (0, 1)", {{3, 4}, {0, 1}}, 4, column_1),
                       memory_panel("column: strides (1, 0)", {{3, 4}, {1, 0}}, 3, row_2)},
            .panels_per_row = 3,
            .caption =
                "Above the cells of three arrays, below the floats in memory. A number is a float's place in "
                "memory. The strides say how many floats further the next row and the next column are. The "
                "bias has 4 floats, used in all rows; the array \"column\" has 3, used in all columns: "
                "nothing is copied."};
}

Report show_memory(const Request&) {
    const Array x = reads(row_major({3, 4}), 12);  // each value is its own offset
    Report report;
    Table buffer{.title = "x.data(), row after row:",
                 .columns = {{""}, {"", whole()}, {"", whole()}, {"", whole()}, {"", whole()}}};
    for (std::size_t row = 0; row < x.shape(0); ++row)
        buffer.add({fmt::format("seq {}:", row), x(row, 0), x(row, 1), x(row, 2), x(row, 3)});
    report.add(buffer);
    report.note(
        fmt::format("strides (4, 1): one position further is 4 floats, one feature further is 1\n"
                    "x(2, 3) is at 2 * 4 + 3 * 1 = {}\n",
                    x(2, 3)));
    Table turned{.columns = {{"two ways to make (4, 3) of it"}, {"its first row"}}};
    const auto add = [&](const std::string& name, const Tensor& y) {
        turned.add({name, fmt::format("{} {} {}", y.at({0, 0}), y.at({0, 1}), y.at({0, 2}))});
    };
    add("reshape(x, {4, 3})", reshape(Tensor(x), {4, 3}));
    add("transpose(x, 0, 1)", transpose(Tensor(x), 0, 1));
    report.add(turned);
    report.add(memory_figure());
    return report;
}

// "0 1 2 | 1 2 3": row after row.
std::string in_rows(const Array& cells) {
    const std::size_t columns = cells.shape().back();
    std::string rows;
    for (std::size_t i = 0; i < cells.size(); ++i) {
        if (i > 0) rows += i % columns == 0 ? " | " : " ";
        rows += fmt::format("{}", cells.data()[i]);
    }
    return rows;
}

struct NamedView {
    std::string name;
    Strided view;
    std::size_t floats;  // of its buffer
};

Table what_is_read(const std::vector<NamedView>& views) {
    Table table{.columns = {{"view"}, {"shape"}, {"reads, row | row"}}};
    for (const NamedView& one : views)
        table.add({one.name, to_string(one.view.shape), in_rows(reads(one.view, one.floats))});
    return table;
}

std::vector<NamedView> some_views() {
    const Strided x = row_major({3, 4});
    return {{"x", x, 12},
            {"transposed_view(x, 0, 1)", transposed_view(x, 0, 1), 12},
            {"diagonal_view(x)", diagonal_view(x), 12},
            {"a bias (4), in the shape of x", broadcast_view(row_major({4}), x.shape), 4}};
}

std::vector<NamedView> views_that_overlap() {
    const Strided five = row_major({5});
    return {{"window_view, of 5 floats", window_view(five, 3), 5},
            {"diagonals_view, of (3, 4)", diagonals_view(row_major({3, 4})), 12},
            {"toeplitz_view, of 5 floats", toeplitz_view(five), 5}};
}

Report show_views(const Request&) {
    Report report;
    report.add(what_is_read(some_views()));
    Array buffer = places(12);
    view_of(buffer, diagonal_view(row_major({3, 4}))) = -1.0f * xt::ones<float>({3});
    report.note(fmt::format("after -1 is written to the diagonal, x is {}\n", fmt::join(buffer, " ")));
    return report;
}

Report show_strides(const Request&) {
    Table table{.columns = {{"view"}, {"shape"}, {"strides"}, {"offset"}}};
    for (const auto& views : {some_views(), views_that_overlap()})
        for (const NamedView& one : views)
            table.add({one.name, to_string(one.view.shape),
                       fmt::format("({})", fmt::join(one.view.strides, ", ")),
                       std::to_string(one.view.offset)});
    return Report(table);
}

// A row minus a column is a matrix.
Report show_broadcasting(const Request&) {
    const Tensor targets = Tensor::from({3}, {1, 2, 3}), guesses = reshape(targets, {3, 1});
    Table table{.title = "guesses (3, 1) = targets (3) = 1, 2, 3: all are right",
                .columns = {{"error"}, {"shape"}, {"mean squared error", fixed(3)}}};
    const auto add = [&](const std::string& name, const Tensor& error) {
        table.add({name, to_string(error.shape()), mean(error * error).item()});
    };
    add("guesses - targets", guesses - targets);
    add("guesses - reshape(targets, {3, 1})", guesses - reshape(targets, {3, 1}));
    return Report(table);
}

PlaneFigure overlapping_figure() {
    const Strided five = row_major({5});
    const auto row_1 = [](std::size_t row, std::size_t) { return row == 1; };
    return {.name = "overlapping",
            .title = "Three views, nothing copied",
            .panels = {memory_panel("windows of 3, of 5 floats", window_view(five, 3), 5, row_1),
                       memory_panel("diagonals of (3, 4)", diagonals_view(row_major({3, 4})), 12, row_1),
                       memory_panel("Toeplitz, of 5 distances", toeplitz_view(five), 5, row_1)},
            .panels_per_row = 3,
            .caption =
                "Cells and floats, as at the top. A row of the first view is three neighbours. A row of the "
                "second is a diagonal of "
                "x: floats 1, 6 and 11 are x(0, 1), x(1, 2), x(2, 3). A Toeplitz matrix has one value for "
                "each of its diagonals."};
}

Report show_overlapping(const Request&) {
    Report report;
    report.add(what_is_read(views_that_overlap()));
    report.add(overlapping_figure());
    return report;
}

}  // namespace

// The lesson begins with the memory.
Sections memory_sections() { return {{"memory", "Shapes and memory", show_memory}}; }

// The strides are not shown with the views: strides and offsets are the answers of two steps.
Sections views_sections() {
    return {{"views", "Views", show_views},
            {"strides", "The strides of these views", show_strides, {}, Level::deeper},
            {"broadcasting", "Broadcasting: a row minus a column", show_broadcasting, {}, Level::deeper},
            {"overlapping", "Views that overlap", show_overlapping}};
}

}  // namespace tfs

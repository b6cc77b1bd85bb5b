// chapters/00_tensors/program/views.cpp · views: shape, strides and offset, and what is written through them
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <numeric>

#include "chapters/00_tensors/given/view_of.hpp"
#include "chapters/00_tensors/program/memory_panel.hpp"
#include "common/base/shape.hpp"
#include "common/program.hpp"

namespace tfs {

namespace {

// Each float holds its own place.
Array places(std::size_t floats) {
    Array buffer = Array::from_shape({floats});
    std::iota(buffer.begin(), buffer.end(), 0.0f);
    return buffer;
}

// The float that each cell of a view reads.
Array reads(const Strided& view, std::size_t floats) {
    Array buffer = places(floats);
    return view_of(buffer, view);
}

void add(Table& table, const std::string& name, const Strided& view, std::size_t floats) {
    const Array cells = reads(view, floats);
    const std::size_t columns = cells.shape().back();
    std::string rows;
    for (std::size_t i = 0; i < cells.size(); ++i)
        rows += fmt::format("{}{}", cells.data()[i],
                            i + 1 == cells.size()        ? ""
                            : i % columns + 1 == columns ? " | "
                                                         : " ");
    table.add({name, to_string(view.shape), fmt::format("({})", fmt::join(view.strides, ", ")),
               std::to_string(view.offset), rows});
}

Report show_views(const Request&) {
    const Strided x = row_major({3, 4}), five = row_major({5});
    Table table{.title = "x = (3, 4), each float holds its own place; a view reads",
                .columns = {{"view"}, {"shape"}, {"strides"}, {"offset"}, {"row | row"}}};
    add(table, "x", x, 12);
    add(table, "transposed_view(x, 0, 1)", transposed_view(x, 0, 1), 12);
    add(table, "diagonal_view(x)", diagonal_view(x), 12);
    add(table, "a bias (4), in the shape of x", broadcast_view(row_major({4}), x.shape), 4);
    Report report;
    report.add(table);
    Array buffer = places(12);
    view_of(buffer, diagonal_view(x)) = -1.0f * xt::ones<float>({3});
    report.note(fmt::format("after -1 is written to the diagonal, x is {}\n", fmt::join(buffer, " ")));
    return report;
}

PlaneFigure overlapping_figure() {
    const Strided five = row_major({5});
    const auto row_1 = [](std::size_t row, std::size_t) { return row == 1; };
    return {.name = "overlapping",
            .title = "Three views, nothing copied",
            .panels = {memory_panel("windows of 3, of 5 floats", reads(window_view(five, 3), 5), 5, row_1),
                       memory_panel("diagonals of (3, 4)", reads(diagonals_view(row_major({3, 4})), 12), 12,
                                    row_1),
                       memory_panel("Toeplitz, of 5 distances", reads(toeplitz_view(five), 5), 5, row_1)},
            .panels_per_row = 3,
            .caption =
                "Cells and floats, as at the top. A row of the first view is three neighbours. A row of the "
                "second is a diagonal of "
                "x: floats 1, 6 and 11 are x(0, 1), x(1, 2), x(2, 3). A Toeplitz matrix has one value for "
                "each of its diagonals."};
}

Report show_overlapping(const Request&) {
    const Strided five = row_major({5});
    Table table{.columns = {{"view"}, {"shape"}, {"strides"}, {"offset"}, {"row | row"}}};
    add(table, "window_view, of 5 floats", window_view(five, 3), 5);
    add(table, "diagonals_view, of (3, 4)", diagonals_view(row_major({3, 4})), 12);
    add(table, "toeplitz_view, of 5 floats", toeplitz_view(five), 5);
    Report report;
    report.add(table);
    report.add(overlapping_figure());
    return report;
}

}  // namespace

Section views() { return {.id = "views", .title = "Views", .run = show_views}; }

Section overlapping_views() {
    return {.id = "overlapping", .title = "Views that overlap", .run = show_overlapping};
}

}  // namespace tfs

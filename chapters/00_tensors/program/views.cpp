// chapters/00_tensors/program/views.cpp · views: shape, strides and offset, and what is written through them
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <string>
#include <vector>

#include "chapters/00_tensors/given/view_of.hpp"
#include "chapters/00_tensors/program/memory_panel.hpp"
#include "common/base/array.hpp"
#include "common/program.hpp"

namespace tfs {

namespace {

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
    Report report;
    report.add(table);
    return report;
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

// Not with the others: strides and offsets are the answers of two steps.
Sections views_sections() {
    return {{"strides", "The strides of these views", show_strides, {}, Level::deeper},
            {"overlapping", "Views that overlap", show_overlapping},
            {"views", "Views", show_views}};
}

}  // namespace tfs

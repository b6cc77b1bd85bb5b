// chapters/00_tensors/program/memory.cpp · where the values of a shape lie
#include <fmt/format.h>

#include "chapters/00_tensors/program/memory_panel.hpp"
#include "common/program.hpp"
#include "common/tensor.hpp"

namespace tfs {

namespace {

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

}  // namespace

Sections memory_sections() { return {{"memory", "Shapes and memory", show_memory}}; }

}  // namespace tfs

// chapters/00_tensors/program/memory.cpp · where the values of a shape lie
#include <fmt/format.h>

#include <utility>

#include "common/program.hpp"
#include "common/tensor.hpp"

namespace tfs {

namespace {

// The offset in the buffer that each cell of (rows, columns) reads, given the strides of both axes.
Array offsets(std::size_t rows, std::size_t columns, std::size_t row_stride, std::size_t column_stride) {
    Array result = Array::from_shape({rows, columns});
    for (std::size_t row = 0; row < rows; ++row)
        for (std::size_t column = 0; column < columns; ++column)
            result(row, column) = static_cast<float>(row * row_stride + column * column_stride);
    return result;
}

HeatMapFigure memory_figure() {
    const auto panel = [](const std::string& title, Array values) {
        return HeatMapPanel{.title = title,
                            .values = std::move(values),
                            .scale = ColourScale::sequential,
                            .quantity = "offset"};
    };
    return {.name = "memory",
            .title = "Which float does each cell read?",
            .row_axis = "row",
            .column_axis = "column",
            .panels = {panel("x (3, 4): strides (4, 1)", offsets(3, 4, 4, 1)),
                       panel("bias (4): strides (0, 1)", offsets(3, 4, 0, 1)),
                       panel("column (3, 1): strides (1, 0)", offsets(3, 4, 1, 0))},
            .panels_per_row = 3,
            .caption =
                "Three arrays, stored row after row. The number in a cell says which float in memory the "
                "cell reads. x has 12 floats. The bias has 4, and every row reads the same ones. The column "
                "has 3, and every column reads the same ones. Nothing is copied: a stride of 0 repeats."};
}

Report show_memory(const Request&) {
    const Array x = offsets(3, 4, 4, 1);  // each value is its own offset
    Report report;
    report.step("x", Tensor(x), {"seq", "d_model"}, "0, 1, 2 ... 11");
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

Section shapes_and_memory() { return {.id = "memory", .title = "Shapes and memory", .run = show_memory}; }

}  // namespace tfs

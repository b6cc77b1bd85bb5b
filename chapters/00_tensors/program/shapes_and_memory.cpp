// chapters/00_tensors/program/shapes_and_memory.cpp · where the values of a shape lie, and what broadcasting reads
#include "chapters/00_tensors/program/sections.hpp"

#include <fmt/ostream.h>

#include "chapters/00_tensors/program/refusal.hpp"
#include "chapters/00_tensors/tensors.hpp"

namespace tfs {

namespace {

// The values 0, 1, 2 …: each is its own offset in the buffer.
Array offsets(const Shape& shape) {
    Array result = Array::from_shape(shape);
    for (std::size_t i = 0; i < result.size(); ++i) result.data()[i] = static_cast<float>(i);
    return result;
}

// The offset that each cell of a (rows, columns) picture reads, given the steps of both axes.
Array offsets_read(std::size_t rows, std::size_t columns, std::size_t row_step, std::size_t column_step) {
    Array result = Array::from_shape({rows, columns});
    for (std::size_t row = 0; row < rows; ++row) {
        for (std::size_t column = 0; column < columns; ++column) {
            result(row, column) = static_cast<float>(row * row_step + column * column_step);
        }
    }
    return result;
}

HeatMapFigure memory_figure() {
    HeatMapFigure figure;
    figure.name = "memory";
    figure.title = "Which float does each cell read?";
    figure.row_axis = "row";
    figure.column_axis = "column";
    figure.caption =
        "The number in a cell is the offset of the float that the cell reads. x and its transposed "
        "view read the same buffer of 24 floats; the bias has 6 floats, the column 4. Nothing is "
        "copied: the steps alone let the bias repeat one row and the column repeat one column.";
    const auto add = [&figure](const std::string& title, Array values) {
        HeatMapPanel& panel = figure.panels.emplace_back();
        panel.title = title;
        panel.values = std::move(values);
        panel.scale = ColourScale::sequential;
        panel.quantity = "offset";
    };
    add("x (4, 6): steps (6, 1)", offsets_read(4, 6, 6, 1));
    add("bias (6), broadcast: steps (0, 1)", offsets_read(4, 6, 0, 1));
    add("column (4, 1), broadcast: steps (1, 0)", offsets_read(4, 6, 1, 0));
    add("x transposed, a view (6, 4): steps (1, 6)", offsets_read(6, 4, 1, 6));
    return figure;
}

}  // namespace

HeatMapFigure show_memory(Show& show) {
    show.trace.step("x", Tensor(offsets({4, 6})), {"seq", "d_model"}, "0, 1, 2 ... 23");
    fmt::print(show.out, "\n  x.data(), row after row:\n\n");
    const Array x = offsets({4, 6});
    for (std::size_t row = 0; row < x.shape(0); ++row) {
        fmt::print(show.out, "    seq {} ", row);
        for (std::size_t column = 0; column < x.shape(1); ++column)
            fmt::print(show.out, "{:>4}", x(row, column));
        fmt::print(show.out, "\n");
    }
    fmt::print(show.out, "\n  steps (6, 1): one position further is 6 floats, one feature further is 1\n");
    fmt::print(show.out, "  x(2, 3) lies at 2 * 6 + 3 * 1 = {}\n", x(2, 3));
    const Tensor turned = transpose(Tensor(x), 0, 1);
    show.trace.step("transpose(x, 0, 1)", turned, {"d_model", "seq"}, "moved, not a view");
    show.trace.step("reshape(x, {2,12})", reshape(Tensor(x), {2, 12}), {"row", "column"}, "same order");
    fmt::print(show.out, "  the first row of the transpose: {} {} {} {}\n", turned.at({0, 0}),
               turned.at({0, 1}), turned.at({0, 2}), turned.at({0, 3}));
    return memory_figure();
}

void show_broadcasting(Show& show) {
    const Tensor x(offsets({2, 3, 4})), bias = Tensor::from({4}, {0.1f, 0.2f, 0.3f, 0.4f});
    show.trace.step("x", x, {"batch", "seq", "d_model"}, "steps (12, 4, 1)");
    show.trace.step("bias", bias, {"d_model"}, "steps (0, 0, 1)");
    const Array y = add_bias(x.array(), bias.array());
    show.trace.step("add_bias(x, bias)", Tensor(y), {"batch", "seq", "d_model"}, "step 0.1");
    fmt::print(show.out, "  check  add_bias and x + bias agree: {}\n",
               largest_difference(y, (x + bias).array()) == 0.0);

    fmt::print(show.out,
               "\n  shapes are aligned at the last axis; a size of 1, or a missing axis, is repeated\n\n");
    const std::vector<std::pair<Shape, Shape>> pairs = {
        {{2, 3, 4}, {4}}, {{2, 3, 4}, {3, 1}}, {{2, 3, 4}, {2, 1, 1}}, {{3, 1}, {3}}};
    for (const auto& [a, b] : pairs) {
        fmt::print(show.out, "    {:<10} + {:<10} -> {}\n", to_string(a), to_string(b),
                   to_string(broadcast_shapes(a, b, "+")));
    }
    fmt::print(show.out, "\n  the last one is the trap: a column and a row make a matrix, silently\n");
    show_refusal(show.trace, [] { return Tensor::zeros({2, 3}) + Tensor::zeros({2}); });
}

}  // namespace tfs

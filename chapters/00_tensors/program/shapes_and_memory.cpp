// chapters/00_tensors/program/shapes_and_memory.cpp · where the values of a shape lie, and what broadcasting reads
#include "chapters/00_tensors/program/sections.hpp"

#include <fmt/ostream.h>

#include <utility>
#include <vector>

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

// The offset that each cell of a (rows, columns) picture reads, given the strides of both axes.
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
    figure.panels_per_row = 3;
    figure.row_axis = "row";
    figure.column_axis = "column";
    figure.caption =
        "Three arrays, stored row after row. The number in a cell says which float in memory the cell reads. "
        "x has 12 floats. The bias has "
        "4, and every row reads the same ones. The column has 3, and every column reads the same ones. "
        "Nothing is copied: a stride of 0 repeats.";
    const auto add = [&figure](const std::string& title, Array values) {
        HeatMapPanel& panel = figure.panels.emplace_back();
        panel.title = title;
        panel.values = std::move(values);
        panel.scale = ColourScale::sequential;
        panel.quantity = "offset";
    };
    add("x (3, 4): strides (4, 1)", offsets_read(3, 4, 4, 1));
    add("bias (4): strides (0, 1)", offsets_read(3, 4, 0, 1));
    add("column (3, 1): strides (1, 0)", offsets_read(3, 4, 1, 0));
    return figure;
}

}  // namespace

HeatMapFigure show_memory(Show& show) {
    const Array x = offsets({3, 4});
    show.trace.step("x", Tensor(x), {"seq", "d_model"}, "0, 1, 2 ... 11");
    fmt::print(show.out, "\n  x.data(), row after row:\n\n");
    for (std::size_t row = 0; row < x.shape(0); ++row) {
        fmt::print(show.out, "    seq {} ", row);
        for (std::size_t column = 0; column < x.shape(1); ++column)
            fmt::print(show.out, "{:>4}", x(row, column));
        fmt::print(show.out, "\n");
    }
    fmt::print(show.out, "\n  strides (4, 1): one position further is 4 floats, one feature further is 1\n");
    fmt::print(show.out, "  x(2, 3) is at 2 * 4 + 3 * 1 = {}\n", x(2, 3));
    fmt::print(show.out, "\n  two ways to make (4, 3) of it:\n");
    for (const auto& [name, turned] : {std::pair{"reshape(x, {4, 3})", reshape(Tensor(x), {4, 3})},
                                       {"transpose(x, 0, 1)", transpose(Tensor(x), 0, 1)}}) {
        fmt::print(show.out, "    {:<20} its first row: {} {} {}\n", name, turned.at({0, 0}),
                   turned.at({0, 1}), turned.at({0, 2}));
    }
    return memory_figure();
}

void show_broadcasting(Show& show) {
    const Tensor x(offsets({2, 3, 4})), bias = Tensor::from({4}, {0.1f, 0.2f, 0.3f, 0.4f});
    show.trace.step("x", x, {"batch", "seq", "d_model"}, "strides (12, 4, 1)");
    show.trace.step("bias", bias, {"d_model"}, "strides (0, 0, 1)");
    const Array y = add_bias(x.array(), bias.array());
    show.trace.step("add_bias(x, bias)", Tensor(y), {"batch", "seq", "d_model"}, "step add_bias");
    fmt::print(show.out, "  check  add_bias and x + bias agree: {}\n\n",
               largest_difference(y, (x + bias).array()) == 0.0);

    const std::vector<std::pair<Shape, Shape>> pairs = {{{2, 3, 4}, {4}}, {{2, 3, 4}, {3, 1}}, {{3, 1}, {3}}};
    for (const auto& [a, b] : pairs) {
        fmt::print(show.out, "    {:<10} + {:<10} -> {}\n", to_string(a), to_string(b),
                   to_string(broadcast_shapes(a, b, "+")));
    }
    show_refusal(show.trace, [] { return Tensor::zeros({2, 3}) + Tensor::zeros({2}); });

    const Tensor targets = Tensor::from({3}, {1, 2, 3}), guesses = reshape(targets, {3, 1});
    const auto loss = [](const Tensor& errors) { return mean(errors * errors).item(); };
    fmt::print(show.out, "\n  guesses (3, 1) = targets (3) = 1, 2, 3: all are right\n");
    fmt::print(show.out, "    guesses - targets                   {}    mean squared error {:.3f}\n",
               to_string((guesses - targets).shape()), loss(guesses - targets));
    fmt::print(show.out, "    guesses - reshape(targets, {{3, 1}})  {}    mean squared error {:.3f}\n",
               to_string((guesses - reshape(targets, {3, 1})).shape()),
               loss(guesses - reshape(targets, {3, 1})));
}

}  // namespace tfs

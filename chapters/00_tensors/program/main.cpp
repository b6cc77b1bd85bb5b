// chapters/00_tensors/program/main.cpp · the tensor layer in an hour: shapes, memory, broadcasting, products, the
// tape, speed
//
// Run it: ./tutorial run 0          on your own steps: ./tutorial run 0 --mine
//         ./tutorial run 0 -- --largest 1024
#include <fmt/ostream.h>

#include <algorithm>
#include <iostream>

#include "chapters/00_tensors/program/measurements.hpp"
#include "chapters/00_tensors/program/tour.hpp"
#include "chapters/00_tensors/program/xtensor_traps.hpp"
#include "common/program.hpp"

namespace {

using namespace tfs;

struct Settings {
    std::size_t largest = 512;
    std::uint64_t seed = 1;
    ShowOptions show;
};

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

std::vector<DifferenceError> show_difference_errors(std::ostream& out, std::uint64_t seed) {
    const std::vector<DifferenceError> errors = difference_errors(seed);
    fmt::print(out, "  f(x) = sum of tanh(x_i) over 8 entries; the largest error of the gradient\n\n");
    fmt::print(out, "  {:>9}  {:>20}  {:>18}  {:>18}\n", "step h", "one-sided, float32", "central, float32",
               "central, float64");
    for (const DifferenceError& e : errors) {
        fmt::print(out, "  {:>9.1e}  {:>20.1e}  {:>18.1e}  {:>18.1e}\n", e.step, e.one_sided, e.central,
                   e.central_double);
    }
    const auto best = [&](double DifferenceError::*column) {
        return std::min_element(errors.begin(), errors.end(),
                                [column](const auto& a, const auto& b) { return a.*column < b.*column; })
            ->step;
    };
    fmt::print(out, "\n  best step: one-sided {:.1e}, central {:.1e}\n", best(&DifferenceError::one_sided),
               best(&DifferenceError::central));
    return errors;
}

std::vector<ProductSpeed> show_speed(std::ostream& out, const Settings& s) {
    const std::vector<ProductSpeed> speeds = product_speeds(s.largest, s.seed);
    fmt::print(out,
               "  one (n, n) x (n, n) product, in GFLOP/s (2 n^3 operations); the best of several runs\n\n");
    fmt::print(out, "  {:>6}  {:>14}  {:>14}  {:>14}  {:>14}  {:>12}\n", "n", "loops i, j, p",
               "loops i, p, j", "BLAS, one core", "BLAS, all", "BLAS / loops");
    for (const ProductSpeed& p : speeds) {
        fmt::print(out, "  {:>6}  {:>14.2f}  {:>14.2f}  {:>14.1f}  {:>14.1f}  {:>11.0f}x\n", p.size, p.loops,
                   p.reordered, p.blas, p.blas_cores, p.blas / p.loops);
    }
    fmt::print(
        out,
        "\n  the last column compares one core with one core; all cores need a machine that is not busy\n");
    const BatchSpeed batch = batch_speeds(32, 256, 64, 256, s.seed);
    fmt::print(out,
               "\n  32 products (256, 64) x (64, 256): one after another {:.1f}, the layer's matmul {:.1f}\n",
               batch.one_by_one, batch.in_parallel);
    return speeds;
}

HeatMapFigure memory_figure() {
    HeatMapFigure figure;
    figure.name = "memory";
    figure.title = "Which float of the buffer does each cell read?";
    figure.row_axis = "row";
    figure.column_axis = "column";
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

// One panel with both axes logarithmic.
LineFigure line_figure(const std::string& name, const std::string& title, LinePanel panel) {
    panel.log_x = panel.log_y = true;
    LineFigure figure;
    figure.name = name;
    figure.title = title;
    figure.panels.push_back(std::move(panel));
    figure.panels_per_row = 1;
    return figure;
}

template <class Row, class X, class Y>
Series series(const std::string& name, const std::vector<Row>& rows, X Row::*x, Y Row::*y) {
    Series result;
    result.name = name;
    for (const Row& row : rows) {
        result.x.push_back(static_cast<double>(row.*x));
        result.y.push_back(static_cast<double>(row.*y));
    }
    return result;
}

LineFigure error_figure(const std::vector<DifferenceError>& errors) {
    LinePanel panel;
    panel.title = "f(x) = sum of tanh(x) over 8 entries";
    panel.x_axis = "step h";
    panel.y_axis = "largest error of the gradient";
    using E = DifferenceError;
    panel.series = {series("one-sided, float32", errors, &E::step, &E::one_sided),
                    series("central, float32", errors, &E::step, &E::central),
                    series("central, f in float64", errors, &E::step, &E::central_double)};
    return line_figure("difference_error", "Too large a step truncates, too small a step rounds",
                       std::move(panel));
}

LineFigure speed_figure(const std::vector<ProductSpeed>& speeds) {
    LinePanel panel;
    panel.title = "(n, n) x (n, n), float32";
    panel.x_axis = "size n";
    panel.y_axis = "GFLOP/s";
    using P = ProductSpeed;
    panel.series = {series("BLAS", speeds, &P::size, &P::blas),
                    series("loops i, p, j", speeds, &P::size, &P::reordered),
                    series("loops i, j, p", speeds, &P::size, &P::loops)};
    return line_figure("product_speed", "The same product, three ways, on one core", std::move(panel));
}

void show(const Settings& s) {
    require_between("--largest", s.largest, 16, 4096);
    Figures figures(s.show);
    std::ostream& out = std::cout;
    Trace trace(out);
    trace.section("Shapes and memory", [&] { show_memory(out, trace); });
    trace.section("Broadcasting", [&] { show_broadcasting(out, trace); });
    trace.section("Batched products", [&] { show_products(out, trace, s.seed); });
    trace.section("Reductions over an axis", [&] { show_reductions(out, trace); });
    trace.section("A tape, and its gradients checked", [&] { show_tape(out, trace); });
    trace.section("Traps of xtensor", [&] { show_xtensor_traps(out); });
    figures.save(memory_figure());
    trace.section("Measured: the error of finite differences", [&] {
        const std::vector<DifferenceError> errors = show_difference_errors(out, s.seed);
        figures.save(error_figure(errors));
    });
    trace.section("Measured: loops against BLAS (depends on the processor)", [&] {
        const std::vector<ProductSpeed> speeds = show_speed(out, s);
        figures.save(speed_figure(speeds));
    });
    figures.report(out);
}

}  // namespace

int main(int argc, char** argv) {
    Settings s;
    tfs::Program program("00_tensors", "The tensor layer in an hour: shapes, memory, products, gradients.");
    program.option("--largest", s.largest, "size of the largest product that is timed, 16 to 4096");
    program.option("--seed", s.seed, "seed of the random numbers");
    add_show_options(program, s.show);
    return program.run(argc, argv, [&] { show(s); });
}

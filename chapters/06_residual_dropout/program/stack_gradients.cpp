// chapters/06_residual_dropout/program/stack_gradients.cpp · what residuals and norms do to a deep stack: gradients, variances, likeness of positions
#include "chapters/06_residual_dropout/program/stack_gradients.hpp"

#include <fmt/ostream.h>

#include <array>
#include <cmath>
#include <string>

namespace tfs {

namespace {

using stack::Layer;
using stack::Wiring;

double norm_of_gradients(const Parameters& parameters) {
    double squares = 0.0;
    for (const NamedTensor& parameter : parameters) {
        const Array& grad = parameter.tensor.grad();
        squares += dot({grad.data(), grad.size()}, {grad.data(), grad.size()});
    }
    return std::sqrt(squares);
}

double variance_of(const Tensor& x) {  // in double: the stacks reach 1e-57
    const double n = static_cast<double>(x.size());
    double total = 0.0;
    for (const float value : x.values()) total += static_cast<double>(value);
    return dot(x.values(), x.values()) / n - (total / n) * (total / n);
}

// The mean cosine of two different positions: 1 where all have become the same vector (but for its length).
double likeness(const Tensor& x) {
    const std::size_t rows = x.size(-2), size = x.size(-1);
    const auto row = [&](std::size_t i) { return x.values().subspan(i * size, size); };
    double total = 0.0;
    for (std::size_t i = 0; i < rows; ++i) {
        for (std::size_t j = 0; j < i; ++j) total += cosine(row(i), row(j));
    }
    return total / (static_cast<double>(rows * (rows - 1)) / 2.0);
}

StackMeasures measure_stack(std::size_t depth, Wiring wiring, std::uint64_t seed) {
    const std::vector<Layer> layers = stack::make_layers(depth, seed);
    Tensor x = stack::make_input(seed + 100);
    const Tensor upstream = stack::make_input(seed + 200);
    for (const Layer& layer : layers) x = layer(x, wiring);
    const double variance = variance_of(x), likeness_of_rows = likeness(x);
    if (wiring == Wiring::pre_norm) x = LayerNorm(stack::width)(x);  // as GPT-2 ends
    mean(x * upstream).backward();
    return {norm_of_gradients(layers.front().parameters()), variance, likeness_of_rows};
}

// Over some seeds: the geometric mean of what spans many powers of ten, the plain one of the cosine.
StackMeasures typical(std::size_t depth, Wiring wiring, std::uint64_t seed) {
    StackMeasures sums{};
    for (std::size_t i = 0; i < stack::seeds; ++i) {
        const StackMeasures one = measure_stack(depth, wiring, seed + i);
        sums[gradient] += std::log(one[gradient]) / stack::seeds;
        sums[spread] += std::log(one[spread]) / stack::seeds;
        sums[alike] += one[alike] / stack::seeds;
    }
    return {std::exp(sums[gradient]), std::exp(sums[spread]), sums[alike]};
}

struct Table {
    const char *title, *format;
    std::string panel_title, y_axis;
    bool log_y;
};
const Table tables[quantities] = {{"norm of the gradient of the first layer's parameters", " {:>11.1e}",
                                   "gradient at layer 1", "norm of the gradient", true},
                                  {"variance of what leaves the last layer", " {:>11.1e}",
                                   "variance after the last layer", "variance", true},
                                  {"likeness of its positions: the mean cosine of two of them", " {:>11.3f}",
                                   "likeness of positions", "mean cosine of two", false}};

void print_table(std::ostream& out, Quantity quantity, const StackRows& rows) {
    fmt::print(out, "\n  {}\n{:>6} |", tables[quantity].title, "layers");
    for (const char* const name : stack::names) fmt::print(out, " {:>11}", name);
    out << '\n';
    for (std::size_t i = 0; i < rows.size(); ++i) {
        fmt::print(out, "{:>6} |", std::size_t{1} << i);
        for (const StackMeasures& measured : rows[i]) {
            const double value = measured[quantity];
            out << (std::isfinite(value) ? fmt::format(fmt::runtime(tables[quantity].format), value)
                                         : fmt::format(" {:>11}", "overflow"));
        }
        out << '\n';
    }
}

// A line ends where its values overflow; the panel's title then says so.
LinePanel draw_panel(Quantity quantity, const StackRows& rows, const std::vector<Wiring>& wirings,
                     const std::string& addition = "") {
    const Table& table = tables[quantity];
    LinePanel panel{table.panel_title + addition, "layers", table.y_axis, true, table.log_y};
    for (const Wiring wiring : wirings) {
        const auto w = static_cast<std::size_t>(wiring);
        Series series{stack::names[w]};
        for (std::size_t i = 0; i < rows.size(); ++i) {
            const std::size_t depth = std::size_t{1} << i;
            const double value = rows[i][w][quantity];
            if (!std::isfinite(value)) {
                panel.title += fmt::format("; {} overflows at {}", series.name, depth);
                break;
            }
            series.add(static_cast<double>(depth), value);
        }
        panel.series.push_back(series);
    }
    return panel;
}

}  // namespace

StackRows measure_stacks(Show& show) {
    StackRows rows;
    for (std::size_t depth = 1; depth <= stack::deepest; depth *= 2) {
        rows.emplace_back();
        for (std::size_t w = 0; w < stack::wirings; ++w)
            rows.back()[w] = typical(depth, static_cast<Wiring>(w), show.options.seed);
    }
    return rows;
}

void show_gradients(Show& show, const StackRows& rows) {
    fmt::print(
        show.out,
        "  {} positions of width {}; s is a sublayer, attention or FFN, two a layer; {} seeds.\n"
        "  From 16 layers on x + s(x) magnifies the last bit of every product: its digits differ between\n"
        "  processors, its powers of ten hardly.\n",
        stack::positions, stack::width, stack::seeds);
    print_table(show.out, gradient, rows);
}

void show_variance_and_likeness(Show& show, const StackRows& rows) {
    print_table(show.out, spread, rows);
    print_table(show.out, alike, rows);
}

LineFigure depth_figure(const StackRows& rows) {
    LineFigure figure{
        .name = "depth",
        .title = fmt::format("Stacks of untrained layers (attention + FFN, d_model {})", stack::width),
        .panels_per_row = 2,
        .caption =
            "The gradient is that of the first layer's parameters. Without a norm it vanishes (s(x)) or "
            "explodes (x + s(x)). Without a residual all "
            "positions soon become the same vector (mean cosine 1), with a norm or not. Pre-norm keeps the "
            "size of the gradient, and its positions become alike most slowly."};
    const std::vector<Wiring> all{Wiring::plain, Wiring::norm_only, Wiring::residual, Wiring::post_norm,
                                  Wiring::pre_norm};
    // Beside thirty powers of ten the ones with a norm all look alike: they get a panel of their own.
    figure.panels = {
        draw_panel(gradient, rows, all),
        draw_panel(gradient, rows, {Wiring::norm_only, Wiring::post_norm, Wiring::pre_norm}, ", with a norm"),
        draw_panel(spread, rows, all), draw_panel(alike, rows, all)};
    return figure;
}

}  // namespace tfs

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
    const char *title, *format;  // of a value
    std::string panel_title, y_axis;
    bool log_y;
};
const Table tables[quantities] = {
    {"size of the gradient at the parameters of the first layer", "{:.1e}", "gradient",
     "size of the gradient", true},
    {"variance of what leaves the last layer", "{:.1e}", "variance at the end", "variance", true},
    {"how alike its positions are: the mean cosine of two of them", "{:.3f}", "how alike the positions are",
     "mean cosine of two", false}};

// A row for each stack, a column for some of the depths.
void print_table(std::ostream& out, Quantity quantity, const StackRows& rows) {
    fmt::print(out, "\n  {}\n  {:<16}", tables[quantity].title, "layers");
    constexpr std::size_t shown[] = {0, 2, 3, 6};  // 1, 4, 8 and 64 layers
    for (const std::size_t i : shown) fmt::print(out, " {:>10}", std::size_t{1} << i);
    out << '\n';
    for (std::size_t w = 0; w < stack::wirings; ++w) {
        fmt::print(out, "  {:<16}", stack::names[w]);
        for (const std::size_t i : shown) {
            const double value = rows[i][w][quantity];
            fmt::print(out, " {:>10}",
                       std::isfinite(value) ? fmt::format(fmt::runtime(tables[quantity].format), value)
                                            : std::string("overflow"));
        }
        out << '\n';
    }
}

// Beyond, a stack without a norm is chaos: its last bits decide about powers of ten.
constexpr double largest_drawn = 100'000;

// A line ends where its values pass that; the panel's title then says so.
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
            if (!(value <= largest_drawn)) {
                panel.title += fmt::format("; {} over 100,000 at {}", series.name, depth);
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
        "  {} positions of width {}; s is attention, then a feed-forward network, both untrained; the\n"
        "  geometric mean of {} seeds. A random gradient is sent back from the top.\n",
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
        .title = fmt::format("Deep stacks: gradients, sizes, and what is left of the differences (width {})",
                             stack::width),
        .panels_per_row = 2,
        .caption =
            "Five ways to stack layers, from 1 to 64 of them, with random weights. Upper left: without a "
            "norm the "
            "gradient vanishes (s(x)) or explodes (x + s(x)). Upper right: a closer look at the three with a "
            "norm. Lower left: the variance at the end. Lower right: at 1 all positions point the same way."};
    const std::vector<Wiring> all{Wiring::plain, Wiring::norm_only, Wiring::residual, Wiring::post_norm,
                                  Wiring::pre_norm};
    // Beside thirty powers of ten the ones with a norm all look alike: they get a panel of their own.
    figure.panels = {draw_panel(gradient, rows, all),
                     draw_panel(gradient, rows, {Wiring::norm_only, Wiring::post_norm, Wiring::pre_norm},
                                " (with a norm)"),
                     draw_panel(spread, rows, all), draw_panel(alike, rows, all)};
    return figure;
}

}  // namespace tfs

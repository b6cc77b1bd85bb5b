// chapters/06_residual_dropout/program/stack_gradients.cpp · what residuals and norms do to a deep stack: gradients, variances, likeness of positions
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>

#include "chapters/06_residual_dropout/models/layer_stack.hpp"
#include "chapters/06_residual_dropout/program/options.hpp"

namespace tfs {

namespace {

using stack::Layer;
using stack::Wiring;

// Of a stack: the norm of the gradient of the first layer's parameters, the variance of what leaves the last layer, and the
// mean cosine of two of its positions.
enum Quantity { gradient, spread, alike, quantities };
using StackMeasures = std::array<double, quantities>;
using StackTables = std::array<Table, quantities>;  // a row for each depth, a column for each stack

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

// Without a gradient, under NoGrad, in half the time.
StackMeasures measure_stack(std::size_t depth, Wiring wiring, std::uint64_t seed, bool with_gradient) {
    const std::vector<Layer> layers = stack::make_layers(depth, seed);
    Tensor x = stack::make_input(seed + 100);
    for (const Layer& layer : layers) x = layer(x, wiring);
    const double variance = variance_of(x), cosine_of_rows = likeness(x);
    if (!with_gradient) return {1.0, variance, cosine_of_rows};
    if (wiring == Wiring::pre_norm) x = LayerNorm(stack::width)(x);  // as GPT-2 ends
    mean(x * stack::make_input(seed + 200)).backward();
    return {norm_of_gradients(layers.front().parameters()), variance, cosine_of_rows};
}

// Over some seeds: the geometric mean of what spans many powers of ten, the plain one of the cosine.
StackMeasures typical(std::size_t depth, Wiring wiring, std::uint64_t seed, bool with_gradient) {
    StackMeasures sums{};
    for (std::size_t i = 0; i < stack::seeds; ++i) {
        const StackMeasures one = measure_stack(depth, wiring, seed + i, with_gradient);
        sums[gradient] += std::log(one[gradient]) / stack::seeds;
        sums[spread] += std::log(one[spread]) / stack::seeds;
        sums[alike] += one[alike] / stack::seeds;
    }
    return {std::exp(sums[gradient]), std::exp(sums[spread]), sums[alike]};
}

Table table_of_stacks(const std::string& title, const NumberFormat& format) {
    Table table{.title = title, .columns = {{"layers", whole()}}};
    for (const char* name : stack::names) table.columns.push_back({name, format});
    return table;
}

StackTables measure_stacks(const Request& request, bool with_gradient) {
    StackTables tables{
        table_of_stacks("size of the gradient at the parameters of the first layer", scientific(1)),
        table_of_stacks("variance of what leaves the last layer", scientific(1)),
        table_of_stacks("how alike its positions are: the mean cosine of two of them", fixed(3))};
    for (std::size_t depth = 1; depth <= stack::deepest; depth *= 2) {
        request.tell(
            {"progress", fmt::format("layers: {}", depth), {{"layers", static_cast<double>(depth)}}});
        for (Table& table : tables) table.rows.push_back({depth});
        for (std::size_t w = 0; w < stack::wirings; ++w) {
            const StackMeasures measured =
                typical(depth, static_cast<Wiring>(w), request[options::seed], with_gradient);
            for (std::size_t q = 0; q < quantities; ++q)
                tables[q].rows.back().push_back(std::isfinite(measured[q]) ? Cell(measured[q]) : "overflow");
        }
    }
    return tables;
}

constexpr Hue hues[stack::wirings] = {Hue::other, Hue::norm, Hue::residual, Hue::post_norm, Hue::pre_norm};

// Beyond, a stack without a norm is chaos: its last bits decide about powers of ten.
constexpr double largest_drawn = 100'000, smallest_drawn = 1e-8;

// The curve of a wiring, with its name above the given depth. It ends before its values pass what is drawn.
Series curve_of(const Table& table, Wiring wiring, std::optional<double> name_at = {}) {
    const auto w = static_cast<std::size_t>(wiring);
    const Series all = series(table, "layers", stack::names[w]);
    Series curve{.name = all.name, .hue = hues[w], .name_at = name_at};
    for (std::size_t i = 0; i < all.x.size() && all.y[i] >= smallest_drawn && all.y[i] <= largest_drawn; ++i)
        curve.add(all.x[i], all.y[i]);
    return curve;
}

LineFigure depth_figure(const Table& gradients) {
    return {.name = "depth",
            .title = "Without a norm the gradient explodes or vanishes on its way to layer 1",
            .panels = {{.title = "",
                        .x_axis = "layers of an untrained stack",
                        .y_axis = "size of the gradient",
                        .log_x = true,
                        .log_y = true,
                        .series = {curve_of(gradients, Wiring::residual, 2.0),
                                   curve_of(gradients, Wiring::plain, 4.0),
                                   curve_of(gradients, Wiring::pre_norm)},
                        .limits = {{100.0, 1e9, "explodes"}, {1e-12, 0.01, "vanishes"}}}},
            .caption =
                "Not drawn: post-norm and norm(s(x)), close to pre-norm; x + s(x) from 16 layers on, over "
                "100,000; s(x) from 32 on."};
}

LineFigure alike_figure(const Table& cosines) {
    // Up to 8 layers: deeper, two curves are one, and their names would stand at the same place.
    const auto beginning = [&](Wiring wiring) {
        const Series all = curve_of(cosines, wiring);
        Series curve{.name = all.name, .hue = all.hue};
        for (std::size_t i = 0; i < all.x.size() && all.x[i] <= 8.0; ++i) curve.add(all.x[i], all.y[i]);
        return curve;
    };
    return {.name = "alike",
            .title = "With each layer the positions become more alike; with pre-norm most slowly",
            .panels = {{.title = "",
                        .x_axis = "layers of an untrained stack",
                        .y_axis = "mean cosine of two positions",
                        .log_x = true,
                        .series = {beginning(Wiring::norm_only), beginning(Wiring::post_norm),
                                   beginning(Wiring::pre_norm)},
                        .from_zero = true}},
            .caption =
                "At 1 all positions point the same way. At 64 layers (not drawn) "
                "pre-norm is close to it, too. Not drawn, either: s(x), close to norm(s(x)), and x + s(x), "
                "at 8 layers between post-norm and pre-norm."};
}

Report show_gradients(const Request& request) {
    const StackTables tables = measure_stacks(request, true);
    Report report;
    report.note(fmt::format(
        "{} positions of width {}; s is attention, then a feed-forward network, both untrained; the "
        "geometric mean of {} seeds. A random gradient is sent back from the top.\n",
        stack::positions, stack::width, stack::seeds));
    report.add(tables[gradient]);
    report.add(depth_figure(tables[gradient]));
    return report;
}

Report show_variance_and_likeness(const Request& request) {
    const NoGrad no_grad;
    const StackTables tables = measure_stacks(request, false);
    Report report;
    report.add(tables[spread]);
    report.add(tables[alike]);
    report.add(alike_figure(tables[alike]));
    return report;
}

}  // namespace

Sections stack_gradients_sections() {
    return {{"gradients", "Deep stacks: what arrives at the first layer", show_gradients, {options::seed}},
            {"stack-sizes",
             "The same stacks: their variance, and how alike their positions become",
             show_variance_and_likeness,
             {options::seed},
             Level::deeper}};
}

}  // namespace tfs

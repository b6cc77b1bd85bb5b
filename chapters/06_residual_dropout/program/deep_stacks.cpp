// chapters/06_residual_dropout/program/deep_stacks.cpp · untrained stacks: what gradient arrives, how positions become alike, what of the input is left
#include <fmt/format.h>

#include <array>
#include <cmath>
#include <optional>

#include "chapters/06_residual_dropout/models/layer_stack.hpp"
#include "common/program.hpp"

namespace tfs {

namespace {

constexpr std::size_t deepest = 64, seeds = 5;  // layers, and runs that are averaged

struct Wiring {
    const char* name;
    Hue hue;
    stack::Join join;
};
using Norm = LayerNorm;
const Wiring plain{"s(x)", Hue::other, [](const Tensor& x, const Norm&, const Sublayer& s) { return s(x); }};
const Wiring norm_only{"norm(s(x))", Hue::norm,
                       [](const Tensor& x, const Norm& norm, const Sublayer& s) { return norm(s(x)); }};
const Wiring residual_only{"x + s(x)", Hue::residual,
                           [](const Tensor& x, const Norm&, const Sublayer& s) { return residual(x, s); }};
const Wiring post_norm{"post-norm", Hue::post_norm, [](const Tensor& x, const Norm& norm, const Sublayer& s) {
                           return post_norm_residual(x, norm, s);
                       }};
const Wiring pre_norm{"pre-norm", Hue::pre_norm, [](const Tensor& x, const Norm& norm, const Sublayer& s) {
                          return pre_norm_residual(x, norm, s);
                      }};
const std::array wirings{&plain, &norm_only, &residual_only, &post_norm, &pre_norm};

// --- gradients, variances, likeness of positions

// Of a stack: the norm of the gradient of the first layer's parameters, the variance of what leaves the last layer, and the
// mean cosine of two of its positions.
enum Quantity { gradient, spread, alike, quantities };
using StackMeasures = std::array<double, quantities>;
using StackTables = std::array<Table, quantities>;  // a row for each depth, a column for each stack

double norm_of_gradients(const stack::Layer& layer) {
    double squares = 0.0;
    for (const Parameters& part : {layer.attention.parameters(), layer.feed_forward.parameters()}) {
        for (const NamedTensor& parameter : part) {
            const Array& grad = parameter.tensor.grad();
            squares += dot({grad.data(), grad.size()}, {grad.data(), grad.size()});
        }
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
StackMeasures measure_stack(std::size_t depth, const Wiring& wiring, std::uint64_t seed, bool with_gradient) {
    const std::vector<stack::Layer> layers = stack::make_layers(depth, seed);
    Tensor x = stack::make_input(seed + 100);
    for (const stack::Layer& layer : layers) x = layer(x, wiring.join);
    const double variance = variance_of(x), cosine_of_rows = likeness(x);
    if (!with_gradient) return {1.0, variance, cosine_of_rows};
    if (&wiring == &pre_norm) x = LayerNorm(stack::width)(x);  // as GPT-2 ends
    mean(x * stack::make_input(seed + 200)).backward();
    return {norm_of_gradients(layers.front()), variance, cosine_of_rows};
}

// Over some seeds: the geometric mean of what spans many powers of ten, the plain one of the cosine.
StackMeasures typical(std::size_t depth, const Wiring& wiring, std::uint64_t seed, bool with_gradient) {
    StackMeasures sums{};
    for (std::size_t i = 0; i < seeds; ++i) {
        const StackMeasures one = measure_stack(depth, wiring, seed + i, with_gradient);
        sums[gradient] += std::log(one[gradient]) / seeds;
        sums[spread] += std::log(one[spread]) / seeds;
        sums[alike] += one[alike] / seeds;
    }
    return {std::exp(sums[gradient]), std::exp(sums[spread]), sums[alike]};
}

void tell_depth(const Request& request, std::size_t depth) {
    request.tell({"progress", fmt::format("layers: {}", depth), {{"layers", static_cast<double>(depth)}}});
}

Table table_of_stacks(const std::string& title, const NumberFormat& format) {
    Table table{.title = title, .columns = {{"layers", whole()}}};
    for (const Wiring* wiring : wirings) table.columns.push_back({wiring->name, format});
    return table;
}

StackTables measure_stacks(const Request& request, bool with_gradient) {
    StackTables tables{
        table_of_stacks("size of the gradient at the parameters of the first layer", scientific(1)),
        table_of_stacks("variance of what leaves the last layer", scientific(1)),
        table_of_stacks("how alike its positions are: the mean cosine of two of them", fixed(3))};
    for (std::size_t depth = 1; depth <= deepest; depth *= 2) {
        tell_depth(request, depth);
        for (Table& table : tables) table.rows.push_back({depth});
        for (const Wiring* wiring : wirings) {
            const StackMeasures measured = typical(depth, *wiring, request[options::seed], with_gradient);
            for (std::size_t q = 0; q < quantities; ++q)
                tables[q].rows.back().push_back(std::isfinite(measured[q]) ? Cell(measured[q]) : "overflow");
        }
    }
    return tables;
}

// The curve of a wiring, with its name above the given depth. It ends at `last` layers, and before its values pass what is drawn:
// beyond, a stack without a norm is chaos, whose last bits decide about powers of ten.
Series curve_of(const Table& table, const Wiring& wiring, std::optional<double> name_at, double last) {
    constexpr double largest_drawn = 100'000, smallest_drawn = 1e-8;
    const Series all = series(table, "layers", wiring.name);
    Series curve{.name = all.name, .hue = wiring.hue, .name_at = name_at};
    for (std::size_t i = 0; i < all.x.size() && all.x[i] <= last; ++i) {
        if (all.y[i] < smallest_drawn || all.y[i] > largest_drawn) break;
        curve.add(all.x[i], all.y[i]);
    }
    return curve;
}

Report show_gradients(const Request& request) {
    const Table table = measure_stacks(request, true)[gradient];
    const auto curve = [&](const Wiring& wiring, std::optional<double> name_at) {
        return curve_of(table, wiring, name_at, deepest);
    };
    Report report;
    report.note(fmt::format(
        "{} positions of width {}; s is attention, then a feed-forward network, both untrained; the "
        "geometric mean of {} seeds. A random gradient is sent back from the top.\n",
        stack::positions, stack::width, seeds));
    report.add(table);
    report.add(LineFigure{
        .name = "depth",
        .title = "Without a norm the gradient explodes or vanishes on its way to layer 1",
        .panels = {{.x_axis = "layers of an untrained stack",
                    .y_axis = "size of the gradient",
                    .log_x = true,
                    .log_y = true,
                    .series = {curve(residual_only, 2.0), curve(plain, 4.0), curve(pre_norm, {})},
                    .limits = {{100.0, 1e9, "explodes"}, {1e-12, 0.01, "vanishes"}}}},
        .caption = "Not drawn: post-norm and norm(s(x)), close to pre-norm; x + s(x) from 16 layers on, over "
                   "100,000; s(x) from 32 on."});
    return report;
}

Report show_variance_and_likeness(const Request& request) {
    const NoGrad no_grad;
    const StackTables tables = measure_stacks(request, false);
    // Up to 8 layers: deeper, two curves are one, and their names would stand at the same place.
    const auto curve = [&](const Wiring& wiring) { return curve_of(tables[alike], wiring, {}, 8.0); };
    Report report;
    report.add(tables[spread]);
    report.add(tables[alike]);
    report.add(LineFigure{
        .name = "alike",
        .title = "With each layer the positions become more alike; with pre-norm most slowly",
        .panels = {{.x_axis = "layers of an untrained stack",
                    .y_axis = "mean cosine of two positions",
                    .log_x = true,
                    .series = {curve(norm_only), curve(post_norm), curve(pre_norm)},
                    .from_zero = true}},
        .caption = "At 1 all positions point the same way. At 64 layers (not drawn) "
                   "pre-norm is close to it, too. Not drawn, either: s(x), close to norm(s(x)), and x + "
                   "s(x), at 8 layers between post-norm and pre-norm."});
    return report;
}

// --- the identity

// A stack whose sublayers' last matrices are multiplied by a number when it begins.
struct Start {
    const char* column;
    const char* curve;  // null: not drawn
    const Wiring& wiring;
    double (*scale)(double layers);
};
const Start starts[] = {{"s(x), as initialised", nullptr, plain, [](double) { return 1.0; }},
                        {"post-norm, as initialised", nullptr, post_norm, [](double) { return 1.0; }},
                        {"pre-norm, as initialised", "as initialised", pre_norm, [](double) { return 1.0; }},
                        {"1/sqrt(2 layers)", "last matrix times 1/sqrt(2 layers)", pre_norm,
                         [](double n) { return 1.0 / std::sqrt(2.0 * n); }},
                        {"times 0", "last matrix times 0", pre_norm, [](double) { return 0.0; }}};

// The cosine between input and output of a stack, the mean over some seeds.
double typical_cosine(std::size_t depth, const Start& start, std::uint64_t seed) {
    const auto scale = static_cast<float>(start.scale(static_cast<double>(depth)));
    double mean = 0.0;
    for (std::size_t k = 0; k < seeds; ++k) {
        const Tensor input = stack::make_input(seed + k + 100);
        Tensor x = input;
        for (stack::Layer& layer : stack::make_layers(depth, seed + k)) {
            for (Tensor* last : {&layer.attention.w_o.weight, &layer.feed_forward.down.weight})
                *last = *last * scale;
            x = layer(x, start.wiring.join);
        }
        mean += cosine(input.values(), x.values()) / seeds;
    }
    return mean;
}

Report show_identity(const Request& request) {
    const NoGrad no_grad;
    Table table{.columns = {{"layers", whole()}}};
    for (const Start& start : starts) table.columns.push_back({start.column, fixed(3)});
    for (std::size_t depth = 1; depth <= deepest; depth *= 2) {
        tell_depth(request, depth);
        std::vector<Cell> row{depth};
        for (const Start& start : starts)
            row.emplace_back(typical_cosine(depth, start, request[options::seed]));
        table.add(row);
    }
    LinePanel panel{.title = "untrained pre-norm stacks",
                    .x_axis = "layers",
                    .y_axis = "cosine of input and output",
                    .log_x = true,
                    .from_zero = true};
    for (const Start& start : starts)
        if (start.curve) panel.series.push_back(series(table, "layers", start.column, start.curve));
    Report report;
    report.note(
        "The last two: pre-norm, the last matrix of each sublayer multiplied by 1/sqrt(2 layers), and by 0.");
    report.add(table);
    report.add(LineFigure{
        .name = "identity",
        .title = "If the last matrix of each sublayer is small, a deep stack begins almost as the "
                 "identity",
        .panels = {panel},
        .caption = "Pre-norm stacks. The last matrix of each sublayer is as initialised, multiplied by "
                   "1/sqrt(2 layers), or 0. At cosine 1 the output points where the input points."});
    return report;
}

}  // namespace

Sections deep_stacks_sections() {
    return {{"gradients", "Deep stacks: what arrives at the first layer", show_gradients, {options::seed}},
            {"stack-sizes",
             "The same stacks: their variance, and how alike their positions become",
             show_variance_and_likeness,
             {options::seed},
             Level::deeper},
            {"identity",
             "A residual stack can begin as the identity",
             show_identity,
             {options::seed},
             Level::deeper}};
}

}  // namespace tfs

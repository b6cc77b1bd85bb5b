// chapters/04_normalization/program/saturation.cpp · why one normalises: saturated units, and the gradient through them
#include "chapters/04_normalization/program/sections.hpp"

#include <fmt/ostream.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "chapters/04_normalization/normalization.hpp"

namespace tfs {

namespace {

constexpr std::size_t width = 256, tokens = 64;

// A layer of tanh units and the gradient that arrives in front of them, for a gradient of size 1 behind them.
struct Units {
    Tensor y;
    double saturated;  // the share with |tanh| > 0.99
    double gradient;
};

Units feed_units(const Tensor& x, const Tensor& weight, const Tensor& upstream, bool normalise) {
    const LayerNorm norm(width);
    const Tensor fed(matmul(normalise ? norm(x) : x, weight, Transpose::b).array(), true);
    const Tensor y = tanh(fed);
    sum(y * upstream).backward();
    const auto saturated = std::count_if(y.values().begin(), y.values().end(),
                                         [](float value) { return std::abs(value) > 0.99f; });
    return {y, static_cast<double>(saturated) / static_cast<double>(y.size()),
            root_mean_square({fed.grad().data(), fed.size()})};
}

// The gradient at the input of `depth` layers x -> tanh(W x), with W `gain` times as large as keeps the variance.
double gradient_through_stack(std::size_t depth, float gain, bool normalise, std::uint64_t seed) {
    Rng rng(seed);
    const LayerNorm norm(width);
    const Tensor input(rng.normal_array({tokens, width}), true), upstream(rng.normal_array({tokens, width}));
    Tensor x = input;
    for (std::size_t layer = 0; layer < depth; ++layer) {
        const Tensor weight(
            rng.normal_array({width, width}, 0.0, gain / std::sqrt(static_cast<double>(width))));
        const Tensor fed = matmul(x, weight, Transpose::b);
        x = tanh(normalise ? norm(fed) : fed);
    }
    sum(x * upstream).backward();
    return root_mean_square({input.grad().data(), input.size()});
}

// The two lines of a panel: without LayerNorm, and with it.
using Pair = std::array<Series, 2>;
Pair empty_pair() { return {Series{"as it comes"}, Series{"after LayerNorm"}}; }

LinePanel panel(const char* title, const char* x_axis, const char* y_axis, bool log_x, bool log_y,
                Pair& lines) {
    return {title, x_axis, y_axis, log_x, log_y, {std::move(lines[0]), std::move(lines[1])}};
}

// One layer, fed at growing scales.
std::vector<LinePanel> measure_layer(Show& show) {
    constexpr double drawn = 10.0;  // the scale whose histogram is drawn
    Pair outline = empty_pair(), share = empty_pair(), gradient = empty_pair();
    Rng rng(show.options.seed);
    const Tensor x(rng.normal_array({tokens, width})), upstream(rng.normal_array({tokens, width}));
    const Tensor weight(rng.normal_array({width, width}, 0.0, 1.0 / std::sqrt(static_cast<double>(width))));
    fmt::print(
        show.out,
        "  {} tanh units, inputs N(0, scale^2). Saturated: |tanh| > 0.99. Gradient: root mean square.\n\n",
        width);
    fmt::print(show.out, "{:>8} | {:>20} {:>10} | {:>20} {:>10}\n", "scale", "saturated, as it is",
               "LayerNorm", "gradient, as it is", "LayerNorm");
    for (const double scale : {0.3, 1.0, 3.0, 10.0, 30.0, 100.0, 300.0}) {
        fmt::print(show.out, "{:>8}", scale);
        std::string shares, gradients;
        for (std::size_t i = 0; i < 2; ++i) {
            const Units units = feed_units(x * static_cast<float>(scale), weight, upstream, i == 1);
            shares += fmt::format(" {:>{}.1f} %", 100 * units.saturated, i == 0 ? 18 : 8);
            gradients += fmt::format(" {:>{}.3f}", units.gradient, i == 0 ? 20 : 10);
            share[i].add(scale, 100 * units.saturated);
            gradient[i].add(scale, units.gradient);
            if (scale == drawn) outline[i] = histogram(outline[i].name, units.y.values(), -1.0, 1.0);
        }
        fmt::print(show.out, " |{} |{}\n", shares, gradients);
    }
    return {
        panel("what the units put out, inputs of scale 10", "tanh", "density", false, false, outline),
        panel("saturated units", "scale of the input", "% with |tanh| > 0.99", true, false, share),
        panel("gradient through one layer", "scale of the input", "root mean square", true, true, gradient)};
}

LinePanel measure_stack(Show& show) {
    Pair gradient = empty_pair();
    fmt::print(show.out, "\n  A stack of such layers, all weights half as large:\n\n");
    fmt::print(show.out, "{:>8} | {:>20} {:>10}\n", "depth", "gradient, as it is", "LayerNorm");
    for (const std::size_t depth : {1u, 2u, 4u, 8u, 16u, 32u}) {
        for (std::size_t i = 0; i < 2; ++i)
            gradient[i].add(static_cast<double>(depth),
                            gradient_through_stack(depth, 0.5f, i == 1, show.options.seed));
        fmt::print(show.out, "{:>8} | {:>20.1e} {:>10.1e}\n", depth, gradient[0].y.back(),
                   gradient[1].y.back());
    }
    return panel("gradient through a stack, weights half as large", "depth", "root mean square", true, true,
                 gradient);
}

}  // namespace

LineFigure measure_saturation(Show& show) {
    LineFigure figure{
        .name = "saturation",
        .title = "tanh units, with and without LayerNorm before them",
        .caption =
            "Without LayerNorm, larger inputs push the units to -1 and 1, and the gradient falls; in "
            "a stack with small weights it falls with every layer. After LayerNorm the scale of the "
            "input has no effect, and the gradient arrives at every depth."};
    figure.panels = measure_layer(show);
    figure.panels.push_back(measure_stack(show));
    return figure;
}

}  // namespace tfs

// chapters/05_feed_forward/program/activations.cpp · the activations as curves: values and derivatives
#include <cmath>

#include "chapters/05_feed_forward/program/options.hpp"

namespace tfs {

namespace {

struct Curve {
    std::vector<double> x, value, slope;
};

// From -4 to 4, by the tape.
Curve curve_of(Activation activation) {
    std::vector<float> points;
    for (int i = 0; i <= 800; ++i) points.push_back(-4.0f + 8.0f * static_cast<float>(i) / 800.0f);
    const Tensor x = Tensor::from({points.size()}, points).set_requires_grad(true);
    const Tensor y = activate(activation, x);
    sum(y).backward();
    return {{points.begin(), points.end()},
            {y.values().begin(), y.values().end()},
            {x.grad().begin(), x.grad().end()}};
}

Report show_activations(const Request&) {
    LineFigure figure{.name = "activations",
                      .title = "GELU and SiLU are ReLU with a smooth corner",
                      .panels = {{"f(x)", "x", "f(x)"}, {"f'(x)", "x", "f'(x)"}},
                      .caption =
                          "Left: GELU and SiLU follow ReLU far from 0, but dip a little below 0. Right: "
                          "their derivatives don't jump, and go below 0 and above 1."};
    for (const auto& [name, activation] : all_activations) {
        if (activation == Activation::gelu_tanh || activation == Activation::gelu_sigmoid) continue;
        Curve curve = curve_of(activation);
        if (activation == Activation::relu)
            curve.slope[curve.slope.size() / 2] = std::nan("");  // at 0 it has none: a gap
        figure.panels[0].series.push_back({name, curve.x, curve.value});
        figure.panels[1].series.push_back({name, curve.x, curve.slope});
    }
    Report report;
    report.note("relu, gelu and silu, and their derivatives, are a figure: --plots FOLDER.");
    report.add(figure);
    return report;
}

// 0 in the place of what is nearly 0, also of -0.
double rounded(double x) { return std::abs(x) < 1e-4 ? 0.0 : x; }

Report show_slopes(const Request&) {
    constexpr float step = 0.01f;
    Table table{.columns = {{"activation"},
                            {"x", whole()},
                            {"f(x)", fixed(3)},
                            {"slope by the tape", fixed(3)},
                            {"(f(x + 0.01) - f(x - 0.01)) / 0.02", fixed(3)}}};
    for (const auto& [name, activation] : all_activations) {
        for (const float x : {-100.0f, -1.0f, 1.0f, 100.0f}) {
            const Tensor at = Tensor::full({1}, x).set_requires_grad(true), y = activate(activation, at);
            sum(y).backward();
            const auto f = [&, kind = activation](float z) {
                return static_cast<double>(activate(kind, Tensor::full({1}, z)).item());
            };
            table.add({name, static_cast<int>(x), rounded(y.item()), rounded(at.grad().data()[0]),
                       rounded((f(x + step) - f(x - step)) / (2.0 * step))});
        }
    }
    return Report(table);
}

}  // namespace

Sections activations_sections() {
    return {
        {"activations", "The activations", show_activations, {}, Level::deeper},
        {"slopes", "The slope that the tape gives, and that of the curve", show_slopes, {}, Level::deeper}};
}

}  // namespace tfs

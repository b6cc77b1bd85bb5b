// chapters/05_feed_forward/program/activation_curves.cpp · the activations as curves: values, derivatives, errors of the approximations
#include <algorithm>
#include <cmath>
#include <numbers>

#include "chapters/05_feed_forward/program/options.hpp"

namespace tfs {

namespace {

std::vector<float> evenly(float from, float to, std::size_t count) {
    std::vector<float> x(count);
    for (std::size_t i = 0; i < count; ++i)
        x[i] = from + (to - from) * static_cast<float>(i) / static_cast<float>(count - 1);
    return x;
}

struct Curve {
    std::vector<double> x, value, slope;
};

// The curve at `count` points between -reach and reach.
Curve curve_of(Activation activation, float reach, std::size_t count) {
    const std::vector<float> points = evenly(-reach, reach, count);
    const Tensor x = Tensor::from({points.size()}, points).set_requires_grad(true);
    const Tensor y = activate(activation, x);
    sum(y).backward();
    return {{points.begin(), points.end()},
            {y.values().begin(), y.values().end()},
            {x.grad().begin(), x.grad().end()}};
}

void add_extremes(Table& table, const std::string& name, const Curve& curve) {
    const auto lowest = std::min_element(curve.value.begin(), curve.value.end());
    const auto steepest = std::max_element(curve.slope.begin(), curve.slope.end());
    table.add({name, *lowest, curve.x[static_cast<std::size_t>(lowest - curve.value.begin())], *steepest,
               curve.x[static_cast<std::size_t>(steepest - curve.slope.begin())]});
}

double exact_gelu(double x) { return 0.5 * x * (1.0 + std::erf(x / std::numbers::sqrt2)); }

bool is_approximation(Activation activation) {
    return activation == Activation::gelu_tanh || activation == Activation::gelu_sigmoid;
}

Report show_activations(const Request&) {
    LineFigure figure{.name = "activations",
                      .title = "GELU and SiLU are ReLU with a smooth corner",
                      .panels = {{"f(x)", "x", "f(x)"}, {"f'(x)", "x", "f'(x)"}},
                      .caption =
                          "Left: GELU and SiLU follow ReLU far from 0, but dip a little below 0. Right: "
                          "their derivatives don't jump, and go below 0 and above 1."};
    Table table{.columns = {{"activation"},
                            {"lowest", fixed(4)},
                            {"at x", fixed(2)},
                            {"steepest", fixed(4)},
                            {"at x", fixed(2)}}};
    Report report;
    for (const auto& [name, activation] : all_activations) {
        try {
            Curve curve = curve_of(activation, 4.0f, 801);
            if (activation != Activation::relu)
                add_extremes(table, name, curve);
            else
                curve.slope[curve.slope.size() / 2] = std::nan("");  // at 0 it has none: a gap
            if (is_approximation(activation)) continue;
            figure.panels[0].series.push_back({name, curve.x, curve.value});
            figure.panels[1].series.push_back({name, curve.x, curve.slope});
        } catch (const NotImplemented& gap) {  // the others are shown all the same
            report.note(name + ": " + gap.what());
        }
    }
    if (!table.rows.empty()) report.add(table);
    if (!figure.panels[0].series.empty()) report.add(figure);
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
    return {.items = {table}};
}

Report show_approximations(const Request&) {
    LineFigure figure{.name = "approximations",
                      .title = "gelu_tanh is close to the exact GELU; gelu_sigmoid misses it by up to 0.02",
                      .panels = {{.title = "the error", .x_axis = "x", .y_axis = "approximation - exact"}},
                      .caption = "The error of the two approximations of GELU against x."};
    Table table{.columns = {{"approximation"}, {"largest error", scientific(2)}, {"at x and -x", fixed(1)}}};
    for (const auto& [name, activation] : all_activations) {
        if (!is_approximation(activation)) continue;
        const Curve curve = curve_of(activation, 6.0f, 601);
        const std::vector<double>& x = curve.x;
        std::vector<double> difference = curve.value;
        for (std::size_t i = 0; i < x.size(); ++i) difference[i] -= exact_gelu(x[i]);
        const auto positive = static_cast<std::ptrdiff_t>(x.size() / 2);  // the error is the same at x and -x
        const auto worst = std::max_element(difference.begin() + positive, difference.end(),
                                            [](double a, double b) { return std::abs(a) < std::abs(b); }) -
                           difference.begin();
        table.add({name, std::abs(*(difference.begin() + worst)), *(x.begin() + worst)});
        figure.panels[0].series.push_back({name, x, difference});
    }
    Report report;
    report.add(table);
    report.add(figure);
    return report;
}

}  // namespace

Sections activation_curves_sections() {
    return {
        {"activations", "The activations", show_activations, {}, Level::deeper},
        {"slopes", "The slope that the tape gives, and that of the curve", show_slopes, {}, Level::deeper},
        {"gelu-approximations", "The approximations of GELU", show_approximations, {}, Level::deeper}};
}

}  // namespace tfs

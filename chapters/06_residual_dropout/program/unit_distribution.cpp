// chapters/06_residual_dropout/program/unit_distribution.cpp · a unit that reads many dropped inputs: its values in training and in evaluation
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "chapters/06_residual_dropout/program/options.hpp"

namespace tfs {

namespace {

constexpr std::size_t inputs = 256, rows = 8192;

// A histogram with bins of its own: the widths may differ much.
Series curve_of(const std::string& name, const Tensor& values, const Moments& m) {
    const double middle = std::isfinite(m.mean) ? m.mean : 0.0;
    const double reach = std::max(0.05, 4.0 * m.deviation);  // a width also where all values are the same
    Series curve = histogram(name, values.values(), middle - reach, middle + reach, 24);
    const auto peak = std::max_element(curve.y.begin(), curve.y.end()) - curve.y.begin();
    curve.name_at = curve.x[static_cast<std::size_t>(peak)];
    return curve;
}

LineFigure distribution_figure(double p, LinePanel panel) {
    return {.name = "distribution",
            .title = "Only with the factor 1/(1-p) is the average in training that of evaluation",
            .panels = {std::move(panel)},
            .caption =
                p == 0.0 ? "With p = 0 dropout changes nothing: training and evaluation are the same."
                         : "The values of one unit for one input and many masks. In evaluation there are no "
                           "masks, so it has one value, the upright line."};
}

// What one unit, the sum of w_i y_i over its inputs, gives for many masks of one input and for many inputs.
Report show_distribution(const Request& request) {
    const NoGrad no_grad;
    const double p = request[options::p];
    Rng rng(request[options::seed]);
    const Tensor weights(rng.normal_array({inputs, 1}, 0.02, 1.0 / std::sqrt(static_cast<double>(inputs)))),
        one_input(rng.uniform_array({1, inputs}, 0.0, 2.0)), many_inputs(rng.normal_array({rows, inputs}));
    const float lost = static_cast<float>(1.0 - p);  // what is missing without the factor
    const Tensor one = dropout(one_input + Tensor::zeros({rows, inputs}), p, &rng),
                 many = dropout(many_inputs, p, &rng);
    const double evaluated = matmul(one_input, weights).item();

    Table table{.columns = {{"input vectors"}, {"pass"}, {"mean", fixed(3)}, {"deviation", fixed(3)}}};
    const auto show = [&](const std::string& what, const std::string& pass, const Tensor& x) {
        const Tensor values = matmul(x, weights);
        const Moments m = moments(values.values());
        table.add({what, pass, m.mean, m.deviation});
        return curve_of(pass, values, m);
    };
    const std::string masks = fmt::format("one, {} masks", rows),
                      drawn = fmt::format("{} with entries N(0, 1)", rows), masked = drawn + ", a mask each";
    table.add({"one", "evaluation", evaluated, {}});
    LinePanel panel{
        .title = "",
        .x_axis = "value of the unit",
        .y_axis = "density",
        .series = {show(masks, "training", one), show(masks, "training without 1/(1-p)", one * lost)},
        .from_zero = true};
    Series &right = panel.series[0], &wrong = panel.series[1];
    right.name = "with";
    right.hue = Hue::with;
    wrong.name = "without";
    wrong.hue = Hue::without;
    panel.series.push_back(
        {"evaluation", {evaluated, evaluated}, {0.0, *std::max_element(right.y.begin(), right.y.end())}});
    show(drawn, "evaluation", many_inputs);
    show(masked, "training", many);
    show(masked, "training without 1/(1-p)", many * lost);
    Report report;
    report.note(fmt::format("A unit that reads {} inputs, p = {}.", inputs, p));
    report.add(table);
    report.add(distribution_figure(p, panel));
    return report;
}

}  // namespace

Section unit_distribution() {
    return {.id = "distribution",
            .title = "Without 1/(1-p), training and evaluation differ",
            .level = Level::deeper,
            .options = {options::p, options::seed},
            .run = show_distribution};
}

}  // namespace tfs

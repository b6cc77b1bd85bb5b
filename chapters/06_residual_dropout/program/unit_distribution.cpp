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
    return histogram(name, values.values(), middle - reach, middle + reach);
}

LineFigure distribution_figure(double p, const LinePanel& one_input, const LinePanel& many_inputs) {
    return {.name = "distribution",
            .title = fmt::format("A unit after dropout, p = {}: training and evaluation", p),
            .panels = {one_input, many_inputs},
            .caption = p == 0.0
                           ? "With p = 0 dropout changes nothing: training and evaluation are the same."
                           : "Left: with 1/(1-p), training scatters around the value of evaluation (the "
                             "vertical line: it has no masks, so it gives one value); without it, around a "
                             "smaller one. Right: over many inputs the values spread more in "
                             "training than in evaluation, and without the factor they spread less."};
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
    const auto show = [&](LinePanel& panel, const std::string& what, const std::string& pass,
                          const Tensor& x) {
        const Tensor values = matmul(x, weights);
        const Moments m = moments(values.values());
        table.add({what, pass, m.mean, m.deviation});
        panel.series.push_back(curve_of(pass, values, m));
    };
    LinePanel left{"one input, many masks", "value of the unit", "density"},
        right{"many inputs, a mask each", "value of the unit", "density"};
    const std::string masks = fmt::format("one, {} masks", rows),
                      drawn = fmt::format("{} with entries N(0, 1)", rows), masked = drawn + ", a mask each";
    table.add({"one", "evaluation", evaluated, {}});
    show(left, masks, "training", one);
    show(left, masks, "training without 1/(1-p)", one * lost);
    show(right, drawn, "evaluation", many_inputs);
    show(right, masked, "training", many);
    show(right, masked, "training without 1/(1-p)", many * lost);
    const std::vector<double>& densities = left.series[1].y;
    left.series.push_back(
        {"evaluation", {evaluated, evaluated}, {0.0, *std::max_element(densities.begin(), densities.end())}});
    Report report;
    report.note(fmt::format("A unit that reads {} inputs, p = {}.", inputs, p));
    report.add(table);
    report.add(distribution_figure(p, left, right));
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

// chapters/06_residual_dropout/program/unit_distribution.cpp · a unit that reads many dropped inputs: its values in training and in evaluation
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "chapters/06_residual_dropout/program/options.hpp"

namespace tfs {

namespace {

constexpr std::size_t inputs = 256, rows = 8192;

// The values of a unit that are shown: around the two means, with room for the wider of the two histograms.
struct Shown {
    double low, high;
};

// The values of many masks as a panel, with the one value without masks as a line.
LinePanel panel_of(const std::string& title, const Tensor& values, double evaluated, Hue hue, Shown shown) {
    Series curve = histogram(title, values.values(), shown.low, shown.high, 32);
    curve.hue = hue;
    return {.title = title,
            .x_axis = "value of the unit",
            .y_axis = "density",
            .series = {std::move(curve)},
            .from_zero = true,
            .limits = {{evaluated, {}, "in evaluation", true}}};
}

LineFigure distribution_figure(double p, std::vector<LinePanel> panels) {
    return {
        .name = "distribution",
        .title = "With 1/(1 - p) a unit has the same average in training and evaluation",
        .panels = std::move(panels),
        .caption = p == 0.0
                       ? "With p = 0 dropout changes nothing: training and evaluation are the same."
                       : fmt::format("The curves: values of one unit in training with p = {}, for one input "
                                     "and many masks. In evaluation there are no masks, so it has one value, "
                                     "the dashed line.",
                                     p),
        .same_y = true};
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
        return values;
    };
    const std::string masks = fmt::format("one, {} masks", rows),
                      drawn = fmt::format("{} with entries N(0, 1)", rows), masked = drawn + ", a mask each";
    table.add({"one", "evaluation", evaluated, {}});
    const Tensor right = show(masks, "training", one),
                 wrong = show(masks, "training without 1/(1-p)", one * lost);
    const Moments with = moments(right.values()), without = moments(wrong.values());
    const double reach = std::max(0.05, 4.0 * with.deviation);  // a width also where all values are the same
    const auto finite = [](double mean) { return std::isfinite(mean) ? mean : 0.0; };
    const auto [low, high] = std::minmax({finite(with.mean), finite(without.mean)});
    const Shown shown{low - reach, high + reach};
    show(drawn, "evaluation", many_inputs);
    show(masked, "training", many);
    show(masked, "training without 1/(1-p)", many * lost);
    Report report;
    report.note(fmt::format("A unit that reads {} inputs, p = {}.", inputs, p));
    report.add(table);
    report.add(
        distribution_figure(p, {panel_of("without the factor", wrong, evaluated, Hue::without, shown),
                                panel_of("with the factor 1/(1 - p)", right, evaluated, Hue::with, shown)}));
    return report;
}

}  // namespace

Sections unit_distribution_sections() {
    return {{"distribution",
             "Without 1/(1-p), training and evaluation differ",
             show_distribution,
             {options::p, options::seed},
             Level::deeper}};
}

}  // namespace tfs

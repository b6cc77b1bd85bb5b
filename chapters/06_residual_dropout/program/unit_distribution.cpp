// chapters/06_residual_dropout/program/unit_distribution.cpp · a unit that reads many dropped inputs: its values in training and in evaluation
#include "chapters/06_residual_dropout/program/sections.hpp"

#include <fmt/ostream.h>

#include <algorithm>
#include <cmath>

#include "chapters/06_residual_dropout/program/moments.hpp"
#include "chapters/06_residual_dropout/residual_dropout.hpp"

namespace tfs {

namespace {

// What one unit, the sum of w_i y_i over 256 inputs, gives for many masks of one input and for many inputs.
struct Unit {
    static constexpr std::size_t inputs = 256, rows = 8192;
    Tensor weights, one_input, many_inputs;

    explicit Unit(Rng& rng)
        : weights(rng.normal_array({inputs, 1}, 0.02, 1.0 / std::sqrt(static_cast<double>(inputs)))),
          one_input(rng.uniform_array({1, inputs}, 0.0, 2.0)),
          many_inputs(rng.normal_array({rows, inputs})) {}

    std::vector<float> values(const Tensor& x) const {
        const Tensor y = matmul(x, weights);
        return {y.values().begin(), y.values().end()};
    }
};

struct Named {
    std::string name;
    std::vector<float> values;
};

// Prints the moments of each, and draws each as a histogram with bins of its own: the widths may differ much.
LinePanel show_values(std::ostream& out, const std::string& title, const std::vector<Named>& all) {
    LinePanel panel{title, "value of the unit", "density"};
    for (const auto& [name, values] : all) {
        const Moments m = moments(values);
        fmt::print(out, "    {:<44} mean {:>7.3f}   deviation {:>6.3f}\n", name, m.mean, m.deviation);
        const double middle = std::isfinite(m.mean) ? m.mean : 0.0;
        const double reach = std::max(0.05, 4.0 * m.deviation);  // a width also where all values are the same
        panel.series.push_back(histogram(name, values, middle - reach, middle + reach));
    }
    return panel;
}

}  // namespace

LineFigure measure_unit_distribution(Show& show, double p) {
    const NoGrad no_grad;
    Rng rng(show.options.seed);
    const Unit unit(rng);
    const float lost = static_cast<float>(1.0 - p);  // what is missing without the factor
    const Tensor repeated = unit.one_input + Tensor::zeros({Unit::rows, Unit::inputs});
    const Tensor trained = dropout(repeated, p, &rng), trained_many = dropout(unit.many_inputs, p, &rng);
    const double evaluated = unit.values(unit.one_input).front();
    fmt::print(show.out, "  A unit that reads {} inputs, p = {}.\n", Unit::inputs, p);
    fmt::print(show.out, "  one input, {} masks: evaluation gives {:.3f}\n", Unit::rows, evaluated);
    LinePanel masks = show_values(
        show.out, "one input, many masks",
        {{"training", unit.values(trained)}, {"training without 1/(1-p)", unit.values(trained * lost)}});
    fmt::print(show.out, "  {} inputs with entries N(0, 1), a mask each:\n", Unit::rows);
    const LinePanel inputs = show_values(show.out, "many inputs, a mask each",
                                         {{"evaluation", unit.values(unit.many_inputs)},
                                          {"training", unit.values(trained_many)},
                                          {"training without 1/(1-p)", unit.values(trained_many * lost)}});
    const std::vector<double>& densities = masks.series[1].y;
    const double top = *std::max_element(densities.begin(), densities.end());
    masks.series.push_back({"evaluation", {evaluated, evaluated}, {0.0, top}});
    return {.name = "distribution",
            .title = fmt::format("A unit after dropout, p = {}: training and evaluation", p),
            .panels = {masks, inputs},
            .caption = p == 0.0
                           ? "With p = 0 dropout changes nothing: training and evaluation are the same."
                           : "Left: with 1/(1-p), training scatters around the value of evaluation (the "
                             "vertical line: it has no masks, so it gives one value); without it, around a "
                             "smaller one. Right: over many inputs the values spread more in "
                             "training than in evaluation, and without the factor they spread less."};
}

}  // namespace tfs

// chapters/06_residual_dropout/program/statistics.cpp · what dropout does to means, variances and distributions, measured
#include "chapters/06_residual_dropout/program/statistics.hpp"

#include <fmt/ostream.h>

#include <algorithm>
#include <cmath>

#include "chapters/06_residual_dropout/residual_dropout.hpp"

namespace tfs {

Moments moments(std::span<const float> values) {
    const double n = static_cast<double>(values.size());
    double total = 0.0, squares = 0.0;
    for (const float value : values) total += static_cast<double>(value) / n;
    for (const float value : values) squares += std::pow(static_cast<double>(value) - total, 2.0) / n;
    const auto [low, high] = std::minmax_element(values.begin(), values.end());
    return {total, std::sqrt(squares), *low, *high};
}

void measure_mean_and_variance(std::ostream& out, std::uint64_t seed) {
    constexpr std::size_t count = 1000000;
    const Tensor x = Tensor::full({count}, 2.0f);
    const NoGrad no_grad;
    Rng rng(seed);
    fmt::print(out, "  x = 2, {} coins for each p.\n", count);
    fmt::print(out, "{:>6} | {:>9} {:>10} | {:>9} {:>14} | {:>18}\n", "p", "mean", "formula x", "variance",
               "x^2 p / (1-p)", "without 1/(1-p)");
    for (const double p : {0.0, 0.1, 0.2, 0.5, 0.8, 0.9}) {
        const Tensor y = dropout(x, p, &rng);
        const Moments measured = moments(y.values());
        fmt::print(out, "{:>6.1f} | {:>9.3f} {:>10.3f} | {:>9.3f} {:>14.3f} | {:>18.3f}\n", p, measured.mean,
                   2.0, measured.deviation * measured.deviation, 4.0 * p / (1.0 - p),
                   measured.mean * (1.0 - p));
    }
}

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

LineFigure measure_output_distribution(std::ostream& out, double p, std::uint64_t seed) {
    const NoGrad no_grad;
    Rng rng(seed);
    const Unit unit(rng);
    const float lost = static_cast<float>(1.0 - p);  // what is missing without the factor
    const Tensor repeated = unit.one_input + Tensor::zeros({Unit::rows, Unit::inputs});
    const Tensor trained = dropout(repeated, p, &rng), trained_many = dropout(unit.many_inputs, p, &rng);
    const double evaluated = unit.values(unit.one_input).front();
    fmt::print(out, "  A unit that reads {} inputs, p = {}.\n", Unit::inputs, p);
    fmt::print(out, "  one input, {} masks: evaluation gives {:.3f}\n", Unit::rows, evaluated);
    LinePanel masks = show_values(
        out, "one input, many masks",
        {{"training", unit.values(trained)}, {"training without 1/(1-p)", unit.values(trained * lost)}});
    fmt::print(out, "  {} inputs with entries N(0, 1), a mask each:\n", Unit::rows);
    const LinePanel inputs = show_values(out, "many inputs, a mask each",
                                         {{"evaluation", unit.values(unit.many_inputs)},
                                          {"training", unit.values(trained_many)},
                                          {"training without 1/(1-p)", unit.values(trained_many * lost)}});
    const std::vector<double>& densities = masks.series[1].y;
    const double top = *std::max_element(densities.begin(), densities.end());
    masks.series.push_back({"evaluation", {evaluated, evaluated}, {0.0, top}});
    return {.name = "distribution",
            .title = fmt::format("A unit after dropout, p = {}: training and evaluation", p),
            .panels = {masks, inputs}};
}

namespace {

// The mean of all calls so far, as a sum, for each entry of x.
struct Average {
    std::vector<double> totals;
    double calls = 0.0;

    void add(const Tensor& y) {
        ++calls;
        for (std::size_t i = 0; i < totals.size(); ++i) totals[i] += static_cast<double>(y.values()[i]);
    }
    double error(const Tensor& x) const {  // as a root mean square
        double squares = 0.0;
        for (std::size_t i = 0; i < totals.size(); ++i)
            squares += std::pow(totals[i] / calls - static_cast<double>(x.values()[i]), 2.0);
        return std::sqrt(squares / static_cast<double>(totals.size()));
    }
    std::ptrdiff_t never_kept() const { return std::count(totals.begin(), totals.end(), 0.0); }
};

}  // namespace

void measure_copied_generator(std::ostream& out, std::uint64_t seed) {
    constexpr std::size_t size = 4096;
    constexpr double p = 0.2;
    const Tensor x(Rng(seed).normal_array({size}));
    fmt::print(
        out,
        "  {} entries, p = {}. Error: of the mean of all calls so far against x, as a root mean square.\n",
        size, p);
    fmt::print(out, "{:>6} | {:>11} {:>18} | {:>11} {:>18}\n", "calls", "error, new", "never kept, new",
               "error, same", "never kept, same");
    Rng moving(seed + 1);
    const Rng original(seed + 1);
    Average fresh{std::vector<double>(size)}, same{std::vector<double>(size)};
    for (std::size_t call = 1, shown = 1; call <= 1024; ++call) {
        Rng copy = original;  // the mistake: it begins where it began at the last call
        fresh.add(dropout(x, p, &moving));
        same.add(dropout(x, p, &copy));
        if (call != shown) continue;
        shown *= 4;
        fmt::print(out, "{:>6} | {:>11.4f} {:>18} | {:>11.4f} {:>18}\n", call, fresh.error(x),
                   fresh.never_kept(), same.error(x), same.never_kept());
    }
}

}  // namespace tfs

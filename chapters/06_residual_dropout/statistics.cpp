// chapters/06_residual_dropout/statistics.cpp · what dropout does to means, variances and distributions, measured
#include "chapters/06_residual_dropout/statistics.hpp"

#include <fmt/ostream.h>

#include <algorithm>
#include <cmath>

#include "chapters/06_residual_dropout/residual_dropout.hpp"

namespace tfs {

namespace {

struct Moments {
    double mean = 0.0, deviation = 0.0, smallest = 0.0, largest = 0.0;
};

Moments moments(const std::vector<double>& values) {
    const double n = static_cast<double>(values.size());
    double total = 0.0, squares = 0.0;
    for (const double value : values) total += value / n;
    for (const double value : values) squares += (value - total) * (value - total) / n;
    const auto [low, high] = std::minmax_element(values.begin(), values.end());
    return {total, std::sqrt(squares), *low, *high};
}

// The values as a curve: the share of them in each of 40 bins, divided by the bin's width.
Series density(const std::string& name, const std::vector<double>& values, double low, double high) {
    constexpr std::size_t bins = 40;
    Series series{name, std::vector<double>(bins), std::vector<double>(bins, 0.0)};
    const double width = (high - low) / bins;
    for (std::size_t i = 0; i < bins; ++i) series.x[i] = low + (static_cast<double>(i) + 0.5) * width;
    for (const double value : values) {
        const double place = std::clamp((value - low) / width, 0.0, bins - 1.0);
        series.y[static_cast<std::size_t>(place)] += 1.0 / (width * static_cast<double>(values.size()));
    }
    return series;
}

}  // namespace

void measure_mean_and_variance(std::ostream& out, std::uint64_t seed) {
    constexpr std::size_t count = 1000000;
    const Tensor x = Tensor::full({count}, 2.0f);
    const NoGrad no_grad;
    Rng rng(seed);
    fmt::print(out, "  x = 2, {} masks for each p.\n", count);
    fmt::print(out, "{:>6} | {:>9} {:>10} | {:>9} {:>14} | {:>18}\n", "p", "mean", "formula x", "variance",
               "x^2 p / (1-p)", "without 1/(1-p)");
    for (const double p : {0.0, 0.1, 0.2, 0.5, 0.8, 0.9}) {
        const Tensor y = dropout(x, p, &rng);
        const double spread = variance(y, 0).item(), average = mean(y).item();
        fmt::print(out, "{:>6.1f} | {:>9.3f} {:>10.3f} | {:>9.3f} {:>14.3f} | {:>18.3f}\n", p, average, 2.0,
                   spread, 4.0 * p / (1.0 - p), average * (1.0 - p));
    }
}

namespace {

// The mean over many masks of one row of weights: dropped, and divided by its sum again after that.
void print_renormalised(std::ostream& out, Rng& rng) {
    constexpr std::size_t masks = 100000;
    const Tensor row = Tensor::from({1, 4}, {0.7f, 0.1f, 0.1f, 0.1f});
    const Tensor dropped = dropout(row + Tensor::zeros({masks, 4}), 0.5, &rng);
    const Tensor divided = dropped / maximum(sum(dropped, -1, KeepDims::yes), 1e-30f);  // a row may be all 0
    fmt::print(out, "  one row, p = 0.5, mean of {} masks:\n", masks);
    for (const auto& [name, weights] : {std::pair("weights", row), std::pair("dropped", dropped),
                                        std::pair("and divided by the sum", divided)}) {
        const Tensor average = mean(weights, 0);
        fmt::print(out, "    {:<24}", name);
        for (const float w : average.values()) fmt::print(out, " {:>6.3f}", w);
        out << '\n';
    }
}

}  // namespace

void measure_row_sums(std::ostream& out, const Tensor& x, std::size_t heads, std::uint64_t seed) {
    const NoGrad no_grad;
    Rng rng(seed);
    const MultiHeadAttention attention(x.size(-1), heads, rng);
    const Tensor weights = attention(x, x, x).weights;
    const double square_sum = mean(sum(weights * weights, -1)).item();  // of a row, in the mean over the rows
    constexpr std::size_t calls = 200;
    fmt::print(out, "  sums of {} rows, each with {} masks; sum_j w_j^2 is {:.3f} in the mean.\n",
               weights.size() / weights.size(-1), calls, square_sum);
    fmt::print(out, "{:>6} | {:>9} {:>11} {:>34} | {:>9} {:>9}\n", "p", "mean", "deviation",
               "formula sqrt(p/(1-p) sum_j w_j^2)", "smallest", "largest");
    for (const double p : {0.0, 0.1, 0.2, 0.5}) {
        std::vector<double> sums;
        for (std::size_t call = 0; call < calls; ++call) {
            const Tensor rows =
                sum(attention_with_dropout(attention, x, x, x, std::nullopt, p, &rng).weights, -1);
            sums.insert(sums.end(), rows.values().begin(), rows.values().end());
        }
        const Moments m = moments(sums);
        fmt::print(out, "{:>6.1f} | {:>9.3f} {:>11.3f} {:>34.3f} | {:>9.2f} {:>9.2f}\n", p, m.mean,
                   m.deviation, std::sqrt(p / (1.0 - p) * square_sum), m.smallest, m.largest);
    }
    print_renormalised(out, rng);
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

    std::vector<double> values(const Tensor& x) const {
        const Tensor y = matmul(x, weights);
        return {y.values().begin(), y.values().end()};
    }
};

void print_values(std::ostream& out, const char* name, const std::vector<double>& values) {
    const Moments m = moments(values);
    fmt::print(out, "  {:<46} mean {:>7.3f}   deviation {:>6.3f}\n", name, m.mean, m.deviation);
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
    const std::vector<double> one[2] = {unit.values(trained), unit.values(trained * lost)};
    const std::vector<double> many[3] = {unit.values(unit.many_inputs), unit.values(trained_many),
                                         unit.values(trained_many * lost)};
    fmt::print(out, "  A unit that reads {} inputs, p = {}.\n", Unit::inputs, p);
    fmt::print(out, "  one input, {} masks: evaluation gives {:.3f}\n", Unit::rows, evaluated);
    print_values(out, "  training", one[0]);
    print_values(out, "  training without 1/(1-p)", one[1]);
    fmt::print(out, "  {} inputs with entries N(0, 1), a mask each:\n", Unit::rows);
    print_values(out, "  evaluation", many[0]);
    print_values(out, "  training", many[1]);
    print_values(out, "  training without 1/(1-p)", many[2]);

    const Moments m = moments(one[0]);
    const double reach = 4.0 * m.deviation + std::abs(evaluated) * p + 1e-3;
    const double low = evaluated - reach, high = evaluated + reach;
    LinePanel masks{"one input, many masks", "value of the unit", "density"};
    masks.series = {density("training", one[0], low, high),
                    density("training without 1/(1-p)", one[1], low, high)};
    const double top = *std::max_element(masks.series[1].y.begin(), masks.series[1].y.end());
    masks.series.push_back({"evaluation", {evaluated, evaluated}, {0.0, top}});
    LinePanel inputs{"many inputs, a mask each", "value of the unit", "density"};
    inputs.series = {density("evaluation", many[0], -5.0, 5.0), density("training", many[1], -5.0, 5.0),
                     density("training without 1/(1-p)", many[2], -5.0, 5.0)};
    return {.name = "distribution",
            .title = fmt::format("A unit behind dropout, p = {}: training and evaluation", p),
            .panels = {masks, inputs}};
}

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
    std::vector<double> totals[2] = {std::vector<double>(size), std::vector<double>(size)};
    for (std::size_t call = 1, shown = 1; call <= 1024; ++call) {
        Rng copy = original;  // the mistake: it begins where it began at the last call
        const Tensor y[2] = {dropout(x, p, &moving), dropout(x, p, &copy)};
        double error[2] = {};
        std::size_t never[2] = {};
        for (std::size_t which = 0; which < 2; ++which) {
            for (std::size_t i = 0; i < size; ++i) {
                double& total = totals[which][i];
                total += y[which].values()[i];
                error[which] += std::pow(total / static_cast<double>(call) - x.values()[i], 2.0) / size;
                never[which] += total == 0.0;
            }
        }
        if (call != shown) continue;
        shown *= 4;
        fmt::print(out, "{:>6} | {:>11.4f} {:>18} | {:>11.4f} {:>18}\n", call, std::sqrt(error[0]), never[0],
                   std::sqrt(error[1]), never[1]);
    }
}

}  // namespace tfs

// chapters/04_normalization/program/histogram.cpp · what normalising does to a distribution, measured
#include <fmt/format.h>

#include <cmath>
#include <numbers>

#include "chapters/04_normalization/program/options.hpp"

namespace tfs {

namespace {

// Moments of all values: mean, variance, skewness, kurtosis (3 for a normal distribution).
struct Moments {
    double mean = 0.0, variance = 0.0, skewness = 0.0, kurtosis = 0.0;
};

Moments moments_of(const Tensor& x) {
    Moments m;
    const double n = static_cast<double>(x.size());
    for (const float value : x.values()) m.mean += value / n;
    for (const float value : x.values()) m.variance += std::pow(value - m.mean, 2.0) / n;
    const double deviation = std::sqrt(m.variance);
    for (const float value : x.values()) {
        const double z = (value - m.mean) / deviation;
        m.skewness += std::pow(z, 3.0) / n;
        m.kurtosis += std::pow(z, 4.0) / n;
    }
    return m;
}

Series standard_normal(double low, double high) {
    Series curve{.name = "normal", .name_at = 0.5};
    for (double z = low; z <= high + 1e-9; z += (high - low) / 96.0) {
        curve.add(z, std::exp(-z * z / 2.0) / std::sqrt(2.0 * std::numbers::pi));
    }
    return curve;
}

Report show_histogram(const Request& request) {
    constexpr std::size_t count = 16384;
    Rng rng(request[options::seed]);
    std::vector<float> values(count);
    for (float& value : values) value = static_cast<float>(4.0 - 3.0 * std::log(1.0 - rng.uniform()));
    const Tensor x = Tensor::from({1, count}, values), y = LayerNorm(count)(x);
    Table table{.columns = {{""},
                            {"mean", fixed(3)},
                            {"variance", fixed(3)},
                            {"skewness", fixed(3)},
                            {"kurtosis", fixed(3)}}};
    const auto add = [&](const char* name, const Moments& m) {
        table.add({name, m.mean, m.variance, m.skewness, m.kurtosis});
    };
    add("before", moments_of(x));
    add("after", moments_of(y));
    add("N(0, 1)", {0.0, 1.0, 0.0, 3.0});
    Report report;
    report.note(fmt::format("One row of {} values, 4 + 3 times exponentially distributed ones.", count));
    report.add(table);
    Series after = histogram("values", y.values(), -7.0 / 3.0, 17.0 / 3.0);
    after.name_at = -1.0;  // its peak
    report.add(LineFigure{
        .name = "histogram",
        .title = "LayerNorm gives mean 0 and deviation 1; the shape stays, and is not normal",
        .panels = {{.title = "before: mean 7, deviation 3 (shaded: mean ± deviation)",
                    .x_axis = "value",
                    .y_axis = "density",
                    .series = {histogram("values", x.values(), 0.0, 24.0)},
                    .from_zero = true,
                    .limits = {{4.0, 10.0, "", true}, {7.0, {}, "mean", true}}},
                   {.title = "after LayerNorm: mean 0, deviation 1 (shaded)",
                    .x_axis = "value",
                    .y_axis = "density",
                    .series = {after, standard_normal(-7.0 / 3.0, 17.0 / 3.0)},
                    .from_zero = true,
                    .limits = {{-1.0, 1.0, "", true}, {0.0, {}, "mean", true}}}},
        .panels_per_row = 1,
        .caption = "After LayerNorm only the numbers on the axis are different: the steep left edge and the "
                   "long right tail stay. A normal distribution with the same mean and deviation looks "
                   "different."});
    return report;
}

}  // namespace

Sections histogram_sections() {
    return {{"histogram",
             "Mean 0 and variance 1 do not make a distribution normal",
             show_histogram,
             {options::seed},
             Level::deeper}};
}

}  // namespace tfs

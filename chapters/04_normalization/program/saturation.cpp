// chapters/04_normalization/program/saturation.cpp · what the size of the input leaves of a gradient behind tanh and sigmoid
#include <cmath>
#include <numbers>

#include "chapters/04_normalization/program/options.hpp"

namespace tfs {

namespace {

// The mean of the slope over inputs from N(0, size^2), by the trapezoidal rule.
template <class Slope>
double mean_slope(double size, const Slope& slope) {
    constexpr int steps = 20'000;
    constexpr double end = 8.0, width = 2.0 * end / steps;
    double sum = 0.0;
    for (int i = 0; i <= steps; ++i) {
        const double z = -end + width * i;
        sum += std::exp(-0.5 * z * z) * slope(size * z);
    }
    return sum * width / std::sqrt(2.0 * std::numbers::pi);
}

Report show_saturation(const Request&) {
    const auto of_tanh = [](double x) { return 1.0 - std::tanh(x) * std::tanh(x); };
    const auto of_sigmoid = [&](double x) { return 0.25 * of_tanh(0.5 * x); };
    Table table{.columns = {{"size of the input", significant(3)},
                            {"tanh", fixed(3)},
                            {"six tanh in a row", significant(2)},
                            {"sigmoid", fixed(3)}}};
    for (const double size : {0.25, 1.0, 4.0, 16.0}) {
        const double slope = mean_slope(size, of_tanh);
        table.add({size, slope, std::pow(slope, 6), mean_slope(size, of_sigmoid)});
    }
    Report report;
    report.note(
        "The mean slope, which multiplies a gradient on its way back, for normally distributed inputs:");
    report.add(table);
    return report;
}

}  // namespace

Sections saturation_sections() {
    return {{"saturation", "Activations that saturate", show_saturation, {}, Level::deeper}};
}

}  // namespace tfs

// chapters/00_tensors/program/difference_error.cpp · how exact finite differences are, against their step
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "chapters/00_tensors/tensors.hpp"
#include "common/program.hpp"

namespace tfs {

namespace {

// The gradient by (f(x + h) - f(x)) / h.
template <class Function>
Array one_sided_gradient(const Function& f, const Array& x, float step) {
    Array gradient = Array::from_shape(x.shape());
    Array point = x;
    const double here = f(x);
    for (std::size_t i = 0; i < x.size(); ++i) {
        point.data()[i] = x.data()[i] + step;
        gradient.data()[i] =
            static_cast<float>((f(point) - here) / (static_cast<double>(point.data()[i]) - x.data()[i]));
        point.data()[i] = x.data()[i];
    }
    return gradient;
}

// The true gradient is 1 - tanh(x_i)^2.
double largest_error(const Array& gradient, const Array& x) {
    double largest = 0.0;
    for (std::size_t i = 0; i < x.size(); ++i) {
        const double t = std::tanh(static_cast<double>(x.data()[i]));
        largest = std::max(largest, std::abs(gradient.data()[i] - (1.0 - t * t)));
    }
    return largest;
}

template <class Real>
double sum_of_tanh(const Array& x) {
    Real total = 0;
    for (std::size_t i = 0; i < x.size(); ++i) total += std::tanh(static_cast<Real>(x.data()[i]));
    return static_cast<double>(total);
}

// Steps from 1 down to 1e-6, two for each power of ten.
Table difference_errors(std::uint64_t seed) {
    Table table{.title = "f(x) = sum of tanh(x_i) over 8 entries; the largest error of the gradient:",
                .columns = {{"step h", scientific(1)},
                            {"one-sided, float32", scientific(1)},
                            {"central, float32", scientific(1)},
                            {"central, float64", scientific(1)}}};
    const Array x = Rng(seed).uniform_array({8}, -1.5, 1.5);
    for (int half_decade = 0; half_decade <= 12; ++half_decade) {
        const float h = static_cast<float>(std::pow(10.0, -0.5 * half_decade));
        table.add({h, largest_error(one_sided_gradient(sum_of_tanh<float>, x, h), x),
                   largest_error(finite_difference_gradient(sum_of_tanh<float>, x, h), x),
                   largest_error(finite_difference_gradient(sum_of_tanh<double>, x, h), x)});
    }
    return table;
}

// The step with the smallest error.
double best_step(const Series& errors) {
    const auto least = std::min_element(errors.y.begin(), errors.y.end());
    return errors.x[static_cast<std::size_t>(least - errors.y.begin())];
}

Report show_difference_error(const Request& request) {
    const Table table = difference_errors(request[options::seed]);
    const Series one_sided = series(table, "step h", "one-sided, float32"),
                 central = series(table, "step h", "central, float32", "float32"),
                 in_double = series(table, "step h", "central, float64", "float64");
    Report report;
    report.add(table);
    report.note(
        fmt::format("best step: one-sided {:.1e}, central {:.1e}", best_step(one_sided), best_step(central)));
    LinePanel panel{"central differences of a function f in float32 and in float64",
                    "step h",
                    "largest error of the gradient",
                    true,
                    true,
                    {central, in_double}};
    panel.series[0].name_at = panel.series[1].name_at = central.x[central.x.size() - 3];
    panel.limits = {{.from = best_step(central), .name = "best h in float32", .on_x = true}};
    report.add(LineFigure{
        .name = "difference_error",
        .title = "In float32 a middle step is best: smaller ones suffer from rounding, larger ones from "
                 "truncation",
        .panels = {panel},
        .panels_per_row = 1,
        .caption =
            "f is a sum of tanh(x). In float32 its values are too coarse for a small step; in float64 such "
            "steps do no harm. A large step harms both. Both axes are logarithmic."});
    return report;
}

}  // namespace

Sections difference_error_sections() {
    return {{"difference-error",
             "Measured: the error of finite differences",
             show_difference_error,
             {options::seed},
             Level::deeper}};
}

}  // namespace tfs

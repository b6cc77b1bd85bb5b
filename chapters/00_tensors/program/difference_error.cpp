// chapters/00_tensors/program/difference_error.cpp · how exact finite differences are, against their step
#include "chapters/00_tensors/program/sections.hpp"

#include <fmt/ostream.h>

#include <algorithm>
#include <cmath>

#include "chapters/00_tensors/tensors.hpp"

namespace tfs {

namespace {

// The largest error of a gradient of f(x) = sum of tanh(x_i), whose true gradient is 1 - tanh(x_i)^2, for
// one step h.
struct DifferenceError {
    double step;
    double one_sided;       // (f(x + h) - f(x)) / h, f in float32
    double central;         // finite_difference_gradient, f in float32
    double central_double;  // the same with f in float64
};

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
std::vector<DifferenceError> difference_errors(std::uint64_t seed) {
    Rng rng(seed);
    const Array x = rng.uniform_array({8}, -1.5, 1.5);
    std::vector<DifferenceError> errors;
    for (int half_decade = 0; half_decade <= 12; ++half_decade) {
        const float h = static_cast<float>(std::pow(10.0, -0.5 * half_decade));
        errors.push_back({h, largest_error(one_sided_gradient(sum_of_tanh<float>, x, h), x),
                          largest_error(finite_difference_gradient(sum_of_tanh<float>, x, h), x),
                          largest_error(finite_difference_gradient(sum_of_tanh<double>, x, h), x)});
    }
    return errors;
}

LineFigure error_figure(const std::vector<DifferenceError>& errors) {
    Series one_sided{"one-sided, float32"}, central{"central, float32"}, in_double{"central, f in float64"};
    for (const DifferenceError& e : errors) {
        one_sided.add(e.step, e.one_sided);
        central.add(e.step, e.central);
        in_double.add(e.step, e.central_double);
    }
    return {.name = "difference_error",
            .title = "Too large a step truncates, too small a step rounds",
            .panels = {{"f(x) = sum of tanh(x) over 8 entries",
                        "step h",
                        "largest error of the gradient",
                        true,
                        true,
                        {one_sided, central, in_double}}},
            .panels_per_row = 1,
            .caption =
                "In float32 the best step lies in the middle: larger steps err by truncation, smaller "
                "ones by rounding. Central differences reach a smaller error. With f in float64 small "
                "steps do no harm in this range. Both axes are logarithmic."};
}

}  // namespace

LineFigure measure_difference_error(Show& show) {
    const std::vector<DifferenceError> errors = difference_errors(show.options.seed);
    fmt::print(show.out, "  f(x) = sum of tanh(x_i) over 8 entries; the largest error of the gradient\n\n");
    fmt::print(show.out, "  {:>9}  {:>20}  {:>18}  {:>18}\n", "step h", "one-sided, float32",
               "central, float32", "central, float64");
    for (const DifferenceError& e : errors) {
        fmt::print(show.out, "  {:>9.1e}  {:>20.1e}  {:>18.1e}  {:>18.1e}\n", e.step, e.one_sided, e.central,
                   e.central_double);
    }
    const auto best = [&](double DifferenceError::*column) {
        return std::min_element(errors.begin(), errors.end(),
                                [column](const auto& a, const auto& b) { return a.*column < b.*column; })
            ->step;
    };
    fmt::print(show.out, "\n  best step: one-sided {:.1e}, central {:.1e}\n",
               best(&DifferenceError::one_sided), best(&DifferenceError::central));
    return error_figure(errors);
}

}  // namespace tfs

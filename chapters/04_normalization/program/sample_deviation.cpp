// chapters/04_normalization/program/sample_deviation.cpp · the formula beside (x - mean) / (std + 1e-6), where std divides by n - 1
#include "chapters/04_normalization/program/sections.hpp"

#include <fmt/ostream.h>

#include <cmath>
#include <functional>

#include "chapters/04_normalization/program/plain_layer_norm.hpp"

namespace tfs {

namespace {

// LayerNorm as one often meets it: (x - mean) / (std + eps), where std divides by n - 1.
Tensor layer_norm_by_std(const Tensor& x) {
    const float n = static_cast<float>(x.size(-1));
    const Tensor std_of_a_sample = sqrt(variance(x, -1, KeepDims::yes) * (n / (n - 1.0f)));
    return (x - mean(x, -1, KeepDims::yes)) / (std_of_a_sample + 1e-6f);
}

// The root mean square of the gradient at x, for this gradient at norm(x).
double gradient_through(const std::function<Tensor(const Tensor&)>& norm, const Tensor& x,
                        const Tensor& upstream) {
    const Tensor input(x.array(), true);
    sum(norm(input) * upstream).backward();
    return root_mean_square({input.grad().data(), input.size()});
}

}  // namespace

void measure_sample_deviation(Show& show) {
    Rng rng(show.options.seed);
    fmt::print(show.out, "{:>6} {:>22} {:>18} {:>16}\n", "d", "deviation, formula", "deviation, std",
               "sqrt(1 - 1/d)");
    for (const std::size_t d : {4u, 20u, 768u}) {
        const Tensor x(rng.normal_array({256, d}, 0.0, 10.0));
        fmt::print(show.out, "{:>6} {:>22.4f} {:>18.4f} {:>16.4f}\n", d,
                   root_mean_square(plain_layer_norm(x, 1e-5f).values()),
                   root_mean_square(layer_norm_by_std(x).values()),
                   std::sqrt(1.0 - 1.0 / static_cast<double>(d)));
    }
    fmt::print(show.out,
               "\n  Rows of a small deviation, d = 768: size of the result, and of the gradient at x:\n\n");
    fmt::print(show.out, "{:>10} {:>12} {:>12} {:>20} {:>16}\n", "deviation", "formula", "std",
               "gradient, formula", "gradient, std");
    const Tensor x(rng.normal_array({64, 768})), upstream(rng.normal_array({64, 768}));
    const auto formula = [](const Tensor& t) { return plain_layer_norm(t, 1e-5f); };
    for (const float deviation : {1.0f, 1e-2f, 1e-3f, 1e-4f, 1e-5f, 1e-6f}) {
        const Tensor small = x * deviation;
        fmt::print(
            show.out, "{:>10.0e} {:>12.4f} {:>12.4f} {:>20.1e} {:>16.1e}\n", deviation,
            root_mean_square(formula(small).values()), root_mean_square(layer_norm_by_std(small).values()),
            gradient_through(formula, small, upstream), gradient_through(layer_norm_by_std, small, upstream));
    }
}

}  // namespace tfs

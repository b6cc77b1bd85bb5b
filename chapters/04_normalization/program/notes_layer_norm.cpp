// chapters/04_normalization/program/notes_layer_norm.cpp · the formula beside the code of the source notes: (x - mean) / (std + 1e-6), std over n - 1
#include "chapters/04_normalization/program/sections.hpp"

#include <fmt/ostream.h>

#include <cmath>
#include <functional>

#include "chapters/04_normalization/program/plain_layer_norm.hpp"

namespace tfs {

namespace {

// LayerNorm as the source notes write it: (x - mean) / (std + eps), and std divides by n - 1.
Tensor layer_norm_of_the_notes(const Tensor& x) {
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

void measure_notes(Show& show) {
    Rng rng(show.options.seed);
    fmt::print(show.out, "{:>6} | {:>22} {:>22} {:>20}\n", "d", "deviation, formula", "deviation, notes",
               "sqrt(1 - 1/d)");
    for (const std::size_t d : {4u, 20u, 768u}) {
        const Tensor x(rng.normal_array({256, d}, 0.0, 10.0));
        fmt::print(show.out, "{:>6} | {:>22.4f} {:>22.4f} {:>20.4f}\n", d,
                   root_mean_square(plain_layer_norm(x, 1e-5f).values()),
                   root_mean_square(layer_norm_of_the_notes(x).values()),
                   std::sqrt(1.0 - 1.0 / static_cast<double>(d)));
    }
    fmt::print(
        show.out,
        "\n  The same at d = 768, for rows of a small deviation, and the gradient that arrives at x:\n\n");
    fmt::print(show.out, "{:>10} | {:>10} {:>10} {:>10} | {:>18} {:>18}\n", "deviation", "eps 1e-5",
               "eps 1e-6", "notes", "gradient, eps 1e-5", "gradient, notes");
    const Tensor x(rng.normal_array({64, 768})), upstream(rng.normal_array({64, 768}));
    const auto formula = [](float eps) {
        return [eps](const Tensor& t) { return plain_layer_norm(t, eps); };
    };
    for (const float deviation : {1.0f, 1e-2f, 1e-3f, 1e-4f, 1e-5f, 1e-6f}) {
        const Tensor small = x * deviation;
        fmt::print(show.out, "{:>10.0e} | {:>10.4f} {:>10.4f} {:>10.4f} | {:>18.1e} {:>18.1e}\n", deviation,
                   root_mean_square(plain_layer_norm(small, 1e-5f).values()),
                   root_mean_square(plain_layer_norm(small, 1e-6f).values()),
                   root_mean_square(layer_norm_of_the_notes(small).values()),
                   gradient_through(formula(1e-5f), small, upstream),
                   gradient_through(layer_norm_of_the_notes, small, upstream));
    }
}

}  // namespace tfs

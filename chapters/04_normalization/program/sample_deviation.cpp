// chapters/04_normalization/program/sample_deviation.cpp · the formula beside (x - mean) / (std + 1e-6), where std divides by n - 1
#include <cmath>

#include "chapters/04_normalization/program/options.hpp"

namespace tfs {

namespace {

// LayerNorm as one often meets it: (x - mean) / (std + eps), where std divides by n - 1.
Tensor layer_norm_by_std(const Tensor& x) {
    const float n = static_cast<float>(x.size(-1));
    const Tensor std_of_a_sample = sqrt(variance(x, -1, KeepDims::yes) * (n / (n - 1.0f)));
    return (x - mean(x, -1, KeepDims::yes)) / (std_of_a_sample + 1e-6f);
}

// The root mean square of the gradient at x, for this gradient at norm(x).
double gradient_through(const Normalise& norm, const Tensor& x, const Tensor& upstream) {
    const Tensor input(x.array(), true);
    sum(norm(input) * upstream).backward();
    return root_mean_square({input.grad().data(), input.size()});
}

Report show_sample_deviation(const Request& request) {
    Rng rng(request[options::seed]);
    Table by_width{.columns = {{"d", whole()},
                               {"deviation, formula", fixed(4)},
                               {"deviation, std", fixed(4)},
                               {"sqrt(1 - 1/d)", fixed(4)}}};
    for (const std::size_t d : {4u, 20u, 768u}) {
        const Tensor x(rng.normal_array({256, d}, 0.0, 10.0));
        by_width.add({d, root_mean_square(plain_layer_norm(x).values()),
                      root_mean_square(layer_norm_by_std(x).values()),
                      std::sqrt(1.0 - 1.0 / static_cast<double>(d))});
    }
    Table small_rows{
        .title = "Rows of a small deviation, d = 768: size of the result, and of the gradient at x:",
        .columns = {{"deviation", scientific(0)},
                    {"formula", fixed(4)},
                    {"std", fixed(4)},
                    {"gradient, formula", scientific(1)},
                    {"gradient, std", scientific(1)}}};
    const Tensor x(rng.normal_array({64, 768})), upstream(rng.normal_array({64, 768}));
    const auto formula = [](const Tensor& t) { return plain_layer_norm(t); };
    for (const float deviation : {1.0f, 1e-2f, 1e-3f, 1e-4f, 1e-5f, 1e-6f}) {
        const Tensor small = x * deviation;
        small_rows.add({deviation, root_mean_square(formula(small).values()),
                        root_mean_square(layer_norm_by_std(small).values()),
                        gradient_through(formula, small, upstream),
                        gradient_through(layer_norm_by_std, small, upstream)});
    }
    Report report;
    report.add(by_width);
    report.add(small_rows);
    return report;
}

}  // namespace

Sections sample_deviation_sections() {
    return {{"where-eps-is-added",
             "std + eps is not sqrt(variance + eps)",
             show_sample_deviation,
             {options::seed},
             Level::deeper}};
}

}  // namespace tfs

// chapters/06_residual_dropout/program/coin_statistics.cpp · mean and variance of dropout over many coins, and the moments of any values
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "chapters/06_residual_dropout/program/options.hpp"

namespace tfs {

namespace {

Report show_mean_and_variance(const Request& request) {
    constexpr std::size_t count = 1000000;
    const Tensor x = Tensor::full({count}, 2.0f);
    const NoGrad no_grad;
    Rng rng(request[options::seed]);
    Table table{.columns = {{"p", fixed(1)},
                            {"mean", fixed(3)},
                            {"mean without factor", fixed(3)},
                            {"variance", fixed(3)},
                            {"x^2 p / (1-p)", fixed(3)}}};
    for (const double p : {0.1, 0.2, 0.5, 0.9}) {
        const Tensor y = dropout(x, p, &rng);
        const Moments m = moments(y.values());
        table.add({p, m.mean, m.mean * (1.0 - p), m.deviation * m.deviation, 4.0 * p / (1.0 - p)});
    }
    Report report;
    report.note(fmt::format("x = 2, {} coins for each p.", count));
    report.add(table);
    return report;
}

}  // namespace

Moments moments(std::span<const float> values) {
    const double n = static_cast<double>(values.size());
    double total = 0.0, squares = 0.0;
    for (const float value : values) total += static_cast<double>(value) / n;
    for (const float value : values) squares += std::pow(static_cast<double>(value) - total, 2.0) / n;
    const auto [low, high] = std::minmax_element(values.begin(), values.end());
    return {total, std::sqrt(squares), *low, *high};
}

Section mean_and_variance() {
    return {.id = "mean",
            .title = "Dropout keeps the mean",
            .options = {options::seed},
            .run = show_mean_and_variance};
}

}  // namespace tfs

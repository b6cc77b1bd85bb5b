// chapters/06_residual_dropout/program/coin_statistics.cpp · mean and variance of dropout over many coins, and the moments of any values
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <numeric>

#include "chapters/06_residual_dropout/program/options.hpp"

namespace tfs {

namespace {

Report show_mean_and_variance(const Request& request) {
    constexpr std::size_t count = 1000000;
    const Tensor x = Tensor::full({count}, 2.0f);
    const NoGrad no_grad;
    Rng rng(request[options::seed]);
    Table table{.columns = {{"p", fixed(1)},
                            {"mean in training", fixed(3)},
                            {"in evaluation", fixed(3)},
                            {"variance in training", fixed(3)},
                            {"equal in two calls, %", fixed(1)}}};
    for (const double p : {0.1, 0.2, 0.5, 0.9}) {
        const Tensor y = dropout(x, p, &rng), again = dropout(x, p, &rng);
        const Moments m = moments(y.values());
        const auto equal =
            std::inner_product(y.values().begin(), y.values().end(), again.values().begin(), 0.0,
                               std::plus<>(), [](float a, float b) { return a == b ? 1.0 : 0.0; });
        table.add({p, m.mean, mean(dropout(x, p, nullptr)).item(), m.deviation * m.deviation,
                   100.0 * equal / static_cast<double>(count)});
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

Sections coin_statistics_sections() {
    return {{"mean", "Dropout keeps the mean", show_mean_and_variance, {options::seed}}};
}

}  // namespace tfs

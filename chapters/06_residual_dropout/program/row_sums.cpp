// chapters/06_residual_dropout/program/row_sums.cpp · the rows of attention weights after dropout
#include "chapters/06_residual_dropout/program/sections.hpp"

#include <fmt/ostream.h>

#include <cmath>

#include "chapters/06_residual_dropout/program/moments.hpp"
#include "chapters/06_residual_dropout/residual_dropout.hpp"

namespace tfs {

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

void measure_row_sums(Show& show, const Tensor& x) {
    const NoGrad no_grad;
    Rng rng(show.options.seed);
    const MultiHeadAttention attention(x.size(-1), show.options.heads, rng);
    const Tensor weights = attention(x, x, x).weights;
    const double square_sum = mean(sum(weights * weights, -1)).item();  // of a row, on average over the rows
    constexpr std::size_t calls = 200;
    fmt::print(show.out, "  sums of {} rows, each with {} masks; sum_j w_j^2 is {:.3f} on average.\n",
               weights.size() / weights.size(-1), calls, square_sum);
    fmt::print(show.out, "{:>6} | {:>9} {:>11} {:>34} | {:>9} {:>9}\n", "p", "mean", "deviation",
               "formula sqrt(p/(1-p) sum_j w_j^2)", "smallest", "largest");
    for (const double p : {0.0, 0.1, 0.2, 0.5}) {
        std::vector<float> sums;
        for (std::size_t call = 0; call < calls; ++call) {
            const Tensor rows =
                sum(attention_with_dropout(attention, x, x, x, std::nullopt, p, &rng).weights, -1);
            sums.insert(sums.end(), rows.values().begin(), rows.values().end());
        }
        const Moments m = moments(sums);
        fmt::print(show.out, "{:>6.1f} | {:>9.3f} {:>11.3f} {:>34.3f} | {:>9.2f} {:>9.2f}\n", p, m.mean,
                   m.deviation, std::sqrt(p / (1.0 - p) * square_sum), m.smallest, m.largest);
    }
    print_renormalised(show.out, rng);
}

}  // namespace tfs

// chapters/06_residual_dropout/program/row_sums.cpp · the rows of attention weights after dropout
#include <fmt/format.h>

#include <cmath>

#include "chapters/06_residual_dropout/program/options.hpp"

namespace tfs {

namespace {

// The mean over many masks of one row of weights: dropped, and divided by its sum again after that.
Table renormalised(Rng& rng) {
    constexpr std::size_t masks = 100000;
    const Tensor row = Tensor::from({1, 4}, {0.7f, 0.1f, 0.1f, 0.1f});
    const Tensor dropped = dropout(row + Tensor::zeros({masks, 4}), 0.5, &rng);
    const Tensor divided = dropped / maximum(sum(dropped, -1, KeepDims::yes), 1e-30f);  // a row may be all 0
    Table table{.title = fmt::format("one row, p = 0.5, mean of {} masks:", masks),
                .columns = {{""}, {"", fixed(3)}, {"", fixed(3)}, {"", fixed(3)}, {"", fixed(3)}}};
    const auto add = [&](const std::string& name, const Tensor& weights) {
        const Tensor average = mean(weights, 0);
        table.add({name, average.at({0}), average.at({1}), average.at({2}), average.at({3})});
    };
    add("weights", row);
    add("dropped", dropped);
    add("and divided by the sum", divided);
    return table;
}

Report show_row_sums(const Request& request) {
    const NoGrad no_grad;
    const Tensor x = embed_sentence(request).x;
    Rng rng(request[options::seed]);
    const MultiHeadAttention attention(x.size(-1), request[options::heads], rng);
    const Tensor weights = attention(x, x, x).weights;
    const double square_sum = mean(sum(weights * weights, -1)).item();  // of a row, on average over the rows
    constexpr std::size_t calls = 200;
    Table table{.columns = {{"p", fixed(1)},
                            {"mean", fixed(3)},
                            {"deviation", fixed(3)},
                            {"formula sqrt(p/(1-p) sum_j w_j^2)", fixed(3)},
                            {"smallest", fixed(2)},
                            {"largest", fixed(2)}}};
    for (const double p : {0.0, 0.1, 0.2, 0.5}) {
        std::vector<float> sums;
        for (std::size_t call = 0; call < calls; ++call) {
            const Tensor rows =
                sum(attention_with_dropout(attention, x, x, x, std::nullopt, p, &rng).weights, -1);
            sums.insert(sums.end(), rows.values().begin(), rows.values().end());
        }
        const Moments m = moments(sums);
        table.add({p, m.mean, m.deviation, std::sqrt(p / (1.0 - p) * square_sum), m.smallest, m.largest});
    }
    Report report;
    report.note(fmt::format("sums of {} rows, each with {} masks; sum_j w_j^2 is {:.3f} on average.",
                            weights.size() / weights.size(-1), calls, square_sum));
    report.add(table);
    report.add(renormalised(rng));
    return report;
}

}  // namespace

Sections row_sums_sections() {
    return {{"row-sums",
             "The rows of the weights sum to 1 only on average",
             show_row_sums,
             {options::text, options::heads, options::d_model, options::seed},
             Level::deeper}};
}

}  // namespace tfs

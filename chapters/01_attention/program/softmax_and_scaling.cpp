// chapters/01_attention/program/softmax_and_scaling.cpp · softmax of a few rows, to measure a faulty one; why scores are scaled by 1/sqrt(d_k)
#include <fmt/format.h>

#include <cmath>

#include "chapters/01_attention/program/options.hpp"

namespace tfs {

namespace {

// "0.67 0.24 0.09, 0.33 0.33 0.33": the numbers of each row.
std::string row_after_row(const Tensor& x) {
    std::string words;
    for (std::size_t i = 0; i < x.size(); ++i) {
        const float number = x.values()[i];
        if (i > 0) words += i % x.size(-1) == 0 ? ", " : " ";
        words += std::isnan(number) ? "NaN" : fmt::format("{:.2f}", number);
    }
    return words;
}

// The weights of each row, or the sentence of an error.
std::string softmax_or_error(const Tensor& x) {
    try {
        return row_after_row(softmax(x));
    } catch (const ShapeError& error) {
        return error.what();
    }
}

// Only the differences in a row count: all first rows must get the same weights.
Report show_softmax(const Request&) {
    Table table{.columns = {{"x"}, {"softmax(x), row by row"}}};
    for (const auto& [name, x] : {std::pair<std::string, Tensor>{"2 1 0", Tensor::from({1, 3}, {2, 1, 0})},
                                  {"2 1 0, 0 0 0", Tensor::from({2, 3}, {2, 1, 0, 0, 0, 0})},
                                  {"2 1 0, 0 0 0, 1 1 1", Tensor::from({3, 3}, {2, 1, 0, 0, 0, 0, 1, 1, 1})},
                                  {"82 81 80", Tensor::from({1, 3}, {82, 81, 80})},
                                  {"92 91 90", Tensor::from({1, 3}, {92, 91, 90})},
                                  {"-110 -111 -112", Tensor::from({1, 3}, {-110, -111, -112})}})
        table.add({name, softmax_or_error(x)});
    return Report(table);
}

// A fixed random gradient goes back through the softmax: the median norm, over the rows, of what arrives. (The mean
// would be decided by the few rows that still hesitate between two keys.)
double typical_gradient(const Tensor& softmax_input, const Tensor& upstream) {
    const Tensor input(softmax_input.array(), true);
    sum(softmax(input) * upstream).backward();
    const std::size_t keys = input.size(-1);
    std::vector<double> norms(input.size() / keys, 0.0);
    for (std::size_t i = 0; i < input.size(); ++i) norms[i / keys] += std::pow(input.grad().data()[i], 2.0);
    for (double& norm : norms) norm = std::sqrt(norm);
    return quartiles(norms).median;
}

struct Scaling {
    double d_k;
    double variance[2], entropy[2], gradient[2];  // unscaled, scaled
};

Scaling scaling_at(std::size_t d_k, std::size_t positions, const Tensor& upstream, Rng& rng) {
    const Tensor q(rng.normal_array({positions, d_k})), k(rng.normal_array({positions, d_k}));
    const Tensor scores = matmul(q, k, Transpose::b);
    const Tensor scaled = scores / std::sqrt(static_cast<float>(d_k));
    return {static_cast<double>(d_k),
            {variance(reshape(scores, {scores.size()}), 0).item(),
             variance(reshape(scaled, {scaled.size()}), 0).item()},
            {mean_entropy(softmax(scores)), mean_entropy(softmax(scaled))},
            {typical_gradient(scores, upstream), typical_gradient(scaled, upstream)}};
}

Report show_scaling(const Request& request) {
    constexpr std::size_t positions = 128;
    Report report;
    report.note(fmt::format(
        "{0} queries and {0} keys of independent N(0, 1) entries. The largest entropy is ln {0} = "
        "{1:.2f}.\nA "
        "random gradient goes back through the softmax: the median norm, over the rows, of what arrives.",
        positions, std::log(positions)));
    Table table{.columns = {{"d_k", whole()},
                            {"variance of scores", fixed(1)},
                            {"entropy, unscaled", fixed(3)},
                            {"gradient, unscaled", fixed(4)},
                            {"gradient, scaled", fixed(4)}}};
    Series scaled_variance{"divided", {}, {}, Hue::with}, scaled_keys = scaled_variance;
    Rng rng(request[options::seed]);
    const Tensor upstream(rng.normal_array({positions, positions}));
    for (const std::size_t d_k : {1u, 4u, 16u, 64u, 256u, 1024u}) {
        const Scaling row = scaling_at(d_k, positions, upstream, rng);
        table.add({d_k, row.variance[0], row.entropy[0], row.gradient[0], row.gradient[1]});
        scaled_variance.add(row.d_k, row.variance[1]);
        scaled_keys.add(row.d_k, std::exp(row.entropy[1]));
    }
    report.add(table);
    const auto unscaled = [&](const std::string& column) {
        Series curve = series(table, "d_k", column, "not divided");
        curve.hue = Hue::without;
        return curve;
    };
    Series unscaled_keys = unscaled("entropy, unscaled");
    for (double& keys : unscaled_keys.y) keys = std::exp(keys);
    report.add(LineFigure{
        .name = "scaling",
        .title = "Without the division by √d_k large scores leave the weight to one or two keys",
        .panels = {{"variance of the scores",
                    "d_k",
                    "variance",
                    true,
                    true,
                    {unscaled("variance of scores"), scaled_variance}},
                   {fmt::format("how many of {} keys share the weight", positions),
                    "d_k",
                    "keys",
                    true,
                    true,
                    {unscaled_keys, scaled_keys}}},
        .caption = "Random queries and 128 random keys. Divided by √d_k, the scores have the same size at "
                   "every d_k, and many keys share the weight. Below: e to the power of the weights' "
                   "entropy, roughly the number of keys that share it. All axes are logarithmic."});
    return report;
}

}  // namespace

Sections softmax_and_scaling_sections() {
    return {{"softmax", "Softmax of a few rows", show_softmax, {}, Level::deeper},
            {"scaling", "The division by sqrt(d_k), measured", show_scaling, {options::seed}, Level::deeper}};
}

}  // namespace tfs

// chapters/01_attention/program/score_scaling.cpp · why the scores are scaled by 1/sqrt(d_k), measured
#include "chapters/01_attention/program/sections.hpp"

#include <fmt/ostream.h>

#include <algorithm>
#include <cmath>

#include "chapters/01_attention/attention.hpp"

namespace tfs {

namespace {

// A fixed random gradient goes back through the softmax: the median norm, over the rows, of what arrives. (The mean
// would be decided by the few rows that still hesitate between two keys.)
double typical_gradient(const Tensor& softmax_input, const Tensor& upstream) {
    const Tensor input(softmax_input.array(), true);
    sum(softmax(input) * upstream).backward();
    const std::size_t keys = input.size(-1);
    std::vector<double> norms(input.size() / keys, 0.0);
    for (std::size_t i = 0; i < input.size(); ++i) norms[i / keys] += std::pow(input.grad().data()[i], 2.0);
    std::nth_element(norms.begin(), norms.begin() + static_cast<std::ptrdiff_t>(norms.size() / 2),
                     norms.end());
    return std::sqrt(norms[norms.size() / 2]);
}

struct Scaling {
    double d_k, variance;
    double entropy[2], gradient[2];  // unscaled, scaled
};

Scaling scaling_at(std::size_t d_k, std::size_t positions, const Tensor& upstream, Rng& rng) {
    const Tensor q(rng.normal_array({positions, d_k})), k(rng.normal_array({positions, d_k}));
    const Tensor scores = matmul(q, k, Transpose::b);
    const Tensor scaled = scores / std::sqrt(static_cast<float>(d_k));
    return {static_cast<double>(d_k),
            variance(reshape(scores, {scores.size()}), 0).item(),
            {mean_entropy(softmax(scores)), mean_entropy(softmax(scaled))},
            {typical_gradient(scores, upstream), typical_gradient(scaled, upstream)}};
}

}  // namespace

LineFigure measure_scaling(Show& show) {
    constexpr std::size_t positions = 128;
    std::ostream& out = show.out;
    fmt::print(
        out,
        "  {0} queries and {0} keys of independent N(0, 1) entries. The largest entropy is ln {0} = "
        "{1:.2f}.\n  A random gradient goes back through the softmax: the median norm, over the rows, of "
        "what arrives.\n",
        positions, std::log(positions));
    fmt::print(out, "\n{:>6} {:>19} {:>19} {:>21} {:>19}\n", "d_k", "variance of scores", "entropy, unscaled",
               "gradient, unscaled", "gradient, scaled");
    Series variances{"unscaled", {}, {}};
    Series entropy[2]{{"unscaled", {}, {}}, {"scaled by 1/sqrt(d_k)", {}, {}}},
        gradient[2]{entropy[0], entropy[1]};
    Rng rng(show.options.seed);
    const Tensor upstream(rng.normal_array({positions, positions}));
    for (const std::size_t d_k : {1u, 4u, 16u, 64u, 256u, 1024u}) {
        const Scaling row = scaling_at(d_k, positions, upstream, rng);
        fmt::print(out, "{:>6} {:>19.1f} {:>19.3f} {:>21.4f} {:>19.4f}\n", d_k, row.variance, row.entropy[0],
                   row.gradient[0], row.gradient[1]);
        variances.add(row.d_k, row.variance);
        for (std::size_t i = 0; i < 2; ++i) {
            entropy[i].add(row.d_k, row.entropy[i]);
            gradient[i].add(row.d_k, row.gradient[i]);
        }
    }
    return {
        .name = "scaling",
        .title = "Why the scores are scaled: 128 keys, entries N(0, 1)",
        .panels = {{"variance of q·k", "d_k", "variance", true, true, {variances}},
                   {"entropy of the weights",
                    "d_k",
                    "nats (at most ln 128 = 4.85)",
                    true,
                    false,
                    {entropy[0], entropy[1]}},
                   {"gradient through softmax",
                    "d_k",
                    "norm of a row, median",
                    true,
                    true,
                    {gradient[0], gradient[1]}}},
        .panels_per_row = 3,
        .caption =
            "Without scaling, the variance of the scores grows with d_k and fewer keys share the weight (low "
            "entropy). The gradient first grows and vanishes only at large d_k. With scaling, entropy and "
            "gradient stay about the same at every d_k. The axis of the entropy is linear, the others are "
            "logarithmic."};
}

}  // namespace tfs

// chapters/01_attention/program/claims.cpp · what the lesson claims, measured
#include "chapters/01_attention/program/claims.hpp"

#include <fmt/ostream.h>

#include <algorithm>
#include <cmath>

#include "chapters/01_attention/attention.hpp"

namespace tfs {

namespace {

// What softmax lets through of a fixed random gradient at its output: the median, over the rows, of the norm of the
// gradient at its input. (The mean would be that of the few rows that still hesitate between two keys.)
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

LineFigure measure_scaling(std::ostream& out, std::uint64_t seed) {
    constexpr std::size_t positions = 128;
    fmt::print(out,
               "  {0} queries and {0} keys of independent N(0, 1) entries. The largest entropy is ln {0} = "
               "{1:.2f}.\n",
               positions, std::log(positions));
    fmt::print(out, "\n{:>6} {:>12} | {:>18} {:>10} | {:>18} {:>10}\n", "d_k", "var(q.k)",
               "entropy, unscaled", "scaled", "gradient, unscaled", "scaled");
    Series variances{"measured", {}, {}};
    Series entropy[2]{{"unscaled", {}, {}}, {"scaled by 1/sqrt(d_k)", {}, {}}},
        gradient[2]{entropy[0], entropy[1]};
    Rng rng(seed);
    const Tensor upstream(rng.normal_array({positions, positions}));
    const auto add = [](Series& series, double x, double y) {
        series.x.push_back(x);
        series.y.push_back(y);
    };
    for (const std::size_t d_k : {1u, 4u, 16u, 64u, 256u, 1024u}) {
        const Scaling row = scaling_at(d_k, positions, upstream, rng);
        fmt::print(out, "{:>6} {:>12.1f} | {:>18.3f} {:>10.3f} | {:>18.4f} {:>10.4f}\n", d_k, row.variance,
                   row.entropy[0], row.entropy[1], row.gradient[0], row.gradient[1]);
        add(variances, row.d_k, row.variance);
        for (std::size_t i = 0; i < 2; ++i) {
            add(entropy[i], row.d_k, row.entropy[i]);
            add(gradient[i], row.d_k, row.gradient[i]);
        }
    }
    return {.name = "scaling",
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
            .panels_per_row = 3};
}

LineFigure measure_cost(std::ostream& out, std::uint64_t seed) {
    constexpr std::size_t heads = 4, d_k = 64;
    fmt::print(out, "{:>6} {:>12} {:>14}\n", "T", "time, ms", "weights, KiB");
    Series time{"measured", {}, {}}, square{"proportional to T²", {}, {}}, memory{"4 bytes each", {}, {}};
    Rng rng(seed);
    const NoGrad no_grad;
    for (std::size_t length = 64; length <= 2048; length *= 2) {
        const auto draw = [&] { return Tensor(rng.normal_array({1, heads, length, d_k})); };
        const Tensor q = draw(), k = draw(), v = draw();
        time.x.push_back(static_cast<double>(length));
        time.y.push_back(1000.0 * best_seconds([&] { (void)scaled_dot_product_attention(q, k, v); }));
        const Tensor weights = scaled_dot_product_attention(q, k, v).weights;
        memory.y.push_back(static_cast<double>(weights.size() * sizeof(float)) / 1024.0);
        fmt::print(out, "{:>6} {:>12.3f} {:>14.0f}\n", length, time.y.back(), memory.y.back());
    }
    memory.x = square.x = time.x;
    for (const double t : time.x) {  // through the last measured point
        square.y.push_back(time.y.back() * std::pow(t / time.x.back(), 2.0));
    }
    if (time.y.back() < 2.5 * time.y[time.y.size() - 2]) {
        out << "  Doubling T costs less than 2.5 times as much here: the machine is busy, these times say "
               "little.\n";
    }
    return {.name = "cost",
            .title = "The cost of attention: 4 heads, d_k = 64",
            .panels = {{"time", "sequence length T", "ms", true, true, {time, square}},
                       {"size of the weights", "sequence length T", "KiB", true, true, {memory}}}};
}

}  // namespace tfs

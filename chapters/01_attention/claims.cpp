// chapters/01_attention/claims.cpp · what the lesson claims, measured
#include "chapters/01_attention/claims.hpp"

#include <fmt/ostream.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <iostream>

#include "chapters/01_attention/attention.hpp"

namespace tfs {

namespace {

// The mean over rows of -sum p ln p.
double mean_entropy(const Tensor& weights) {
    double total = 0.0;
    for (const float p : weights.values()) total -= p > 0.0f ? p * std::log(static_cast<double>(p)) : 0.0;
    return total / static_cast<double>(weights.size() / weights.size(-1));
}

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

}  // namespace

LineFigure measure_scaling(Trace& trace, std::uint64_t seed) {
    constexpr std::size_t positions = 128;
    trace.heading("Claim: without 1/sqrt(d_k) the softmax saturates");
    trace.note(fmt::format(
        "{} queries and keys of independent N(0, 1) entries; ln {} = {:.2f} is the largest entropy.",
        positions, positions, std::log(positions)));
    fmt::print(std::cout, "\n{:>6} {:>12} | {:>18} {:>10} | {:>18} {:>10}\n", "d_k", "var(q.k)",
               "entropy, unscaled", "scaled", "gradient, unscaled", "scaled");
    Series entropy[2]{{"unscaled", {}, {}}, {"x 1/sqrt(d_k)", {}, {}}}, gradient[2]{entropy[0], entropy[1]};
    Series variances{"measured", {}, {}}, ideal{"d_k", {}, {}};
    Rng rng(seed);
    const Tensor upstream(rng.normal_array({positions, positions}));
    for (const std::size_t d_k : {1u, 4u, 16u, 64u, 256u, 1024u}) {
        const Tensor q(rng.normal_array({positions, d_k})), k(rng.normal_array({positions, d_k}));
        const Tensor scores = matmul(q, k, Transpose::b);
        const double spread = variance(reshape(scores, {scores.size()}), 0).item();
        const Tensor inputs[2]{scores, scores / std::sqrt(static_cast<float>(d_k))};
        for (std::size_t i = 0; i < 2; ++i) {
            entropy[i].x.push_back(static_cast<double>(d_k));
            entropy[i].y.push_back(mean_entropy(softmax(inputs[i])));
            gradient[i].x.push_back(static_cast<double>(d_k));
            gradient[i].y.push_back(typical_gradient(inputs[i], upstream));
        }
        variances.x.push_back(static_cast<double>(d_k));
        variances.y.push_back(spread);
        ideal.x.push_back(static_cast<double>(d_k));
        ideal.y.push_back(static_cast<double>(d_k));
        fmt::print(std::cout, "{:>6} {:>12.1f} | {:>18.3f} {:>10.3f} | {:>18.4f} {:>10.4f}\n", d_k, spread,
                   entropy[0].y.back(), entropy[1].y.back(), gradient[0].y.back(), gradient[1].y.back());
    }
    return {
        .name = "scaling",
        .title = "Why the scores are scaled: 128 keys, entries N(0, 1)",
        .panels =
            {{"variance of q·k", "d_k", "variance", true, true, {variances, ideal}},
             {"entropy of the weights", "d_k", "nats (ln 128 = 4.85)", true, false, {entropy[0], entropy[1]}},
             {"gradient through softmax",
              "d_k",
              "norm of a row, median",
              true,
              true,
              {gradient[0], gradient[1]}}},
        .panels_per_row = 3};
}

LineFigure measure_cost(Trace& trace, std::uint64_t seed) {
    constexpr std::size_t heads = 4, d_k = 64;
    trace.heading("Claim: the cost is quadratic in the length (timings differ from run to run)");
    fmt::print(std::cout, "{:>6} {:>12} {:>14}\n", "T", "time, ms", "weights, KiB");
    Series time{"measured", {}, {}}, memory{"measured", {}, {}}, square{"proportional to T²", {}, {}},
        exact = square;
    Rng rng(seed);
    const NoGrad no_grad;
    for (std::size_t length = 64; length <= 2048; length *= 2) {
        const auto draw = [&] { return Tensor(rng.normal_array({1, heads, length, d_k})); };
        const Tensor q = draw(), k = draw(), v = draw();
        double best = 1e9, bytes = 0.0;
        for (int repeat = 0; repeat < 5; ++repeat) {
            const auto start = std::chrono::steady_clock::now();
            const AttentionOutput result = scaled_dot_product_attention(q, k, v);
            const std::chrono::duration<double, std::milli> elapsed =
                std::chrono::steady_clock::now() - start;
            best = std::min(best, elapsed.count());
            bytes = static_cast<double>(result.weights.size() * sizeof(float));
        }
        const double t = static_cast<double>(length);
        for (Series* series : {&time, &memory, &square, &exact}) series->x.push_back(t);
        time.y.push_back(best);
        memory.y.push_back(bytes / 1024.0);
        fmt::print(std::cout, "{:>6} {:>12.3f} {:>14.0f}\n", length, best, bytes / 1024.0);
    }
    for (const double t : square.x) {  // through the last measured point
        square.y.push_back(time.y.back() * std::pow(t / square.x.back(), 2.0));
        exact.y.push_back(memory.y.back() * std::pow(t / exact.x.back(), 2.0));
    }
    return {.name = "cost",
            .title = "The cost of attention: 4 heads, d_k = 64",
            .panels = {{"time", "sequence length T", "ms", true, true, {time, square}},
                       {"memory of the weights", "sequence length T", "KiB", true, true, {memory, exact}}}};
}

}  // namespace tfs

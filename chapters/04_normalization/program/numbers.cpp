// chapters/04_normalization/program/numbers.cpp · cost, the code of the notes, invariances, bfloat16, measured
#include <fmt/ostream.h>

#include <array>
#include <cmath>
#include <functional>
#include <utility>

#include "chapters/04_normalization/normalization.hpp"
#include "chapters/04_normalization/program/claims.hpp"

namespace tfs {

namespace {

Tensor plain_layer_norm(const Tensor& x, float eps) {
    return layer_norm(x, Tensor::ones({x.size(-1)}), Tensor::zeros({x.size(-1)}), eps);
}

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

// Sum over the last axis, one entry after the other, rounded after each addition.
Tensor sum_in_bfloat16(const Tensor& x) {
    Tensor total = Tensor::zeros({x.size(0), 1});
    for (std::size_t j = 0; j < x.size(-1); ++j) total = round_to_bfloat16(total + slice(x, -1, j, j + 1));
    return total;
}

enum class Accumulate { in_float32, in_bfloat16 };

// layer_norm with every intermediate result rounded; the sums as `how` says.
Tensor rounded_layer_norm(const Tensor& x, Accumulate how) {
    const auto mean_over = [how](const Tensor& t) {
        const Tensor total = how == Accumulate::in_float32 ? sum(t, -1, KeepDims::yes) : sum_in_bfloat16(t);
        return round_to_bfloat16(total / static_cast<float>(t.size(-1)));
    };
    const Tensor centred = round_to_bfloat16(x - mean_over(x));
    const Tensor spread = mean_over(round_to_bfloat16(centred * centred));
    const Tensor deviation = round_to_bfloat16(sqrt(round_to_bfloat16(spread + 1e-5f)));
    return round_to_bfloat16(centred / deviation);
}

// The formula in double.
Tensor exact_layer_norm(const Tensor& x) {
    const std::size_t size = x.size(-1);
    Array y = Array::from_shape(x.shape());
    for (std::size_t row = 0; row < x.size() / size; ++row) {
        const float* in = x.values().data() + row * size;
        double mean = 0.0, variance = 0.0;
        for (std::size_t i = 0; i < size; ++i) mean += in[i] / static_cast<double>(size);
        for (std::size_t i = 0; i < size; ++i)
            variance += std::pow(in[i] - mean, 2.0) / static_cast<double>(size);
        for (std::size_t i = 0; i < size; ++i)
            y.data()[row * size + i] = static_cast<float>((in[i] - mean) / std::sqrt(variance + 1e-5));
    }
    return Tensor(std::move(y));
}

// LayerNorm of x in four precisions, each row from wider to narrower.
std::array<Tensor, 4> in_each_precision(const Tensor& x) {
    const Tensor rounded = round_to_bfloat16(x);
    return {plain_layer_norm(x, 1e-5f), plain_layer_norm(rounded, 1e-5f),
            rounded_layer_norm(rounded, Accumulate::in_float32),
            rounded_layer_norm(rounded, Accumulate::in_bfloat16)};
}

LineFigure precision_figure(std::vector<Series> series) {
    return {
        .name = "precision",
        .title = "LayerNorm in bfloat16 against mean / deviation",
        .panels = {{"d = 768; the result itself has a root mean square of 1", "mean / deviation of the row",
                    "error, root mean square", true, true, std::move(series)}},
        .panels_per_row = 1};
}

}  // namespace

void measure_cost(std::ostream& out, std::uint64_t seed) {
    constexpr std::size_t tokens = 1024, d_model = 768;
    Rng rng(seed);
    const Tensor x(rng.normal_array({tokens, d_model}));
    const LayerNorm layer(d_model);
    const RMSNorm root(d_model);
    const NoGrad no_grad;
    fmt::print(out, "{:>12} {:>24} {:>24}\n", "", "parameters at d = 768", "time of 1024 tokens, us");
    fmt::print(out, "{:>12} {:>24} {:>24.0f}\n", "a copy of x", 0,
               1e6 * best_seconds([&] { (void)Tensor(x.array()); }));
    fmt::print(out, "{:>12} {:>24} {:>24.0f}\n", "LayerNorm", count_parameters(layer.parameters()),
               1e6 * best_seconds([&] { (void)layer(x); }));
    fmt::print(out, "{:>12} {:>24} {:>24.0f}\n", "RMSNorm", count_parameters(root.parameters()),
               1e6 * best_seconds([&] { (void)root(x); }));
}

void measure_notes(std::ostream& out, std::uint64_t seed) {
    Rng rng(seed);
    fmt::print(out, "{:>6} | {:>22} {:>22} {:>20}\n", "d", "deviation, formula", "deviation, notes",
               "sqrt(1 - 1/d)");
    for (const std::size_t d : {4u, 20u, 768u}) {
        const Tensor x(rng.normal_array({256, d}, 0.0, 10.0));
        fmt::print(out, "{:>6} | {:>22.4f} {:>22.4f} {:>20.4f}\n", d,
                   root_mean_square(plain_layer_norm(x, 1e-5f).values()),
                   root_mean_square(layer_norm_of_the_notes(x).values()),
                   std::sqrt(1.0 - 1.0 / static_cast<double>(d)));
    }
    fmt::print(
        out,
        "\n  The same at d = 768, for rows of a small deviation, and the gradient that arrives at x:\n\n");
    fmt::print(out, "{:>10} | {:>10} {:>10} {:>10} | {:>18} {:>18}\n", "deviation", "eps 1e-5", "eps 1e-6",
               "notes", "gradient, eps 1e-5", "gradient, notes");
    const Tensor x(rng.normal_array({64, 768})), upstream(rng.normal_array({64, 768}));
    const auto formula = [](float eps) {
        return [eps](const Tensor& t) { return plain_layer_norm(t, eps); };
    };
    for (const float deviation : {1.0f, 1e-2f, 1e-3f, 1e-4f, 1e-5f, 1e-6f}) {
        const Tensor small = x * deviation;
        fmt::print(out, "{:>10.0e} | {:>10.4f} {:>10.4f} {:>10.4f} | {:>18.1e} {:>18.1e}\n", deviation,
                   root_mean_square(plain_layer_norm(small, 1e-5f).values()),
                   root_mean_square(plain_layer_norm(small, 1e-6f).values()),
                   root_mean_square(layer_norm_of_the_notes(small).values()),
                   gradient_through(formula(1e-5f), small, upstream),
                   gradient_through(layer_norm_of_the_notes, small, upstream));
    }
}

void measure_invariance(std::ostream& out, std::uint64_t seed) {
    Rng rng(seed);
    const Tensor x(rng.normal_array({64, 768}, 0.5));
    const LayerNorm layer(768);
    const RMSNorm root(768);
    const auto verdict = [](const Tensor& a, const Tensor& b) {
        const double moved = largest_difference(a.array(), b.array());
        return moved < 1e-3 ? std::string("unchanged") : fmt::format("changes by {:.2f}", moved);
    };
    fmt::print(out, "{:>18} {:>20} {:>20}\n", "", "LayerNorm", "RMSNorm");
    fmt::print(out, "{:>18} {:>20} {:>20}\n", "3 x in place of x", verdict(layer(x * 3.0f), layer(x)),
               verdict(root(x * 3.0f), root(x)));
    fmt::print(out, "{:>18} {:>20} {:>20}\n", "x + 5", verdict(layer(x + 5.0f), layer(x)),
               verdict(root(x + 5.0f), root(x)));
    const Tensor centred = x - mean(x, -1, KeepDims::yes);
    fmt::print(out, "  RMSNorm of x - mean(x) against LayerNorm of x: {}\n",
               verdict(root(centred), layer(x)));
}

LineFigure measure_precision(std::ostream& out, std::uint64_t seed) {
    constexpr std::size_t rows = 32, d_model = 768;
    std::vector<Series> series{{"float32 throughout"},
                               {"input in bfloat16, float32 inside"},
                               {"every result in bfloat16, sums in float32"},
                               {"sums in bfloat16 too"}};
    Rng rng(seed);
    const Tensor noise(rng.normal_array({rows, d_model}));
    // Means around the ratio, because a mean of exactly 64 would be a bfloat16 by chance.
    const Tensor around_one(rng.uniform_array({rows, 1}, 0.8, 1.2));
    fmt::print(
        out,
        "  Rows of N(m, 1), m within 20 % of the ratio, d = {}. Error: root mean square, against double.\n\n",
        d_model);
    fmt::print(out, "{:>8} | {:>10} {:>20} {:>20} {:>20}\n", "ratio", "float32", "input in bfloat16",
               "results in bfloat16", "sums in bfloat16 too");
    for (const double ratio : {0.1, 1.0, 4.0, 16.0, 64.0, 256.0, 1024.0}) {
        const Tensor x = noise + around_one * static_cast<float>(ratio), exact = exact_layer_norm(x);
        const auto results = in_each_precision(x);
        for (std::size_t i = 0; i < results.size(); ++i)
            series[i].add(ratio, root_mean_square((results[i] - exact).values()));
        fmt::print(out, "{:>8} | {:>10.4f} {:>20.4f} {:>20.4f} {:>20.4f}\n", ratio, series[0].y.back(),
                   series[1].y.back(), series[2].y.back(), series[3].y.back());
    }
    return precision_figure(std::move(series));
}

}  // namespace tfs

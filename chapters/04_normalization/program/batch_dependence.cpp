// chapters/04_normalization/program/batch_dependence.cpp · BatchNorm: neighbours, padding and the size of the batch change a result
#include "chapters/04_normalization/program/sections.hpp"

#include <fmt/ostream.h>

#include <cmath>

#include "chapters/04_normalization/program/normalise.hpp"

namespace tfs {

namespace {

double rms_difference(const Tensor& a, const Tensor& b) { return root_mean_square((a - b).values()); }

// Without what was padded behind the first `length` tokens.
Tensor real_tokens(const Tensor& y, std::size_t length) { return slice(y, 1, 0, length); }

Tensor padded(const Tensor& x, std::size_t length) {
    if (length == x.size(1)) return x;
    return concat({x, Tensor::zeros({x.size(0), length - x.size(1), x.size(2)})}, 1);
}

}  // namespace

void measure_neighbours(Show& show, const Tensor& x) {
    const std::size_t seq = x.size(1), d_model = x.size(2);
    Rng rng(show.options.seed);
    const auto neighbours = [&](double mean, double deviation) {
        return Tensor(rng.normal_array({3, seq, d_model}, mean, deviation));
    };
    const Tensor quiet = concat({x, neighbours(0.0, 1.0)}, 0), loud = concat({x, neighbours(1.0, 4.0)}, 0);
    const LayerNorm layer(d_model);
    const Normalise batch = batch_norm(d_model, NormMode::training);
    const auto ours = [](const Tensor& y) { return slice(y, 0, 0, 1); };
    const auto moved = [&](const Normalise& norm) {
        return rms_difference(ours(norm(quiet)), ours(norm(loud)));
    };
    fmt::print(
        show.out,
        "  The sentence among 3 others, N(0, 1) or N(1, 16). Its result changes (root mean square) by\n");
    fmt::print(show.out, "{:>24}: {:.3f}\n{:>24}: {}\n\n", "BatchNorm, training", moved(batch), "LayerNorm",
               moved(layer) == 0.0 ? "0, to the last bit" : "NOT 0");

    fmt::print(show.out, "  Four sentences of {} token{}, padded with zeros. What is real changes by\n\n",
               seq, seq == 1 ? "" : "s");
    fmt::print(show.out, "{:>24} {:>22} {:>12}\n", "padding, % of all tokens", "BatchNorm, training",
               "LayerNorm");
    for (const std::size_t longer : {1u, 2u, 4u, 10u}) {
        const Tensor with = padded(quiet, longer * seq);
        const double share = 100.0 * (1.0 - 1.0 / static_cast<double>(longer));
        fmt::print(show.out, "{:>24.0f} {:>22.3f} {:>12.3f}\n", share,
                   rms_difference(real_tokens(batch(with), seq), batch(quiet)),
                   rms_difference(real_tokens(layer(with), seq), layer(quiet)));
    }
}

void measure_batch_size(Show& show) {
    constexpr std::size_t features = 64, batches = 100;
    Rng rng(show.options.seed);
    fmt::print(show.out, "  {} features of N(2, 9); {} batches in training, then one seen both ways.\n\n",
               features, batches);
    fmt::print(show.out, "{:>16} {:>30} {:>14}\n", "tokens in a batch", "training against evaluation",
               "1 / sqrt(n)");
    for (const std::size_t tokens : {1u, 2u, 4u, 16u, 64u, 256u, 1024u}) {
        BatchNorm norm(features);
        const auto draw = [&] { return Tensor(rng.normal_array({tokens, features}, 2.0, 3.0)); };
        try {
            for (std::size_t i = 0; i < batches; ++i) (void)norm(draw(), NormMode::training);
        } catch (const ValueError&) {
            fmt::print(show.out, "{:>16} {:>30}\n", tokens, "refused: its variance is 0");
            continue;
        }
        const Tensor x = draw(), evaluated = norm(x, NormMode::evaluation);
        fmt::print(show.out, "{:>16} {:>30.3f} {:>14.3f}\n", tokens,
                   rms_difference(norm(x, NormMode::training), evaluated),
                   1.0 / std::sqrt(static_cast<double>(tokens)));
    }
}

}  // namespace tfs

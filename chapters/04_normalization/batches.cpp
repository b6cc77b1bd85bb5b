// chapters/04_normalization/batches.cpp · BatchNorm beside LayerNorm: who counts, neighbours, padding, small batches
#include <fmt/ostream.h>

#include <algorithm>
#include <cmath>

#include "chapters/04_normalization/claims.hpp"
#include "chapters/04_normalization/normalization.hpp"

namespace tfs {

namespace {

using Normalise = std::function<Tensor(const Tensor&)>;

Normalise batch_norm(std::size_t features, NormMode mode) {
    return [norm = BatchNorm(features), mode](const Tensor& x) mutable { return norm(x, mode); };
}

double rms_difference(const Tensor& a, const Tensor& b) {
    double squares = 0.0;
    for (std::size_t i = 0; i < a.size(); ++i) squares += std::pow(a.values()[i] - b.values()[i], 2.0);
    return std::sqrt(squares / static_cast<double>(a.size()));
}

// 1 at the cell itself, 0.5 at the others that its result depends on, 0 elsewhere.
Array who_counts(const Normalise& normalise, const Tensor& x, std::size_t cell) {
    const Tensor input(x.array(), true);
    Array pick = Array::from_shape(x.shape());
    for (std::size_t i = 0; i < pick.size(); ++i) pick.data()[i] = i == cell ? 1.0f : 0.0f;
    sum(normalise(input) * Tensor(std::move(pick))).backward();
    Array counts = Array::from_shape({x.size() / x.size(-1), x.size(-1)});
    for (std::size_t i = 0; i < counts.size(); ++i)
        counts.data()[i] = i == cell ? 1.0f : input.grad().data()[i] != 0.0f ? 0.5f : 0.0f;
    return counts;
}

std::vector<std::string> cell_labels(const char* what, std::size_t count) {
    std::vector<std::string> labels;
    for (std::size_t i = 0; i < count; ++i) labels.push_back(fmt::format("{}{}", what, i + 1));
    return labels;
}

// Without what was padded behind the first `length` tokens.
Tensor real_tokens(const Tensor& y, std::size_t length) { return slice(y, 1, 0, length); }

Tensor padded(const Tensor& x, std::size_t length) {
    if (length == x.size(1)) return x;
    return concat({x, Tensor::zeros({x.size(0), length - x.size(1), x.size(2)})}, 1);
}

}  // namespace

HeatMapFigure measure_who_counts(std::ostream& out, std::uint64_t seed) {
    constexpr std::size_t batch = 2, seq = 4, features = 6, cell = (1 * seq + 2) * features + 3;
    Rng rng(seed);
    const Tensor x(rng.normal_array({batch, seq, features}));
    std::vector<std::string> rows;
    for (const std::string& sentence : cell_labels("s", batch)) {
        for (const std::string& token : cell_labels(" t", seq)) rows.push_back(sentence + token);
    }
    const std::vector<std::pair<std::string, Normalise>> norms{
        {"BatchNorm, training", batch_norm(features, NormMode::training)},
        {"BatchNorm, evaluation", batch_norm(features, NormMode::evaluation)},
        {"LayerNorm", LayerNorm(features)},
        {"RMSNorm", RMSNorm(features)}};
    HeatMapFigure figure{
        .name = "who_counts",
        .title =
            "Which cells decide about sentence 2, token 3, feature 4: 1 = itself, crossed = no "
            "influence",
        .row_axis = "sentence and token",
        .column_axis = "feature",
        .panels_per_row = 2};
    fmt::print(
        out,
        "  {} sentences of {} tokens with {} features. One result depends on so many of the {} entries:\n",
        batch, seq, features, x.size());
    for (const auto& [name, normalise] : norms) {
        const Array counts = who_counts(normalise, x, cell);
        xt::xarray<bool> decides = xt::xarray<bool>::from_shape(counts.shape());
        for (std::size_t i = 0; i < counts.size(); ++i) decides.data()[i] = counts.data()[i] > 0.0f;
        const auto found = std::count(decides.begin(), decides.end(), true);
        fmt::print(out, "{:>24}: {}\n", name, found);
        figure.panels.push_back({.title = name,
                                 .values = counts,
                                 .rows = rows,
                                 .columns = cell_labels("f", features),
                                 .allowed = decides,
                                 .quantity = "influence"});
    }
    return figure;
}

void measure_neighbours(std::ostream& out, const Tensor& x, std::uint64_t seed) {
    const std::size_t seq = x.size(1), d_model = x.size(2);
    Rng rng(seed);
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
        out,
        "  The sentence among 3 others, N(0, 1) or N(1, 16). Its result changes (root mean square) by\n");
    fmt::print(out, "{:>24}: {:.3f}\n{:>24}: {}\n\n", "BatchNorm, training", moved(batch), "LayerNorm",
               moved(layer) == 0.0 ? "0, to the last bit" : "NOT 0");

    fmt::print(out, "  Four sentences of {} tokens, padded with zeros. What is real changes by\n\n", seq);
    fmt::print(out, "{:>24} {:>22} {:>12}\n", "padding, % of all tokens", "BatchNorm, training", "LayerNorm");
    for (const std::size_t longer : {1u, 2u, 4u, 10u}) {
        const Tensor with = padded(quiet, longer * seq);
        const double share = 100.0 * (1.0 - 1.0 / static_cast<double>(longer));
        fmt::print(out, "{:>24.0f} {:>22.3f} {:>12.3f}\n", share,
                   rms_difference(real_tokens(batch(with), seq), batch(quiet)),
                   rms_difference(real_tokens(layer(with), seq), layer(quiet)));
    }
}

void measure_batch_size(std::ostream& out, std::uint64_t seed) {
    constexpr std::size_t features = 64, batches = 100;
    Rng rng(seed);
    fmt::print(out, "  {} features of N(2, 9); {} batches in training, then one seen both ways.\n\n",
               features, batches);
    fmt::print(out, "{:>16} {:>30} {:>14}\n", "tokens in a batch", "training against evaluation",
               "1 / sqrt(n)");
    for (const std::size_t tokens : {1u, 2u, 4u, 16u, 64u, 256u, 1024u}) {
        BatchNorm norm(features);
        const auto draw = [&] { return Tensor(rng.normal_array({tokens, features}, 2.0, 3.0)); };
        try {
            for (std::size_t i = 0; i < batches; ++i) (void)norm(draw(), NormMode::training);
        } catch (const ValueError&) {
            fmt::print(out, "{:>16} {:>30}\n", tokens, "refused: its variance is 0");
            continue;
        }
        const Tensor x = draw(), evaluated = norm(x, NormMode::evaluation);
        fmt::print(out, "{:>16} {:>30.3f} {:>14.3f}\n", tokens,
                   rms_difference(norm(x, NormMode::training), evaluated),
                   1.0 / std::sqrt(static_cast<double>(tokens)));
    }
}

}  // namespace tfs

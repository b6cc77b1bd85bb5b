// chapters/04_normalization/program/batches.cpp · BatchNorm beside LayerNorm: who counts, neighbours, padding, small batches
#include <fmt/ostream.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <utility>

#include "chapters/04_normalization/normalization.hpp"
#include "chapters/04_normalization/program/claims.hpp"

namespace tfs {

namespace {

using Normalise = std::function<Tensor(const Tensor&)>;

Normalise batch_norm(std::size_t features, NormMode mode) {
    return [norm = BatchNorm(features), mode](const Tensor& x) mutable { return norm(x, mode); };
}

double rms_difference(const Tensor& a, const Tensor& b) { return root_mean_square((a - b).values()); }

// |d y / d cell| for each cell of x (batch, seq, features), where y is the result at `cell`; (batch * seq, features).
Array influence_on(std::size_t cell, const Normalise& normalise, const Tensor& x) {
    const Tensor input(x.array(), true);
    const Tensor results = reshape(normalise(input), {x.size()});
    sum(slice(results, 0, cell, cell + 1)).backward();
    Array influence = Array::from_shape({x.size() / x.size(-1), x.size(-1)});
    for (std::size_t i = 0; i < influence.size(); ++i) influence.data()[i] = std::abs(input.grad().data()[i]);
    return influence;
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

std::vector<std::string> token_labels(std::size_t batch, std::size_t seq) {
    std::vector<std::string> labels;
    for (const std::string& sentence : cell_labels("s", batch)) {
        for (const std::string& token : cell_labels(" t", seq)) labels.push_back(sentence + token);
    }
    return labels;
}

// What has no influence is crossed out.
HeatMapPanel influence_panel(const std::string& title, const Array& influence,
                             const std::vector<std::string>& rows) {
    xt::xarray<bool> decides = xt::xarray<bool>::from_shape(influence.shape());
    for (std::size_t i = 0; i < influence.size(); ++i) decides.data()[i] = influence.data()[i] > 0.0f;
    return {.title = title,
            .values = influence,
            .rows = rows,
            .columns = cell_labels("f", influence.shape(1)),
            .allowed = decides,
            .scale = ColourScale::sequential,
            .quantity = "|d result / d cell|"};
}

std::vector<std::pair<std::string, Normalise>> norms_of(std::size_t features) {
    return {{"BatchNorm, training", batch_norm(features, NormMode::training)},
            {"BatchNorm, evaluation", batch_norm(features, NormMode::evaluation)},
            {"LayerNorm", LayerNorm(features)},
            {"RMSNorm", RMSNorm(features)}};
}

}  // namespace

HeatMapFigure measure_who_counts(std::ostream& out, std::uint64_t seed) {
    constexpr std::size_t batch = 2, seq = 4, features = 6, cell = (1 * seq + 2) * features + 3;
    Rng rng(seed);
    const Tensor x(rng.normal_array({batch, seq, features}));
    HeatMapFigure figure{
        .name = "who_counts",
        .title =
            "Which cells decide about the result for sentence 2, token 3, feature 4 (crossed: no influence)",
        .row_axis = "sentence and token",
        .column_axis = "feature",
        .panels_per_row = 2};
    fmt::print(
        out,
        "  {} sentences of {} tokens with {} features. On how many of the {} entries one result depends, "
        "and\n  |d result / d entry| for the entry at its place and the largest of the others:\n\n",
        batch, seq, features, x.size());
    fmt::print(out, "{:>24} {:>8} {:>10} {:>10}\n", "", "entries", "its own", "others");
    for (const auto& [name, normalise] : norms_of(features)) {
        Array influence = influence_on(cell, normalise, x);
        const auto none = std::count(influence.begin(), influence.end(), 0.0f);
        figure.panels.push_back(influence_panel(name, influence, token_labels(batch, seq)));
        const float own = std::exchange(influence.data()[cell], 0.0f);
        fmt::print(out, "{:>24} {:>8} {:>10.3f} {:>10.3f}\n", name,
                   static_cast<std::ptrdiff_t>(influence.size()) - none, own,
                   *std::max_element(influence.begin(), influence.end()));
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

    fmt::print(out, "  Four sentences of {} token{}, padded with zeros. What is real changes by\n\n", seq,
               seq == 1 ? "" : "s");
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

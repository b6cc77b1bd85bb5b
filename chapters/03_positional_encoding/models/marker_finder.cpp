// chapters/03_positional_encoding/models/marker_finder.cpp · one head that learns to find the last marker, with positions of any kind
#include "chapters/03_positional_encoding/models/marker_finder.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "chapters/02_masks/masks.hpp"
#include "common/measure.hpp"

namespace tfs {

namespace {

constexpr std::size_t texts = 16;  // drawn at a time

Finder random_finder(Finder::Kind kind, Rng& rng) {
    constexpr std::size_t words = Finder::words, width = Finder::width;
    Finder finder{kind, Embedding(words, width, rng), Linear(width, width, rng), Linear(width, width, rng)};
    if (kind == Finder::Kind::sinusoids) finder.sinusoids.emplace(width, Finder::longest);
    if (kind == Finder::Kind::learned) finder.learned.emplace(width, Finder::trained_length, rng);
    if (kind == Finder::Kind::rotary) finder.rotary.emplace(width, Finder::longest);
    return finder;
}

Parameters parameters_of(const Finder& finder) {
    Parameters all = finder.embedding.parameters();
    append(all, "w_q", finder.w_q.parameters());
    append(all, "w_k", finder.w_k.parameters());
    if (finder.learned) append(all, "positions", finder.learned->parameters());
    return all;
}

// Texts of ids (batch, seq) -> causal weights (batch, query, key).
Tensor weights_of(const Finder& finder, const Ids& ids) {
    const std::size_t batch = ids.shape()[0], seq = ids.shape()[1], width = Finder::width;
    Tensor x = finder.embedding(ids);  // (batch, seq, width)
    if (finder.sinusoids) x = (*finder.sinusoids)(x);
    if (finder.learned) x = (*finder.learned)(x);
    Tensor q = reshape(finder.w_q(x), {batch, 1, seq, width}),
           k = reshape(finder.w_k(x), {batch, 1, seq, width});
    if (finder.rotary) q = apply_rotary(q, *finder.rotary), k = apply_rotary(k, *finder.rotary);
    std::optional<Tensor> bias;
    if (finder.kind == Finder::Kind::alibi)
        bias = slice(alibi_bias(8, seq, seq), 1, 0, 1) * (2.0f * finder.slope);  // head 0 has the slope 1/2
    return reshape(attention_weights(q, k, causal_mask(seq), bias), {batch, seq, seq});
}

// For each query of all texts: the last marker at or before it. The first word of a text is one, so none is of the text before.
std::vector<std::size_t> wanted_keys(const Ids& ids) {
    std::vector<std::size_t> keys = last_markers({ids.data(), ids.size()});
    for (std::size_t& key : keys) key %= ids.shape()[1];
    return keys;
}

// The mean of -log(weight on the last marker) over new texts.
Tensor loss_of(const Finder& finder, Rng& rng) {
    constexpr std::size_t length = Finder::trained_length;
    const Ids ids = marker_texts(length, rng);
    Array wanted = xt::zeros<float>({texts * length, length});
    const std::vector<std::size_t> keys = wanted_keys(ids);
    for (std::size_t i = 0; i < keys.size(); ++i) wanted(i, keys[i]) = 1.0f;
    const Tensor rows = reshape(weights_of(finder, ids), {texts * length, length});
    return -mean(log(maximum(sum(rows * Tensor(std::move(wanted)), -1), 1e-6f)));
}

}  // namespace

Ids marker_texts(std::size_t length, Rng& rng) {
    Ids ids = Ids::from_shape({texts, length});
    for (std::size_t t = 0; t < texts; ++t) {
        for (std::size_t i = 0; i < length; ++i) {
            const bool marker = i == 0 || rng.below(4) == 0;
            ids(t, i) = marker ? 0 : static_cast<std::int64_t>(1 + rng.below(Finder::words - 1));
        }
    }
    return ids;
}

Finder fitted_finder(Finder::Kind kind, std::uint64_t seed, float slope) {
    Rng rng(seed);
    Finder finder = random_finder(kind, rng);
    finder.slope = slope;
    for (std::size_t step = 0; step < Finder::steps; ++step)
        gradient_step(loss_of(finder, rng), parameters_of(finder), 0.5f);
    return finder;
}

std::vector<double> finder_frequencies() {
    std::vector<double> frequencies;
    for (std::size_t i = 0; i < Finder::width / 2; ++i)
        frequencies.push_back(
            std::pow(10000.0, -2.0 * static_cast<double>(i) / static_cast<double>(Finder::width)));
    return frequencies;
}

Finder with_factors(const Finder& finder, const std::vector<double>& factors) {
    std::vector<double> frequencies = finder_frequencies();
    if (factors.size() != frequencies.size()) {
        throw ValueError(fmt::format("{} factors for {} frequencies", factors.size(), frequencies.size()));
    }
    for (std::size_t i = 0; i < factors.size(); ++i) frequencies[i] *= factors[i];
    Finder other = finder;
    other.rotary = rotary_of(frequencies, Finder::longest);
    return other;
}

Found found_by(const Finder& finder, std::size_t length) {
    const NoGrad no_grad;
    Rng rng(length);  // the same texts for every kind
    const Ids ids = marker_texts(length, rng);
    const Tensor weights = weights_of(finder, ids);
    const std::vector<std::size_t> keys = wanted_keys(ids);
    std::size_t largest = 0;
    double weight = 0.0;
    for (std::size_t i = 0; i < keys.size(); ++i) {
        const std::span<const float> row = weights.values().subspan(i * length, length);
        largest += is_largest(row, keys[i]);
        weight += row[keys[i]];
    }
    const auto queries = static_cast<double>(keys.size());
    return {static_cast<double>(largest) / queries, weight / queries};
}

std::vector<double> marker_scores(const Finder& finder, std::size_t distances) {
    const NoGrad no_grad;
    const Tensor words = finder.embedding.weight;  // (word, width)
    const Tensor q = reshape(finder.w_q(words), {Finder::words, 1, Finder::width}),
                 k = finder.w_k(slice(words, 0, 0, 1));  // (1, width), at position 0: not turned
    std::vector<double> scores;
    for (std::size_t distance = 0; distance < distances; ++distance) {
        const Tensor turned = apply_rotary(q, finder.rotary.value(), RotaryLayout::interleaved, distance);
        const double mean_product = sum(turned * k).item() / static_cast<double>(Finder::words);
        scores.push_back(mean_product / std::sqrt(static_cast<double>(Finder::width)));
    }
    return scores;
}

Array map_of(const Finder& finder, const std::vector<std::int64_t>& text) {
    const NoGrad no_grad;
    Ids ids = Ids::from_shape({1, text.size()});
    std::copy(text.begin(), text.end(), ids.begin());
    return reshape(weights_of(finder, ids), {text.size(), text.size()}).array();
}

std::vector<std::size_t> last_markers(std::span<const std::int64_t> text) {
    std::vector<std::size_t> markers;
    for (std::size_t i = 0; i < text.size(); ++i) markers.push_back(text[i] == 0 ? i : markers.back());
    return markers;
}

bool is_largest(std::span<const float> weights, std::size_t key) {
    for (std::size_t i = 0; i < weights.size(); ++i)
        if (i != key && weights[key] < 1.001f * weights[i]) return false;
    return true;
}

}  // namespace tfs

// chapters/03_positional_encoding/program/marker_finder.cpp · one head that learns to find the last marker, with positions of any kind
#include "chapters/03_positional_encoding/program/marker_finder.hpp"
#include "chapters/03_positional_encoding/program/sections.hpp"

#include <algorithm>

#include "chapters/02_masks/masks.hpp"
#include "chapters/03_positional_encoding/program/positioned_attention.hpp"

namespace tfs {

namespace {

constexpr std::size_t texts = 16;  // drawn at a time

Ids draw_texts(std::size_t length, std::size_t words, Rng& rng) {
    Ids ids = Ids::from_shape({texts, length});
    for (std::size_t t = 0; t < texts; ++t) {
        for (std::size_t i = 0; i < length; ++i) {
            const bool marker = i == 0 || rng.below(4) == 0;
            ids(t, i) = marker ? 0 : static_cast<std::int64_t>(1 + rng.below(words - 1));
        }
    }
    return ids;
}

// (batch, query): the last marker at or before each query.
std::vector<std::size_t> last_markers(const Ids& ids) {
    std::vector<std::size_t> markers;
    for (std::size_t t = 0; t < ids.shape()[0]; ++t) {
        std::size_t last = 0;
        for (std::size_t i = 0; i < ids.shape()[1]; ++i) markers.push_back(last = ids(t, i) == 0 ? i : last);
    }
    return markers;
}

}  // namespace

std::string Finder::name_of(Kind kind) {
    const std::array names{"none", "sinusoids", "learned", "rotary", "ALiBi"};  // in the order of Kind
    return names.at(static_cast<std::size_t>(kind));
}

Finder::Finder(Kind kind, Rng& rng)
    : kind_(kind), embedding_(words, width, rng), w_q_(width, width, rng), w_k_(width, width, rng) {
    if (kind == Kind::sinusoids) sinusoids_.emplace(width, lengths.back());
    if (kind == Kind::learned) learned_.emplace(width, trained_length, rng);
    if (kind == Kind::rotary) rotary_.emplace(width, lengths.back());
}

Parameters Finder::parameters() const {
    Parameters all = embedding_.parameters();
    append(all, "w_q", w_q_.parameters());
    append(all, "w_k", w_k_.parameters());
    if (learned_) append(all, "positions", learned_->parameters());
    return all;
}

Tensor Finder::weights(const Ids& ids) const {
    const std::size_t seq = ids.shape()[1];
    Tensor x = embedding_(ids);  // (batch, seq, width)
    if (sinusoids_) x = (*sinusoids_)(x);
    if (learned_) x = (*learned_)(x);
    const Tensor q = reshape(w_q_(x), {texts, 1, seq, width}), k = reshape(w_k_(x), {texts, 1, seq, width});
    const Mask mask = causal_mask(seq);
    AttentionOutput result;
    if (rotary_) {
        result = rotary_attention(q, k, k, *rotary_, mask);
    } else if (kind_ == Kind::alibi) {  // the steepest of 8 heads: a single head would get 1/256
        result = biased_attention(q, k, k, slice(alibi_bias(8, seq, seq), 1, 0, 1), mask);
    } else {
        result = scaled_dot_product_attention(q, k, k, mask);
    }
    return reshape(result.weights, {texts, seq, seq});
}

void Finder::fit(Rng& rng) {
    constexpr std::size_t steps = 300;
    constexpr float rate = 0.5f;
    for (std::size_t step = 0; step < steps; ++step) {
        const Ids ids = draw_texts(trained_length, words, rng);
        Array wanted = Array::from_shape({texts * trained_length, trained_length});
        std::fill_n(wanted.data(), wanted.size(), 0.0f);
        const std::vector<std::size_t> markers = last_markers(ids);
        for (std::size_t i = 0; i < markers.size(); ++i) wanted(i, markers[i]) = 1.0f;
        const Tensor rows = reshape(weights(ids), {texts * trained_length, trained_length});
        const Tensor loss = -mean(log(maximum(sum(rows * Tensor(std::move(wanted)), -1), 1e-6f)));
        gradient_step(loss, parameters(), rate);
    }
}

double Finder::share_found(std::size_t length) const {
    const NoGrad no_grad;
    Rng rng(length);  // the same texts for every kind
    const Ids ids = draw_texts(length, words, rng);
    const std::vector<std::size_t> markers = last_markers(ids);
    const Tensor all = weights(ids);
    std::size_t found = 0;
    for (std::size_t i = 0; i < markers.size(); ++i) {
        const float* row = all.values().data() + i * length;
        found += is_largest({row, length}, markers[i]);
    }
    return static_cast<double>(found) / static_cast<double>(markers.size());
}

bool Finder::is_largest(std::span<const float> weights, std::size_t key) {
    for (std::size_t i = 0; i < weights.size(); ++i)
        if (i != key && weights[key] < 1.001f * weights[i]) return false;
    return true;
}

Array Finder::map_of(const std::vector<std::int64_t>& text) const {
    const NoGrad no_grad;
    Ids ids = Ids::from_shape({texts, text.size()});
    for (std::size_t t = 0; t < texts; ++t)
        for (std::size_t i = 0; i < text.size(); ++i) ids(t, i) = text[i];
    const Tensor first = slice(weights(ids), 0, 0, 1);
    return reshape(first, {text.size(), text.size()}).array();
}

std::vector<Finder> fitted_finders(std::uint64_t seed) {
    std::vector<Finder> finders;
    for (const Finder::Kind kind : Finder::kinds) {
        Rng rng(seed);
        finders.emplace_back(kind, rng).fit(rng);
    }
    return finders;
}

}  // namespace tfs

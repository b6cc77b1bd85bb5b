// chapters/03_positional_encoding/program/figures.cpp · phases, the bias of ALiBi, and how scores fall with the distance
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "chapters/03_positional_encoding/program/numbers.hpp"
#include "chapters/03_positional_encoding/program/orders.hpp"
#include "chapters/03_positional_encoding/program/rotary_claims.hpp"

namespace tfs {

namespace {

// PE(pos) · PE(pos + k), as a share of its value at k = 0.
Series sinusoid_similarity(std::size_t width, std::size_t max_distance) {
    Series series{fmt::format("d_model {}", width)};
    for (std::size_t k = 0; k <= max_distance; k += 2) {
        double total = 0.0;
        for (std::size_t i = 0; i < width / 2; ++i)
            total += std::cos(static_cast<double>(k) * frequency(i, width));
        series.add(static_cast<double>(k), total / static_cast<double>(width / 2));
    }
    return series;
}

// q · R(distance) q over |q|², the mean over random q; with q and k apart, the mean of q · R k.
Series rotary_scores(std::size_t d_k, std::size_t max_distance, bool equal, Rng& rng) {
    constexpr std::size_t draws = 256;
    const RotaryEmbedding rotary(d_k, max_distance + 1);
    const Tensor q(rng.normal_array({draws, 1, d_k})), other(rng.normal_array({draws, 1, d_k}));
    const double scale = sum(q * q).item();
    Series series{equal ? "k = q" : "k drawn apart from q"};
    for (std::size_t distance = 0; distance <= max_distance; distance += 2) {
        const Tensor turned = apply_rotary(q, rotary, RotaryLayout::interleaved, distance);
        series.add(static_cast<double>(distance), sum(turned * (equal ? q : other)).item() / scale);
    }
    return series;
}

}  // namespace

HeatMapFigure phases_figure(const RotaryEmbedding& rotary) {
    const std::size_t pairs = std::min<std::size_t>(rotary.cos.size(1), 32);
    const std::size_t positions = std::min<std::size_t>(rotary.cos.size(0), 64);
    Array phases = Array::from_shape({pairs, positions});
    for (std::size_t i = 0; i < pairs; ++i) {
        for (std::size_t m = 0; m < positions; ++m)
            phases(i, m) = std::atan2(rotary.sin.array()(m, i), rotary.cos.array()(m, i));
    }
    return {.name = "phases",
            .title = fmt::format("Rotary angles, d_k {}", 2 * rotary.cos.size(1)),
            .row_axis = "pair",
            .column_axis = "position",
            .panels = {{.title = "angle of the pair, between -π and π",
                        .values = std::move(phases),
                        .scale = ColourScale::diverging,
                        .quantity = "radians"}},
            .panels_per_row = 1};
}

HeatMapFigure bias_figure(std::size_t num_heads, std::size_t seq) {
    HeatMapFigure figure{.name = "alibi",
                         .title = fmt::format("What ALiBi adds to the scores, {} heads", num_heads)};
    const Tensor bias = alibi_bias(num_heads, seq, seq), slopes = alibi_slopes(num_heads);
    const std::size_t shown = std::min<std::size_t>(num_heads, 4);
    for (std::size_t i = 0; i < shown; ++i) {
        const std::size_t head = shown == 1 ? 0 : i * (num_heads - 1) / (shown - 1);
        figure.panels.push_back({.title = fmt::format("head {}, slope {:.3g}", head + 1, slopes.at({head})),
                                 .values = reshape(slice(bias, 1, head, head + 1), {seq, seq}).array(),
                                 .allowed = causal_square(seq),
                                 .scale = ColourScale::sequential,
                                 .quantity = "bias"});
    }
    return figure;
}

LineFigure decay_figure(std::uint64_t seed) {
    constexpr std::size_t max_distance = 256;
    Rng rng(seed);
    LinePanel alibi{"ALiBi: factor on the weight, exp(bias)", "distance", "factor"};
    const Tensor slopes = alibi_slopes(8), bias = alibi_bias(8, 1, max_distance + 1, max_distance);
    for (const std::size_t head : {0u, 3u, 5u, 7u}) {
        Series series{fmt::format("slope 1/{:.0f}", 1.0f / slopes.at({head}))};
        for (std::size_t d = 0; d <= max_distance; d += 2)
            series.add(static_cast<double>(d),
                       std::exp(static_cast<double>(bias.at({0, head, 0, max_distance - d}))));
        alibi.series.push_back(std::move(series));
    }
    return {.name = "decay",
            .title = "What distance does to a score",
            .panels = {{"sinusoids: PE(pos) · PE(pos + k)",
                        "distance k",
                        "share of PE(pos) · PE(pos)",
                        false,
                        false,
                        {sinusoid_similarity(64, max_distance), sinusoid_similarity(512, max_distance)}},
                       {"rotary, d_k 64: mean of 256 scores",
                        "distance",
                        "share of q · q",
                        false,
                        false,
                        {rotary_scores(64, max_distance, true, rng),
                         rotary_scores(64, max_distance, false, rng)}},
                       alibi},
            .panels_per_row = 3};
}

}  // namespace tfs

// chapters/03_positional_encoding/program/score_decay.cpp · what distance does to a score: sinusoids, rotary positions, ALiBi
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "chapters/03_positional_encoding/program/options.hpp"

namespace tfs {

namespace {

// PE(pos) · PE(pos + distance), as a share of its value at distance 0.
Series sinusoid_similarity(std::size_t width, std::size_t max_distance) {
    Series series{fmt::format("sinusoids: d_model {}", width)};
    for (std::size_t distance = 0; distance <= max_distance; distance += 2) {
        double total = 0.0;
        for (std::size_t i = 0; i < width / 2; ++i)
            total += std::cos(static_cast<double>(distance) * frequency(i, width));
        series.add(static_cast<double>(distance), total / static_cast<double>(width / 2));
    }
    return series;
}

// q · R(distance) q over |q|², the mean over random q; if not equal, q · R(distance) k, with another random k.
Series rotary_scores(std::size_t d_k, std::size_t max_distance, bool equal, Rng& rng) {
    constexpr std::size_t draws = 256;
    const RotaryEmbedding rotary(d_k, max_distance + 1);
    const Tensor q(rng.normal_array({draws, 1, d_k})), other(rng.normal_array({draws, 1, d_k}));
    const double scale = sum(q * q).item();
    Series series{equal ? "rotary: key = query" : "rotary: key independent of query"};
    for (std::size_t distance = 0; distance <= max_distance; distance += 2) {
        const Tensor turned = apply_rotary(q, rotary, RotaryLayout::interleaved, distance);
        series.add(static_cast<double>(distance), sum(turned * (equal ? q : other)).item() / scale);
    }
    return series;
}

Report show_decay(const Request& request) {
    constexpr std::size_t max_distance = 256;
    Rng rng(request[options::seed]);
    const Series equal = rotary_scores(64, max_distance, true, rng),
                 independent = rotary_scores(64, max_distance, false, rng);
    const auto [least, most] = std::minmax_element(independent.y.begin(), independent.y.end());
    const double farthest = std::max(*most, -*least);
    LinePanel alibi{"ALiBi: factor of a weight", "distance", "factor"};
    const Tensor slopes = alibi_slopes(8), bias = alibi_bias(8, 1, max_distance + 1, max_distance);
    for (const std::size_t head : {0u, 3u, 5u, 7u}) {
        Series series{fmt::format("ALiBi: slope 1/{:.0f}", 1.0f / slopes.at({head}))};
        for (std::size_t d = 0; d <= max_distance; d += 2)
            series.add(static_cast<double>(d),
                       std::exp(static_cast<double>(bias.at({0, head, 0, max_distance - d}))));
        alibi.series.push_back(std::move(series));
    }
    Report report;
    report.note(fmt::format(
        "Two random vectors: their mean rotary score is at most {:.2f} of |query|^2, at any distance to {}.",
        farthest, max_distance));
    report.add(LineFigure{
        .name = "decay",
        .title = "What distance does to a score",
        .panels = {{"sinusoids: similarity",
                    "distance",
                    "share of that at distance 0",
                    false,
                    false,
                    {sinusoid_similarity(64, max_distance), sinusoid_similarity(512, max_distance)},
                    true},
                   {"rotary, d_k 64: mean score",
                    "distance",
                    "share of query · query",
                    false,
                    false,
                    {equal},
                    true},
                   alibi},
        .panels_per_row = 3,
        .caption = fmt::format(
            "Sinusoids: the similarity PE(pos) · PE(pos + distance) falls with the distance, but unevenly. "
            "Rotary: the mean score falls, too, where the key equals the query. (Where the key is another "
            "random vector, it is never farther from 0 than {:.2f}; not drawn.) ALiBi: the factor falls "
            "steadily towards 0; the steeper the slope, the lower the curve.",
            farthest)});
    return report;
}

}  // namespace

Section score_decay() {
    return {.id = "decay",
            .title = "What distance does to a score",
            .level = Level::deeper,
            .options = {options::seed},
            .run = show_decay};
}

}  // namespace tfs

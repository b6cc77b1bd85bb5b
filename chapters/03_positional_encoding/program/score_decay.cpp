// chapters/03_positional_encoding/program/score_decay.cpp · what distance does to a score: rotary positions
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "chapters/03_positional_encoding/program/options.hpp"

namespace tfs {

namespace {

// q · R(distance) k over |q|², the mean over random q. The key: q turned by some positions, or another random vector.
Series rotary_scores(const std::string& name, std::size_t max_distance, std::optional<std::size_t> turned,
                     Rng& rng) {
    constexpr std::size_t draws = 256, d_k = 64;
    const RotaryEmbedding rotary(d_k, max_distance + 1);
    const auto turn = [&](const Tensor& x, std::size_t by) {
        return apply_rotary(x, rotary, RotaryLayout::interleaved, by);
    };
    const Tensor q(rng.normal_array({draws, 1, d_k})), other(rng.normal_array({draws, 1, d_k}));
    const Tensor k = turned ? turn(q, *turned) : other;
    const double scale = sum(q * q).item();
    Series series{.name = name};
    for (std::size_t distance = 0; distance <= max_distance; distance += 2)
        series.add(static_cast<double>(distance), sum(turn(q, distance) * k).item() / scale);
    return series;
}

Report show_decay(const Request& request) {
    constexpr std::size_t max_distance = 256, far = 100;
    Rng rng(request[options::seed]);
    const Series equal = rotary_scores("key = query", max_distance, 0, rng),
                 independent = rotary_scores("another random key", max_distance, std::nullopt, rng);
    const Series later =
        rotary_scores(fmt::format("key = query, turned by {} positions", far), max_distance, far, rng);
    const auto panel = [](const std::string& title, const Series& series) {
        return LinePanel{.title = title,
                         .x_axis = "distance of query and key",
                         .y_axis = "mean score (1 = highest)",
                         .series = {series},
                         .from_zero = true};
    };
    const auto [least, most] = std::minmax_element(independent.y.begin(), independent.y.end());
    Report report;
    report.note(fmt::format(
        "Two random vectors: their mean rotary score is at most {:.2f} of |query|^2, at any distance to {}.",
        std::max(*most, -*least), max_distance));
    report.add(LineFigure{.name = "decay",
                          .title = "With RoPE a head can prefer any distance: 0, or 100",
                          .panels = {panel("key = query: highest at 0", equal),
                                     panel(fmt::format("turned key: highest at {}", far), later)},
                          .caption = "The mean of 256 random queries. A key like the query scores most at "
                                     "distance 0. Weights that turn the key first move this peak.",
                          .same_y = true});
    return report;
}

}  // namespace

Sections score_decay_sections() {
    return {{"decay", "What distance does to a rotary score", show_decay, {options::seed}, Level::deeper}};
}

}  // namespace tfs

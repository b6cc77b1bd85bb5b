// chapters/03_positional_encoding/program/previous_token.cpp · the puzzle: what the head with weights by hand looks at
#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "chapters/03_positional_encoding/program/options.hpp"

namespace tfs {

namespace {

HeatMapFigure previous_token_figure() {
    constexpr std::size_t positions = 12;
    HeatMapPanel panel{.title = "weights from positions alone",
                       .values = weights_among_positions(previous_token_head(), positions)};
    panel.meant.resize(positions - 1);
    std::iota(panel.meant.begin(), panel.meant.end(), std::size_t{1});
    return {.name = "previous_token",
            .title = "A head that looks at the previous token",
            .panels = {std::move(panel)},
            .panels_per_row = 1,
            .caption =
                "Drawn from the weights of the puzzle. Each position looks at the one before it; no "
                "mask and no words are needed. Position 0 has no previous token, so its row is faded and "
                "means nothing.",
            .largest = 1.0};
}

Report show_previous_token(const Request&) {
    constexpr std::size_t last = 64;
    const Array weights = weights_among_positions(previous_token_head(), last + 1);
    float least = 1.0f;
    for (std::size_t i = 1; i <= last; ++i) least = std::min(least, weights(i, i - 1));
    Report report;
    report.note(fmt::format("smallest weight on the previous token, positions 1 to {}: {:.2f}", last, least));
    report.add(previous_token_figure());
    return report;
}

}  // namespace

Section previous_token() {
    return {.id = "puzzle",
            .title = "Puzzle: a head that looks at the previous token",
            .run = show_previous_token};
}

}  // namespace tfs

// chapters/03_positional_encoding/program/previous_token.cpp · the puzzle: what the head with weights by hand looks at
#include <fmt/format.h>

#include <algorithm>

#include "chapters/03_positional_encoding/program/options.hpp"

namespace tfs {

namespace {

HeatMapFigure previous_token_figure() {
    const Tokens words = split_words("The cat sat on the mat");
    HeatMapPanel panel{.title = "",
                       .values = weights_among_positions(previous_token_head(), words.size()),
                       .rows = words,
                       .columns = words};
    for (std::size_t i = 1; i < words.size(); ++i) {
        panel.meant.push_back(i);
        panel.answers.push_back("→ " + words[i - 1]);
    }
    return {.name = "previous_token",
            .title = "From positions alone each word finds the word before it",
            .panels = {std::move(panel)},
            .panels_per_row = 1,
            .caption =
                "The puzzle's head sees positions and no mask; the words are only labels. The first word has "
                "none before it, so it has no row.",
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

Sections previous_token_sections() {
    return {{"puzzle", "Puzzle: a head that looks at the previous token", show_previous_token}};
}

}  // namespace tfs

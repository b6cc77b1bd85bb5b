// chapters/08_encoder_decoder/program/backwards.cpp · the puzzle: what the head with weights by hand reads
#include "chapters/08_encoder_decoder/program/sections.hpp"

#include <fmt/ostream.h>

#include <algorithm>

namespace tfs {

namespace {

const std::string forwards = "stressed";

Array reading_of(const std::string& word) {
    return weights_among_positions(backwards_head(word.size()), word.size());
}

// For each target the character of the source that it looks at most.
std::string word_read(const Array& weights, const std::string& source) {
    std::string read;
    for (std::size_t t = 0; t < source.size(); ++t) {
        const float* row = weights.data() + t * source.size();
        read += source[static_cast<std::size_t>(std::max_element(row, row + source.size()) - row)];
    }
    return read;
}

}  // namespace

void measure_backwards(Show& show) {
    constexpr std::size_t longest = 32;
    float least = 1.0f;
    for (std::size_t n = 1; n <= longest; ++n) {
        const Array weights = weights_among_positions(backwards_head(n), n);
        for (std::size_t t = 0; t < n; ++t) least = std::min(least, weights(t, n - 1 - t));
    }
    fmt::print(show.out, "  source \"{}\", read by the head: \"{}\"\n", forwards,
               word_read(reading_of(forwards), forwards));
    fmt::print(show.out, "  smallest weight on source n - 1 - t, n from 1 to {}: {:.2f}\n", longest, least);
}

HeatMapFigure backwards_figure() {
    const Array weights = reading_of(forwards);
    return {.name = "backwards",
            .title = "A head that reads the source backwards",
            .row_axis = "target",
            .column_axis = "source",
            .panels = {{.title = fmt::format("the source is \"{}\"", forwards),
                        .values = weights,
                        .rows = labels_of(word_read(weights, forwards)),
                        .columns = labels_of(forwards)}},
            .panels_per_row = 1,
            .caption =
                "Drawn from the weights of the puzzle. Each row is a target position, named by the letter "
                "with most weight. The head sees positions only, so it does this to any word of 8 letters.",
            .largest = 1.0};
}

}  // namespace tfs

// chapters/08_encoder_decoder/program/backwards.cpp · the puzzle: what the head with weights by hand reads
#include <fmt/format.h>

#include <algorithm>

#include "chapters/08_encoder_decoder/models/trained_maps.hpp"
#include "chapters/08_encoder_decoder/program/options.hpp"

namespace tfs {

namespace {

// For each target the character of the source that it looks at most.
std::string word_read(const Array& weights, const std::string& source) {
    std::string read;
    for (std::size_t t = 0; t < source.size(); ++t) {
        const float* row = weights.data() + t * source.size();
        read += source[static_cast<std::size_t>(std::max_element(row, row + source.size()) - row)];
    }
    return read;
}

Report show_backwards(const Request&) {
    constexpr std::size_t longest = 32;
    float least = 1.0f;
    for (std::size_t n = 1; n <= longest; ++n) {
        const Array weights = weights_among_positions(backwards_head(n), n);
        for (std::size_t t = 0; t < n; ++t) least = std::min(least, weights(t, n - 1 - t));
    }
    const std::string source = "stressed";
    const Array weights = weights_among_positions(backwards_head(source.size()), source.size());
    const std::string read = word_read(weights, source);
    Report report;
    report.note(fmt::format("source \"{}\", read by the head: \"{}\"", source, read));
    report.note(fmt::format("smallest weight on source n - 1 - t, n from 1 to {}: {:.2f}", longest, least));
    report.add(HeatMapFigure{
        .name = "backwards",
        .title = "This head looks at the source backwards, and knows positions alone",
        .row_axis = "target",
        .column_axis = "source",
        .panels = {{.title = fmt::format("the source is \"{}\"", source),
                    .values = weights,
                    .rows = labels_of(read),
                    .columns = labels_of(source)}},
        .panels_per_row = 1,
        .caption =
            "Drawn from the weights of the puzzle. Each row is a target position, named by the letter "
            "with most weight. The head sees positions only, so it does this to any word of 8 letters.",
        .largest = 1.0});
    return report;
}

}  // namespace

Section backwards() {
    return {.id = "puzzle", .title = "Puzzle: a head that reads the source backwards", .run = show_backwards};
}

}  // namespace tfs

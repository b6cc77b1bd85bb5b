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
    const std::string source = "stressed", other = "elephant";  // of one length
    const Array weights = weights_among_positions(backwards_head(source.size()), source.size());
    Report report;
    report.note(fmt::format("source \"{}\", read by the head: \"{}\"", source, word_read(weights, source)));
    report.note(fmt::format("smallest weight on source n - 1 - t, n from 1 to {}: {:.2f}", longest, least));
    HeatMapFigure figure{.name = "backwards",
                         .title = "The head looks only at positions, so it turns any word around",
                         .row_axis = "target",
                         .column_axis = "source",
                         .caption =
                             "Drawn from the weights of the puzzle. Each row is a position of the target; "
                             "after it comes the "
                             "letter of the source that it looks at most.",
                         .largest = 1.0};
    for (const std::string& word : {source, other}) {
        const std::string read = word_read(weights, word);
        HeatMapPanel& panel =
            figure.panels.emplace_back(HeatMapPanel{.title = fmt::format("\"{}\" → \"{}\"", word, read),
                                                    .values = weights,
                                                    .columns = labels_of(word)});
        for (std::size_t t = 0; t < read.size(); ++t) {
            panel.rows.push_back(fmt::format("{}", t));
            panel.answers.push_back(fmt::format("→ {}", read[t]));
        }
    }
    report.add(figure);
    return report;
}

}  // namespace

Sections backwards_sections() {
    return {{"puzzle", "Puzzle: a head that reads the source backwards", show_backwards}};
}

}  // namespace tfs

// chapters/07_block/program/two_blocks.cpp · the puzzle: what "it" looks at in two blocks with weights by hand
#include <fmt/format.h>

#include "chapters/01_attention/models/feature_words.hpp"
#include "chapters/07_block/models/hand_made_blocks.hpp"
#include "chapters/07_block/program/options.hpp"

namespace tfs {

namespace {

Report show_two_blocks(const Request&) {
    Report report;
    HeatMapFigure figure{
        .name = "by_hand",
        .title = "What \"it\" looks at in two blocks: weights by hand",
        .row_axis = "query",
        .panels_per_row = 2,
        .caption =
            "Drawn from the weights of the puzzle; nothing was trained. In block 1, \"it\" reads "
            "the adjective. In block 2 it finds the noun that the adjective fits. (Your block 1 may "
            "do it in another way.)",
        .largest = 1.0};
    for (const std::string adjective : {"tired", "soft"}) {
        const Tokens sentence = split_words("the cat sat on the mat because it was " + adjective);
        const HandMadeMaps maps = maps_of(two_blocks_by_hand(), sentence);
        const std::vector<float> first = row_of_it(maps.first, sentence),
                                 second = row_of_it(maps.second, sentence);
        const std::size_t noun = noun_spoken_of(sentence);
        report.note(fmt::format("… {}: \"it\" gives {} {:.2f} in block 1, and {} {:.2f} in block 2",
                                adjective, adjective, first.back(), sentence[noun], second[noun]));
        for (const auto& row : {first, second})
            figure.panels.push_back(
                {.title = fmt::format("… {}: block {}", adjective, 1 + figure.panels.size() % 2),
                 .values = Tensor::from({1, row.size()}, row).array(),
                 .rows = {"it"},
                 .columns = sentence});
    }
    report.add(figure);
    return report;
}

}  // namespace

Section two_blocks() {
    return {.id = "puzzle", .title = "Two blocks with weights by hand", .run = show_two_blocks};
}

}  // namespace tfs

// chapters/07_block/program/two_blocks.cpp · the puzzle: what "it" looks at in two blocks with weights by hand
#include <fmt/format.h>

#include "chapters/01_attention/models/feature_words.hpp"
#include "chapters/07_block/models/hand_made_blocks.hpp"
#include "chapters/07_block/models/it_maps.hpp"
#include "chapters/07_block/program/options.hpp"

namespace tfs {

namespace {

Report show_two_blocks(const Request&) {
    Report report;
    ArcFigure figure{
        .name = "by_hand",
        .title = "By hand: \"it\" reads the adjective in block 1, and finds its noun in block 2",
        .caption =
            "Drawn from the weights of the puzzle; nothing was trained. Begin with block 1, below. "
            "(Your block 1 may do it in another way.)"};
    for (const std::string adjective : {"tired", "soft"}) {
        const Tokens sentence = split_words("the cat sat on the mat because it was " + adjective);
        const HandMadeMaps maps = maps_of(two_blocks_by_hand(), sentence);
        const std::vector<float> first = row_of_it(maps.first, sentence),
                                 second = row_of_it(maps.second, sentence);
        const std::size_t noun = noun_spoken_of(sentence);
        report.note(fmt::format("… {}: \"it\" gives {} {:.2f} in block 1, and {} {:.2f} in block 2",
                                adjective, adjective, first.back(), sentence[noun], second[noun]));
        ArcPanel panel{.title = fmt::format("it → {}", sentence[noun]),
                       .words = sentence,
                       .storeys = {{}, {}},
                       .names = {"block 1", "block 2"}};
        for (std::size_t i = 0; i < sentence.size(); ++i) {
            panel.storeys[0].push_back({place_of_it(sentence), i, first[i]});
            panel.storeys[1].push_back({place_of_it(sentence), i, second[i]});
        }
        figure.panels.push_back(panel);
    }
    report.add(figure);
    return report;
}

}  // namespace

Sections two_blocks_sections() { return {{"puzzle", "Two blocks with weights by hand", show_two_blocks}}; }

}  // namespace tfs

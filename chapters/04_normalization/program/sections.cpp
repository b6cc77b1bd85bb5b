// chapters/04_normalization/program/sections.cpp · what a norm does to a sentence, and why a deep model needs one
//
// Run it: ./tutorial run 4          on your own steps: ./tutorial run 4 --mine
//         ./tutorial run 4 -- --deeper
//         ./tutorial run 4 -- --text "the dog saw the cat" --d-model 8
#include "chapters/04_normalization/program/options.hpp"

namespace tfs {

Sections stream_size_sections(), one_row_sections(), shared_statistics_sections(), norm_training_sections(),
    rows_after_a_norm_sections();

Chapter chapter() {
    return {
        .name = "04_normalization",
        .description = "LayerNorm, RMSNorm and BatchNorm on a sentence, and why a deep model needs a norm.",
        .sections = joined({stream_size_sections(), one_row_sections(), shared_statistics_sections(),
                            norm_training_sections(), rows_after_a_norm_sections()}),
        // Numbers that pass give the puzzle away, so a run of the solutions shows them with --deeper only.
        .belongs = [](const Section& section, const Request& request) {
            return section.id != (request.on_own_steps ? "puzzle-solution" : "puzzle");
        }};
}

}  // namespace tfs

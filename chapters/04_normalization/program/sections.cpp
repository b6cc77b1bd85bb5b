// chapters/04_normalization/program/sections.cpp · what a norm does to a sentence, and why a deep model needs one
//
// Run it: ./tutorial run 4          on your own steps: ./tutorial run 4 --mine
//         ./tutorial run 4 -- --deeper
//         ./tutorial run 4 -- --text "the dog saw the cat" --d-model 8
#include "chapters/04_normalization/program/options.hpp"

namespace tfs {

// One for each file of this folder, or two.
Section one_row_by_hand(), stream_size(), norm_before_attention(), token_statistics(), leak(), geometry(),
    saturation(), invariance(), shapes_of_distributions(), shared_statistics(), neighbours_and_padding(),
    training_and_evaluation(), sample_deviation(), bfloat16_error(), norm_cost(), own_length_reader(),
    length_reader(), norm_training();

Chapter chapter() {
    return {
        .name = "04_normalization",
        .description = "LayerNorm, RMSNorm and BatchNorm on a sentence, and why a deep model needs a norm.",
        .sections = {one_row_by_hand(), stream_size(), norm_before_attention(), token_statistics(), leak(),
                     geometry(), saturation(), invariance(), shapes_of_distributions(), shared_statistics(),
                     neighbours_and_padding(), training_and_evaluation(), sample_deviation(),
                     bfloat16_error(), norm_cost(), own_length_reader(), length_reader(), norm_training()},
        // Numbers that pass give the puzzle away, so a run of the solutions shows them with --deeper only.
        .belongs = [](const Section& section, const Request& request) {
            return section.id != (request.on_own_steps ? "puzzle-solution" : "puzzle");
        }};
}

}  // namespace tfs

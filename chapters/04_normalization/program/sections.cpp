// chapters/04_normalization/program/sections.cpp · what a norm does to a sentence, and why a deep model needs one
//
// Run it: ./tutorial run 4          on your own steps: ./tutorial run 4 --mine
//         ./tutorial run 4 -- --deeper
//         ./tutorial run 4 -- --text "the dog saw the cat" --d-model 8
#include "chapters/04_normalization/program/options.hpp"

namespace tfs {

Sections by_hand_sections(), stream_size_sections(), norm_before_attention_sections(),
    token_statistics_sections(), leak_sections(), geometry_sections(), saturation_sections(),
    invariance_sections(), histogram_sections(), shared_statistics_sections(), batch_dependence_sections(),
    sample_deviation_sections(), bfloat16_error_sections(), norm_cost_sections(), length_reader_sections(),
    norm_training_sections();

Chapter chapter() {
    return {
        .name = "04_normalization",
        .description = "LayerNorm, RMSNorm and BatchNorm on a sentence, and why a deep model needs a norm.",
        .sections =
            joined({by_hand_sections(), stream_size_sections(), norm_before_attention_sections(),
                    token_statistics_sections(), leak_sections(), geometry_sections(), saturation_sections(),
                    invariance_sections(), histogram_sections(), shared_statistics_sections(),
                    batch_dependence_sections(), sample_deviation_sections(), bfloat16_error_sections(),
                    norm_cost_sections(), length_reader_sections(), norm_training_sections()}),
        // Numbers that pass give the puzzle away, so a run of the solutions shows them with --deeper only.
        .belongs = [](const Section& section, const Request& request) {
            return section.id != (request.on_own_steps ? "puzzle-solution" : "puzzle");
        }};
}

}  // namespace tfs

// chapters/06_residual_dropout/program/sections.cpp · dropout and residuals on a sentence, and what they do to deep stacks
//
// Run it: ./tutorial run 6          on your own steps: ./tutorial run 6 --mine
//         ./tutorial run 6 -- --deeper
//         ./tutorial run 6 -- --p 0.5 --text "the dog saw the cat"
#include <fmt/format.h>

#include "chapters/06_residual_dropout/program/options.hpp"
#include "common/base/errors.hpp"

namespace tfs {

Sections by_hand_sections(), coin_statistics_sections(), deciding_parts_sections(),
    sentence_dropout_sections(), row_sums_sections(), dropout_block_sections(), two_dropouts_sections(),
    unit_distribution_sections(), copied_generator_sections(), stack_gradients_sections(),
    stream_sizes_sections(), stack_identity_sections();

Chapter chapter() {
    return {
        .name = "06_residual_dropout",
        .description = "Dropout and residual connections: masks, places, and what they do to deep stacks.",
        .sections =
            joined({by_hand_sections(), coin_statistics_sections(), deciding_parts_sections(),
                    sentence_dropout_sections(), row_sums_sections(), dropout_block_sections(),
                    two_dropouts_sections(), unit_distribution_sections(), copied_generator_sections(),
                    stack_gradients_sections(), stream_sizes_sections(), stack_identity_sections()}),
        .check = [](const Request& request) {
            require_heads(request[options::heads], request[options::d_model]);
            if (request[options::p] == 1.0) throw ValueError("--p 1: must be at least 0 and less than 1");
        }};
}

}  // namespace tfs

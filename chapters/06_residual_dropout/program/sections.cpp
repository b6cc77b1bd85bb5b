// chapters/06_residual_dropout/program/sections.cpp · dropout and residuals on a sentence, and what they do to deep stacks
//
// Run it: ./tutorial run 6          on your own steps: ./tutorial run 6 --mine
//         ./tutorial run 6 -- --deeper
//         ./tutorial run 6 -- --p 0.5 --text "the dog saw the cat"
#include <fmt/format.h>

#include "chapters/06_residual_dropout/program/options.hpp"
#include "common/base/errors.hpp"

namespace tfs {

// One for each file of this folder, or two.
Section three_layers_by_hand(), mean_and_variance(), sentence_dropout(), dropped_weights(), row_sums(),
    dropout_block(), two_dropouts(), unit_distribution(), copied_generator(), stack_gradients(),
    stack_sizes(), stream_sizes_puzzle(), stack_identity(), deciding_parts(), one_deciding_part(),
    counts_of_deciding_parts();

Chapter chapter() {
    return {
        .name = "06_residual_dropout",
        .description = "Dropout and residual connections: masks, places, and what they do to deep stacks.",
        .sections = {three_layers_by_hand(), mean_and_variance(), deciding_parts(), one_deciding_part(),
                     counts_of_deciding_parts(), sentence_dropout(), dropped_weights(), row_sums(),
                     dropout_block(), two_dropouts(), unit_distribution(), copied_generator(),
                     stack_gradients(), stack_sizes(), stream_sizes_puzzle(), stack_identity()},
        .check = [](const Request& request) {
            require_heads(request[options::heads], request[options::d_model]);
            if (request[options::p] == 1.0) throw ValueError("--p 1: must be at least 0 and less than 1");
        }};
}

}  // namespace tfs

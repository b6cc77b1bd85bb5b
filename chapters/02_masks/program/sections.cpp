// chapters/02_masks/program/sections.cpp · an example by hand, every mask, a trained head under each, and what a mask must not let through
//
// Run it: ./tutorial run 2          on your own steps: ./tutorial run 2 --mine
//         ./tutorial run 2 -- --deeper
//         ./tutorial run 2 -- --text "the dog was tired" --window 2
#include "chapters/02_masks/program/options.hpp"

namespace tfs {

// One for each file of this folder, or two.
Section causal_by_hand(), every_mask(), one_head_under_each_mask(), nothing_leaks(),
    window_and_global_token(), masked_after_softmax(), cross_attention(), additive_as_boolean(),
    training_on_the_future(), padded_or_alone(), empty_rows(), keys_in_windows(), reach_of_windows(),
    allowed_cells(), growing_text_measured();

Chapter chapter() {
    return {
        .name = "02_masks",
        .description = "Masks: which keys a query may attend to.",
        .sections = {causal_by_hand(), every_mask(), one_head_under_each_mask(), nothing_leaks(),
                     window_and_global_token(), masked_after_softmax(), cross_attention(),
                     additive_as_boolean(), training_on_the_future(), padded_or_alone(), empty_rows(),
                     keys_in_windows(), reach_of_windows(), allowed_cells(), growing_text_measured()},
        .check =
            [](const Request& request) { require_heads(request[options::heads], request[options::d_model]); },
        // They show the trained head, and nothing of random weights.
        .belongs =
            [](const Section& section, const Request& request) {
                return !request[options::untrained] ||
                       (section.id != "puzzle" && section.id != "cross-attention");
            }};
}

}  // namespace tfs

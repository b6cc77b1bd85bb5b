// chapters/01_attention/program/sections.cpp · attention by hand, with trained weights, and with several heads
//
// Run it: ./tutorial run 1          on your own steps: ./tutorial run 1 --mine
//         ./tutorial run 1 -- --deeper
//         ./tutorial run 1 -- --text "the dog stood near the chair because it was soft"
#include "chapters/01_attention/program/options.hpp"

namespace tfs {

// One for each file of this folder, or two.
Section weighted_mean(), attention_by_hand(), trained_head(), untrained_head(), hand_made_head(),
    heads_side_by_side(), softmax_rows(), cross_attention(), best_keys(), score_scaling(), attention_cost();

Chapter chapter() {
    return {
        .name = "01_attention",
        .description = "Attention by hand, with trained weights, and with several heads.",
        .sections = {weighted_mean(), attention_by_hand(), trained_head(), untrained_head(), hand_made_head(),
                     heads_side_by_side(), softmax_rows(), cross_attention(), best_keys(), score_scaling(),
                     attention_cost()},
        .check =
            [](const Request& request) { require_heads(request[options::heads], request[options::d_model]); },
        .belongs =
            [](const Section& section, const Request& request) {
                return section.id != (request[options::untrained] ? "trained-head" : "untrained-head");
            },
        .options = {options::untrained}};
}

}  // namespace tfs

// chapters/01_attention/program/sections.cpp · attention by hand, with trained weights, and with several heads
//
// Run it: ./tutorial run 1          on your own steps: ./tutorial run 1 --mine
//         ./tutorial run 1 -- --deeper
//         ./tutorial run 1 -- --text "the dog stood near the chair because it was soft"
#include "chapters/01_attention/program/options.hpp"

namespace tfs {

Sections by_hand_sections(), trained_head_sections(), hand_made_head_sections(), heads_sections(),
    softmax_rows_sections(), score_scaling_sections(), attention_cost_sections();

Chapter chapter() {
    return {
        .name = "01_attention",
        .description = "Attention by hand, with trained weights, and with several heads.",
        .sections =
            joined({by_hand_sections(), trained_head_sections(), hand_made_head_sections(), heads_sections(),
                    softmax_rows_sections(), score_scaling_sections(), attention_cost_sections()}),
        .check =
            [](const Request& request) { require_heads(request[options::heads], request[options::d_model]); },
        .belongs =
            [](const Section& section, const Request& request) {
                return section.id != (request[options::untrained] ? "trained-head" : "untrained-head");
            },
        .options = {options::untrained}};
}

}  // namespace tfs

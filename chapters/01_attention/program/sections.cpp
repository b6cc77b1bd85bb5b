// chapters/01_attention/program/sections.cpp · attention by hand, with trained weights, and with several heads
//
// Run it: ./tutorial run 1          on your own steps: ./tutorial run 1 --mine
//         ./tutorial run 1 -- --deeper
//         ./tutorial run 1 -- --text "the dog stood near the chair because it was soft"
#include "chapters/01_attention/program/options.hpp"

namespace tfs {

Sections by_hand_sections(), softmax_and_scaling_sections(), heads_sections(), puzzle_sections();

Chapter chapter() {
    return {.name = "01_attention",
            .description = "Attention by hand, with trained weights, and with several heads.",
            .sections = joined(
                {by_hand_sections(), softmax_and_scaling_sections(), heads_sections(), puzzle_sections()}),
            .check = [](const Request& request) {
                require_heads(request[options::heads], request[options::d_model]);
            }};
}

}  // namespace tfs

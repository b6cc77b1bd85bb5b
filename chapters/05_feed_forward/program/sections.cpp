// chapters/05_feed_forward/program/sections.cpp · the feed-forward network by hand, on a sentence, as a memory, and what it adds to attention
//
// Run it: ./tutorial run 5          on your own steps: ./tutorial run 5 --mine
//         ./tutorial run 5 -- --deeper
//         ./tutorial run 5 -- --text "the dog saw the cat" --activation relu --d-ff 64
#include <fmt/format.h>

#include "chapters/05_feed_forward/program/options.hpp"

namespace tfs {

Sections networks_sections(), activations_sections(), trained_units_sections(), two_bits_sections(),
    fact_memory_sections(), exclusive_or_sections();

Chapter chapter() {
    return {.name = "05_feed_forward",
            .description = "The feed-forward network: activations, SwiGLU, and what it adds to attention.",
            .sections = joined({networks_sections(), activations_sections(), trained_units_sections(),
                                two_bits_sections(), fact_memory_sections(), exclusive_or_sections()}),
            .check = [](const Request& request) {
                if (request[options::d_ff] == 1)  // the half of 1 for SwiGLU would be nothing
                    throw ValueError(fmt::format("--d-ff 1: must be between 2 and {}, or 0 for 4 x --d-model",
                                                 options::d_ff.high));
            }};
}

}  // namespace tfs

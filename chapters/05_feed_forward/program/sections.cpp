// chapters/05_feed_forward/program/sections.cpp · the feed-forward network by hand, on a sentence, as a memory, and what it adds to attention
//
// Run it: ./tutorial run 5          on your own steps: ./tutorial run 5 --mine
//         ./tutorial run 5 -- --deeper
//         ./tutorial run 5 -- --text "the dog saw the cat" --activation relu --d-ff 64
#include <fmt/format.h>

#include "chapters/05_feed_forward/program/options.hpp"

namespace tfs {

Sections by_hand_sections(), sentence_networks_sections(), token_independence_sections(),
    two_bits_task_sections(), fact_memory_sections(), trained_units_sections(), agreement_sections(),
    exclusive_or_training_sections(), attention_exclusive_or_sections(), superposition_sections(),
    activation_curves_sections(), dead_units_sections(), network_sizes_sections(),
    activation_times_sections(), width_training_sections();

namespace {

// The half of 1 for SwiGLU would be nothing.
void check_hidden_size(const Request& request) {
    if (request[options::d_ff] == 1)
        throw ValueError(
            fmt::format("--d-ff 1: must be between 2 and {}, or 0 for 4 x --d-model", options::d_ff.high));
}

}  // namespace

Chapter chapter() {
    return {.name = "05_feed_forward",
            .description = "The feed-forward network: activations, SwiGLU, and what it adds to attention.",
            .sections = joined(
                {by_hand_sections(), sentence_networks_sections(), token_independence_sections(),
                 two_bits_task_sections(), fact_memory_sections(), trained_units_sections(),
                 agreement_sections(), exclusive_or_training_sections(), attention_exclusive_or_sections(),
                 superposition_sections(), activation_curves_sections(), dead_units_sections(),
                 network_sizes_sections(), activation_times_sections(), width_training_sections()}),
            .check = check_hidden_size};
}

}  // namespace tfs

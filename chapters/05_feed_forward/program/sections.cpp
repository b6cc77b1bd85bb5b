// chapters/05_feed_forward/program/sections.cpp · the feed-forward network by hand, on a sentence, as a memory, and what it adds to attention
//
// Run it: ./tutorial run 5          on your own steps: ./tutorial run 5 --mine
//         ./tutorial run 5 -- --deeper
//         ./tutorial run 5 -- --text "the dog saw the cat" --activation relu --d-ff 64
#include <fmt/format.h>

#include "chapters/05_feed_forward/program/options.hpp"

namespace tfs {

// One for each file of this folder, or two.
Section switch_by_hand(), network_on_a_sentence(), swiglu_on_a_sentence(), position_by_position(), two_bits(),
    fact_memory(), units_that_can_be_read(), wrong_verbs(), contexts_of_units(), exclusive_or_training(),
    second_token(), linearity(), activation_curves(), activation_slopes(), gelu_approximations(),
    dead_units(), memory_capacity(), endings_of_units(), network_sizes(), activation_times(),
    width_training();

namespace {

// The half of 1 for SwiGLU would be nothing.
void check_hidden_size(const Request& request) {
    if (request[options::d_ff] == 1)
        throw ValueError(
            fmt::format("--d-ff 1: must be between 2 and {}, or 0 for 4 x --d-model", options::d_ff.high));
}

}  // namespace

Chapter chapter() {
    return {
        .name = "05_feed_forward",
        .description = "The feed-forward network: activations, SwiGLU, and what it adds to attention.",
        .sections =
            {switch_by_hand(),    network_on_a_sentence(), swiglu_on_a_sentence(),   position_by_position(),
             two_bits(),          fact_memory(),           units_that_can_be_read(), wrong_verbs(),
             contexts_of_units(), exclusive_or_training(), second_token(),           linearity(),
             activation_curves(), activation_slopes(),     gelu_approximations(),    dead_units(),
             memory_capacity(),   endings_of_units(),      network_sizes(),          activation_times(),
             width_training()},
        .check = check_hidden_size};
}

}  // namespace tfs

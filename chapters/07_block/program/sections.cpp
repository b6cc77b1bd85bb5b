// chapters/07_block/program/sections.cpp · the Transformer block on a sentence, what two blocks look at, and what a block costs
//
// Run it: ./tutorial run 7          on your own steps: ./tutorial run 7 --mine
//         ./tutorial run 7 -- --deeper
//         ./tutorial run 7 -- --heads 2 --text "the dog saw the cat"
#include "chapters/07_block/given/block_checks.hpp"
#include "chapters/07_block/program/options.hpp"

namespace tfs {

Sections one_block_sections(), attention_maps_sections(), cost_shares_sections();

namespace {

// The widths must fit blocks with rotary positions, too.
void check(const Request& request) {
    const std::size_t heads = request[options::heads], d_model = request[options::d_model];
    require_heads(heads, d_model);
    throw_problems("--heads and --d-model",
                   problems({.d_model = d_model, .num_heads = heads, .positions = Rotary{}}));
}

}  // namespace

Chapter chapter() {
    return {.name = "07_block",
            .description =
                "The Transformer block: its data flow, what two blocks look at, and what a block costs.",
            .sections = joined({one_block_sections(), attention_maps_sections(), cost_shares_sections()}),
            .check = check};
}

}  // namespace tfs

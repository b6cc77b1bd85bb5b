// chapters/07_block/program/sections.cpp · the Transformer block on a sentence, what it costs, and what it does to deep stacks
//
// Run it: ./tutorial run 7          on your own steps: ./tutorial run 7 --mine
//         ./tutorial run 7 -- --deeper
//         ./tutorial run 7 -- --heads 2 --text "the dog saw the cat"
//         ./tutorial run 7 -- --model llama3-8b --seq 8192
#include "chapters/07_block/given/block_checks.hpp"
#include "chapters/07_block/program/options.hpp"

namespace tfs {

Sections by_hand_sections(), block_steps_sections(), attention_maps_sections(), two_blocks_sections(),
    kept_bytes_sections(), calculator_sections(), parameter_items_sections(), cost_shares_sections(),
    stack_gradients_sections();

namespace {

// The widths must fit blocks with rotary positions, too.
void check(const Request& request) {
    const std::size_t heads = request[options::heads], d_model = request[options::d_model];
    require_heads(heads, d_model);
    throw_problems("--heads and --d-model",
                   problems({.d_model = d_model, .num_heads = heads, .positions = Rotary{}}));
}

// With --model nothing but what that model costs.
bool belongs(const Section& section, const Request& request) {
    if (section.id == "model" || !request[options::model].empty())
        return (section.id == "model") == !request[options::model].empty();
    return section.id != (request[options::untrained] ? "trained-attention" : "untrained-attention");
}

}  // namespace

Chapter chapter() {
    return {
        .name = "07_block",
        .description = "The Transformer block: its data flow, its costs, and what a stack of them does.",
        .sections = joined({by_hand_sections(), block_steps_sections(), attention_maps_sections(),
                            two_blocks_sections(), kept_bytes_sections(), calculator_sections(),
                            parameter_items_sections(), cost_shares_sections(), stack_gradients_sections()}),
        .check = check,
        .belongs = belongs,
        .options = {options::untrained}};
}

}  // namespace tfs

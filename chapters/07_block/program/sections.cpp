// chapters/07_block/program/sections.cpp · the Transformer block on a sentence, what it costs, and what it does to deep stacks
//
// Run it: ./tutorial run 7          on your own steps: ./tutorial run 7 --mine
//         ./tutorial run 7 -- --deeper
//         ./tutorial run 7 -- --heads 2 --text "the dog saw the cat"
//         ./tutorial run 7 -- --model llama3-8b --seq 8192
#include "chapters/07_block/given/block_checks.hpp"
#include "chapters/07_block/program/options.hpp"

namespace tfs {

// One for each file of this folder, or two.
Section block_by_hand(), pre_norm_steps(), post_norm_steps(), trained_attention(), untrained_attention(),
    two_blocks(), block_parts(), kept_bytes(), three_norms(), model_sizes(), parameter_items(), cost_shares(),
    deep_stacks(), model_costs();

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
    return {.name = "07_block",
            .description = "The Transformer block: its data flow, its costs, and what a stack of them does.",
            .sections = {block_by_hand(), pre_norm_steps(), post_norm_steps(), trained_attention(),
                         untrained_attention(), two_blocks(), block_parts(), kept_bytes(), three_norms(),
                         model_sizes(), parameter_items(), cost_shares(), deep_stacks(), model_costs()},
            .check = check,
            .belongs = belongs,
            .options = {options::untrained}};
}

}  // namespace tfs

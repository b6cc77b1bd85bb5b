// chapters/07_block/program/main.cpp · the Transformer block on a sentence, what it costs, and what it does to deep stacks
//
// Run it: ./tutorial run 7          on your own steps: ./tutorial run 7 --mine
//         ./tutorial run 7 -- --deeper
//         ./tutorial run 7 -- --heads 2 --text "the dog saw the cat"
//         ./tutorial run 7 -- --model llama3-8b --seq 8192
#include <fmt/format.h>

#include "chapters/07_block/cost.hpp"
#include "chapters/07_block/given/block_checks.hpp"
#include "chapters/07_block/program/sections.hpp"

namespace {

using namespace tfs;

void show_the_sentence(Show& show, bool untrained) {
    show.section("By hand: two tokens, two features, a causal mask", [&] { show_block_by_hand(show); });
    const Sentence sentence = embed_sentence(show);
    show.section("A pre-norm block, step by step", [&] {
        show.figures.save(flow_figure(show));
        show_pre_norm(show, sentence.x);
    });
    show.deeper("The same parts in post-norm", [&] { show_post_norm(show, sentence.x); });
    show.section("What two trained blocks look at", [&] {
        show.figures.save(llama_flow_figure(show));
        std::optional<HeatMapFigure> trained;
        if (!untrained) trained = show_trained_attention(show);
        show.figures.save(trained ? *trained : show_untrained_attention(show, sentence));
    });
    show.section("Two blocks with weights by hand", [&] { show_two_blocks(show); });
    show.deeper("The pre-norm block, part by part", [&] {
        const BlockConfig config = sentence_config(show, NormPosition::pre);
        print(show.out, cost_table(block_costs(config, "", 1, show.tokens.size())));
    });
    show.deeper("What a block keeps for the backward pass: formula and tape",
                [&] { compare_with_tape(show, sentence.x); });
    show.deeper("One norm computed three times (times differ from run to run)",
                [&] { measure_three_norms(show, sentence.x); });
}

void show_costs(Show& show) {
    show.section("Parameters of a block: formula, counting, table", [&] { compare_counts(show); });
    show.deeper("Published models: sizes", [&] { compare_sizes(show); });
    show.deeper("Published models, and what a short formula leaves out",
                [&] { count_published_models(show); });
    show.deeper("Which part of a block of GPT-2 costs how much, one sequence",
                [&] { show.figures.save(show_cost_shares(show)); });
}

void show_stacks(Show& show) {
    show.deeper("Stacks of untrained blocks: which gradient arrives?", [&] {
        const std::vector<StacksOfDepth> stacks = run_stacks(show.options.seed);
        const StacksOfDepth& deepest = stacks.back();
        show.figures.save(show_gradients(show, stacks));
        show.deeper("The first block, lowest and highest of the seeds",
                    [&] { show_gradient_spread(show, stacks); });
        show.deeper(fmt::format("The gradient inside a stack of {}", deepest.depth),
                    [&] { show_gradient_profile(show, deepest); });
        show.deeper(fmt::format("The residual stream of {} blocks", deepest.depth),
                    [&] { show.figures.save(show_stream(show, deepest)); });
    });
}

// Nothing but what this model costs.
void show_the_model(Show& show, const PublishedModel& model, std::size_t seq) {
    show.section(fmt::format("{}, one sequence of {} positions", model.title, with_separators(seq)),
                 [&] { show_costs_of(show, model, seq); });
}

// The widths must fit blocks with rotary positions, too.
void check_widths(const SharedOptions& options) {
    throw_problems("--heads and --d-model",
                   problems({.d_model = options.d_model, .num_heads = options.heads, .positions = Rotary{}}));
}

}  // namespace

int main(int argc, char** argv) {
    bool untrained = false;
    std::string model;
    std::size_t seq = 1024;
    return tfs::run_chapter(
        argc, argv,
        {.name = "07_block",
         .description = "The Transformer block: its data flow, its costs, and what a stack of them does.",
         .limits = {.min_d_model = 2, .max_d_model = 256},
         .own_options =
             [&](tfs::Program& program) {
                 program.option("--untrained", untrained, "draw the attention of untrained blocks");
                 program.option("--model", model, "what a published model costs: " + published_model_names());
                 program.option("--seq", seq, "with --model: positions of the sequence");
             },
         .own_checks =
             [&](const tfs::SharedOptions& options) {
                 check_widths(options);
                 if (!model.empty()) (void)published_model(model);
                 require_between("--seq", seq, 1, 1'000'000);
             },
         .body =
             [&](tfs::Show& show) {
                 if (!model.empty()) {
                     show_the_model(show, published_model(model), seq);
                     return;
                 }
                 show_the_sentence(show, untrained);
                 show_costs(show);
                 show_stacks(show);
             }});
}

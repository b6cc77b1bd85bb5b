// chapters/07_block/program/main.cpp · the Transformer block on a sentence, what it costs, and what it does to deep stacks
//
// Run it: ./tutorial run 7          on your own steps: ./tutorial run 7 --mine
//         ./tutorial run 7 -- --heads 2 --text "the dog saw the cat"
#include <fmt/ostream.h>

#include <iostream>

#include "chapters/07_block/given/checks.hpp"
#include "chapters/07_block/program/claims.hpp"
#include "chapters/07_block/program/sentence.hpp"

namespace {

using namespace tfs;

constexpr std::size_t max_tokens = 64;    // a map with more rows can't be read
constexpr std::size_t max_d_model = 256;  // deep stacks of such blocks are run

struct Settings {
    std::string text = "The cat sat on the mat because it was tired";
    std::size_t heads = 4;
    std::size_t d_model = 32;
    std::uint64_t seed = 1;
    ShowOptions show;
};

Tokens checked(const Settings& s) {
    std::vector<std::string> found =
        problems({.d_model = s.d_model, .num_heads = s.heads, .rotary = RotaryConfig{}});
    if (s.d_model > max_d_model)
        found.push_back(fmt::format("d_model is {}, but at most {} here", s.d_model, max_d_model));
    throw_problems("--heads and --d-model", found);
    return tokens_of_text(s.text, max_tokens);
}

void show_example(Trace& trace, Figures& figures, const Example& example, bool ascii) {
    trace.section("A pre-norm block, step by step", [&] { trace_pre_norm(trace, example); });
    trace.section("The same parts in post-norm", [&] { trace_post_norm(trace, example); });
    trace.section("A block of LLaMA's kind, causal", [&] { trace_llama(trace, example); });
    trace.section("Attention of the untrained blocks",
                  [&] { figures.save(draw_attention(std::cout, example, ascii)); });
    figures.save(draw_flow(example));
    figures.save(draw_llama_flow(example));
    trace.section("The pre-norm block, part by part", [&] { show_summary(std::cout, example); });
    trace.section("Claim: the formula of activations is what the tape keeps",
                  [&] { compare_with_tape(std::cout, example); });
    trace.section("Claim: norm(x) three times changes nothing but the bill",
                  [&] { measure_three_norms(std::cout, example); });
}

void show(const Settings& s) {
    const Tokens tokens = checked(s);
    Figures figures(s.show);
    Trace trace(std::cout);
    trace.section("Three blocks on a sentence", [&] {
        const Example example = make_example(tokens, s.d_model, s.heads, s.seed);
        trace.note(fmt::format("{} token{}; d_ff {}, and {} where there are three matrices", tokens.size(),
                               tokens.size() == 1 ? "" : "s", example.pre.d_ff, example.llama.d_ff));
        show_example(trace, figures, example, s.show.ascii);
    });
    trace.section("Claim: formula, counting and the parts of the table agree",
                  [&] { compare_counts(std::cout); });
    trace.section("Claim: published models, and what the notes' formula leaves out",
                  [&] { count_published(std::cout); });
    trace.section("The four blocks of the source notes", [&] { compare_blocks_of_notes(std::cout); });
    trace.section("Claim: at common lengths the matrices cost the most, then the square of the length",
                  [&] { figures.save(measure_cost_by_length(std::cout)); });
    trace.section(
        "Claim: pre-norm keeps the gradient of the first block at every depth; "
        "that of the last falls as 1/sqrt(depth)",
        [&] {
            const StackClaims stacks = measure_gradients(std::cout, s.seed);
            figures.save(stacks.gradients);
            trace.section("Claim: the residual stream of pre-norm grows, and each block changes less of it",
                          [&] { figures.save(show_stream(std::cout, stacks.deepest)); });
        });
    figures.report(std::cout);
}

}  // namespace

int main(int argc, char** argv) {
    Settings s;
    tfs::Program program("07_block",
                         "The Transformer block: its data flow, its costs, and what a stack of them does.");
    program.option("--text", s.text, "the sentence, at most 64 tokens");
    program.option("--heads", s.heads, "number of heads; must divide --d-model, with an even d_k");
    program.option("--d-model", s.d_model, "width of the model");
    program.option("--seed", s.seed, "seed of the random weights");
    add_show_options(program, s.show);
    return program.run(argc, argv, [&] { show(s); });
}

// chapters/08_encoder_decoder/program/main.cpp · encoder, decoder and both on a sentence and one in place of its translation
//
// Run it: ./tutorial run 8          on your own steps: ./tutorial run 8 --mine
//         ./tutorial run 8 -- --text "the dog saw the cat" --target "<s> le chien" --layers 3
#include <fmt/ostream.h>

#include <iostream>

#include "chapters/08_encoder_decoder/program/costs.hpp"
#include "chapters/08_encoder_decoder/program/kinds.hpp"

namespace {

using namespace tfs;

constexpr std::size_t max_tokens = 32;  // a sheet of larger maps can't be read
constexpr std::size_t min_d_model = 4;  // a norm of two numbers leaves -1 and 1
constexpr std::size_t max_d_model = 128, max_layers = 6;

struct Settings {
    std::string text = "The cat sat on the mat because it was tired";
    std::string target = "<s> Le chat dort car il est las";
    std::size_t heads = 4;
    std::size_t d_model = 32;
    std::size_t layers = 4;
    std::uint64_t seed = 1;
    ShowOptions show;
};

KindSettings checked(const Settings& s) {
    require_between("--d-model", s.d_model, min_d_model, max_d_model);
    require_between("--layers", s.layers, 1, max_layers);
    require_heads(s.heads, s.d_model);
    const BlockConfig block{.d_model = s.d_model, .num_heads = s.heads, .d_ff = 4 * s.d_model};
    return {tokens_of_text(s.text, max_tokens),
            tokens_of_text(s.target, max_tokens, "--target"),
            {block, s.layers, true},
            s.seed,
            s.show.ascii};
}

void show_kinds(Trace& trace, Figures& figures, const KindSettings& s, const Kinds& kinds) {
    trace.section("Three kinds, one input", [&] {
        const KindOutputs outputs = trace_kinds(trace, kinds);
        trace.section("Who looks at whom", [&] {
            figures.save(show_who_looks(std::cout, s, outputs));
            for (const HeatMapFigure& sheet : draw_all_maps(s, outputs)) figures.save(sheet);
        });
        trace.section("Cross-attention", [&] { show_cross_map(trace, std::cout, s, outputs); });
    });
    trace.section("Claim: a decoder's output depends on nothing later, and on all of the source",
                  [&] { figures.save(measure_influence(std::cout, s, kinds)); });
    trace.section("Claim: encoder and decoder are one block, the mask is the difference",
                  [&] { measure_one_block(std::cout, s, kinds); });
    trace.section("Claim: padding of the source has to be masked twice",
                  [&] { measure_padding(std::cout, kinds); });
}

void show(const Settings& settings) {
    const KindSettings s = checked(settings);
    Figures figures(settings.show);
    Trace trace(std::cout);
    const Kinds kinds(s);
    fmt::print(
        "{} source tokens, {} target tokens; {} layers, d_model {}, {} heads, pre-norm; seed {}; "
        "untrained.\n",
        s.source.size(), s.target.size(), s.config.num_layers, settings.d_model, settings.heads, s.seed);
    show_kinds(trace, figures, s, kinds);
    trace.section("The encoder-decoder, part by part", [&] {
        print_summary(std::cout, encoder_decoder_costs(s.config, 1, s.source.size(), s.target.size()));
        figures.save(draw_flow(s.config, s.source.size(), s.target.size()));
    });
    trace.section("Parameters and cost at equal width", [&] {
        figures.save(compare_costs(std::cout, kinds.both, s.config, kinds.source, kinds.target));
    });
    trace.section("Claim: a pre-norm stack needs a norm at its end, a post-norm stack does not",
                  [&] { figures.save(measure_final_norm(std::cout, s.seed)); });
    trace.section("Claim: the source is encoded once, for any number of tokens",
                  [&] { figures.save(measure_reuse(std::cout, kinds.both, kinds.source, kinds.target)); });
    figures.report(std::cout);
}

}  // namespace

int main(int argc, char** argv) {
    Settings s;
    tfs::Program program("08_encoder_decoder",
                         "Encoder, decoder and both together: who looks at whom, and what it costs.");
    program.option("--text", s.text, "the source sentence, at most 32 tokens");
    program.option("--target", s.target, "the target sentence, at most 32 tokens");
    program.option("--heads", s.heads, "number of heads; must divide --d-model");
    program.option("--d-model", s.d_model, "width of the model");
    program.option("--layers", s.layers, "blocks on each side, at most 6");
    program.option("--seed", s.seed, "seed of the random weights");
    add_show_options(program, s.show);
    return program.run(argc, argv, [&] { show(s); });
}

// chapters/08_encoder_decoder/program/main.cpp · encoder, decoder and both on a sentence and one in place of its translation
//
// Run it: ./tutorial run 8          on your own steps: ./tutorial run 8 --mine
//         ./tutorial run 8 -- --deeper
//         ./tutorial run 8 -- --text "the dog saw the cat" --target "<s> le chien" --layers 3
#include <fmt/ostream.h>

#include "chapters/08_encoder_decoder/cost.hpp"
#include "chapters/08_encoder_decoder/program/sections.hpp"

namespace {

using namespace tfs;

constexpr std::size_t max_tokens = 32;  // a sheet of larger maps can't be read
constexpr std::size_t max_layers = 6;

struct OwnOptions {
    std::string target = "<s> Le chat dort car il est las";
    std::size_t layers = 4;
    bool untrained = false;
};

Tokens target_words(const OwnOptions& own) { return tokens_of_text(own.target, max_tokens, "--target"); }

ThreeModels models_of(const Show& show, const OwnOptions& own) {
    const std::size_t d_model = show.options.d_model, heads = show.options.heads;
    const BlockConfig block{.d_model = d_model, .num_heads = heads, .d_ff = 4 * d_model};
    const ThreeModels models =
        make_three_models({block, own.layers, true}, show.tokens, target_words(own), show.options.seed);
    fmt::print(show.out,
               "{} source tokens, {} target tokens; {} layers, d_model {}, {} heads, pre-norm; seed {}; "
               "untrained.\n",
               models.source_words.size(), models.target_words.size(), own.layers, d_model, heads,
               show.options.seed);
    return models;
}

// The options that ask for models of other sizes, or for another target.
std::vector<std::string> changed_options(const Show& show, const OwnOptions& own) {
    std::vector<std::string> changed;
    const auto add = [&](bool is_changed, std::string name) {
        if (is_changed) changed.push_back(std::move(name));
    };
    add(show.options.heads != SharedOptions{}.heads, fmt::format("--heads {}", show.options.heads));
    add(show.options.d_model != SharedOptions{}.d_model, fmt::format("--d-model {}", show.options.d_model));
    add(own.layers != OwnOptions{}.layers, fmt::format("--layers {}", own.layers));
    add(own.target != OwnOptions{}.target, "--target");
    return changed;
}

// Figures and maps of the trained models where they can do what is asked, else those of random weights.
void show_maps(Show& show, const ThreeModels& models, const ThreeOutputs& outputs, const OwnOptions& own) {
    std::optional<TrainedModels> trained;
    if (!own.untrained) trained = load_trained_models(show, changed_options(show, own));
    const HeatMapFigure untrained = show_who_looks(show, models, outputs);
    if (trained) {
        for (const HeatMapFigure& figure : trained_figures(show, *trained)) show.figures.save(figure);
        show.deeper("Cross-attention of a trained model", [&] { show_trained_cross_map(show, *trained); });
    } else {
        show.figures.save(untrained);
        for (const std::vector<View>& sheet : draw_all_maps(models, outputs)) show.figures.save(sheet);
        show.section("Cross-attention", [&] { show_cross_map(show, models, outputs.both); });
    }
}

void show_three_models(Show& show, const ThreeModels& models, const OwnOptions& own) {
    show.section("By hand: each word takes the mean of what it may see", [&] { show_by_hand(show); });
    show.section("Three kinds, one input", [&] {
        const ThreeOutputs outputs = trace_three_models(show, models);
        show.section("Who looks at whom", [&] { show_maps(show, models, outputs, own); });
    });
    show.section("Which outputs depend on a later input",
                 [&] { show.figures.save(measure_influence(show, models)); });
    show.section("Encoder and decoder are one block under two masks",
                 [&] { measure_mask_difference(show, models); });
    show.section("Puzzle: a head that reads the source backwards", [&] {
        measure_backwards(show);
        show.figures.save(backwards_figure());
    });
    show.deeper("Padding of the source has to be masked twice",
                [&] { measure_source_padding(show, models); });
}

void show_costs(Show& show, const ThreeModels& models) {
    show.deeper("The encoder-decoder, part by part", [&] {
        const std::size_t source = models.source.size(1), target = models.target.size(1);
        print(show.out, cost_table(encoder_decoder_costs(models.config, 1, source, target)));
        show.figures.save(draw_data_flow(models.config, source, target));
    });
    show.deeper("Parameters and cost at equal width", [&] {
        compare_with_tape(show, models);
        show.out << '\n';
        show.figures.save(compare_costs(show));
    });
    show.deeper("A pre-norm stack needs a norm at its end, a post-norm stack does not",
                [&] { show.figures.save(measure_final_norm(show)); });
    show.deeper("The source is encoded once, for any number of tokens",
                [&] { show.figures.save(measure_reuse(show, models)); });
}

}  // namespace

int main(int argc, char** argv) {
    OwnOptions own;
    return tfs::run_chapter(
        argc, argv,
        {.name = "08_encoder_decoder",
         .description = "Encoder, decoder and both together: who looks at whom, and what it costs.",
         .limits = {.max_tokens = max_tokens,
                    .min_d_model = 4,  // a norm of two numbers leaves -1 and 1
                    .max_d_model = 128},
         .own_options =
             [&](tfs::Program& program) {
                 program.option("--target", own.target, "the target sentence, at most 32 tokens");
                 program.option("--layers", own.layers, "blocks on each side, at most 6");
                 program.option("--untrained", own.untrained, "draw no trained models, only random weights");
             },
         .own_checks =
             [&](const auto&) {
                 tfs::require_between("--layers", own.layers, 1, max_layers);
                 (void)target_words(own);
             },
         .body =
             [&](tfs::Show& show) {
                 const ThreeModels models = models_of(show, own);
                 show_three_models(show, models, own);
                 show_costs(show, models);
             }});
}

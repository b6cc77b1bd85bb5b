// chapters/01_attention/program/main.cpp · attention by hand, with trained weights, and with several heads
//
// Run it: ./tutorial run 1          on your own steps: ./tutorial run 1 --mine
//         ./tutorial run 1 -- --deeper
//         ./tutorial run 1 -- --text "the dog stood near the chair because it was soft"
#include <fmt/format.h>

#include "chapters/01_attention/program/sections.hpp"

namespace {

using namespace tfs;

void show_attention(Show& show, bool untrained) {
    show.section("By hand: a weighted mean", [&] { show_weighted_mean(show); });
    show.section("By hand: attention with two features", [&] { show_attention_by_hand(show); });
    Rng rng(show.options.seed);
    const Vocabulary vocabulary = build_vocabulary(show.tokens);
    const Tensor x = Embedding(vocabulary.words.size(), show.options.d_model, rng)(vocabulary.ids);
    const MultiHeadAttention attention(show.options.d_model, show.options.heads, rng);
    show.section(untrained ? "An untrained head, step by step" : "A trained head, step by step", [&] {
        const std::optional<NounFinder> model = untrained ? std::nullopt : load_trained_head(show);
        if (model) {
            show_trained_head(show, *model);
        } else {
            show_untrained_head(show, x, attention);
        }
        show.figures.save(head_flow());
    });
    show.section("Puzzle: a head by hand", [&] { show_head_by_hand(show); });
    show.section(fmt::format("{} heads side by side: shapes (random weights)", show.options.heads), [&] {
        show_heads(show, x, attention);
        show.figures.save(head_slices());
        show.deeper("Cross-attention: queries of the last tokens, keys and values of all",
                    [&] { show_cross_attention(show, x, attention); });
    });
    show.deeper("What the trained head looks for: the words with the highest scores", [&] {
        show_best_keys(show, load_network<NounFinder>(weights_file("nouns"), noun_finder_kind()));
    });
    show.deeper("The division by sqrt(d_k), measured", [&] { show.figures.save(measure_scaling(show)); });
    show.deeper("The cost is quadratic in the length (times differ from run to run)",
                [&] { show.figures.save(measure_cost(show)); });
}

}  // namespace

int main(int argc, char** argv) {
    bool untrained = false;
    return tfs::run_chapter(
        argc, argv,
        {.name = "01_attention",
         .description = "Attention by hand, with trained weights, and with several heads.",
         .own_options =
             [&](tfs::Program& program) {
                 program.option("--untrained", untrained, "random weights in place of the trained head");
             },
         .body = [&](tfs::Show& show) { show_attention(show, untrained); }});
}

// chapters/01_attention/program/main.cpp · attention on a sentence: every shape, a map for each head, and the claims measured
//
// Run it: ./tutorial run 1          on your own steps: ./tutorial run 1 --mine
//         ./tutorial run 1 -- --deeper
//         ./tutorial run 1 -- --text "the dog saw the cat" --heads 2
#include <fmt/format.h>

#include "chapters/01_attention/program/sections.hpp"

namespace {

using namespace tfs;

void show_attention(Show& show, bool untrained) {
    if (!untrained) show.section("A trained head: which noun is tired?", [&] { show_trained_head(show); });
    Rng rng(show.options.seed);
    const Tensor x = show_sentence(show, rng);
    show.section("One head, step by step", [&] { show.figures.save(show_one_head(show, x)); });
    show.section(fmt::format("{} heads side by side", show.options.heads), [&] {
        const MultiHeadAttention attention(show.options.d_model, show.options.heads, rng);
        show.figures.save(show_heads(show, x, attention));
        show.deeper("Cross-attention: queries of the last tokens, keys and values of all",
                    [&] { show_cross_attention(show, x, attention); });
    });
    show.section("Claim: without 1/sqrt(d_k) the softmax saturates",
                 [&] { show.figures.save(measure_scaling(show)); });
    show.deeper("Claim: the cost is quadratic in the length (times differ from run to run)",
                [&] { show.figures.save(measure_cost(show)); });
}

}  // namespace

int main(int argc, char** argv) {
    bool untrained = false;
    return tfs::run_chapter(
        argc, argv,
        {.name = "01_attention",
         .description = "Attention on a sentence: shapes, maps, and why the scores are scaled.",
         .own_options =
             [&](tfs::Program& program) {
                 program.option("--untrained", untrained, "leave out the trained head");
             },
         .body = [&](tfs::Show& show) { show_attention(show, untrained); }});
}

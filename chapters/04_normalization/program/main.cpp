// chapters/04_normalization/program/main.cpp · what a norm does to a sentence, and why a deep model needs one
//
// Run it: ./tutorial run 4          on your own steps: ./tutorial run 4 --mine
//         ./tutorial run 4 -- --deeper
//         ./tutorial run 4 -- --text "the dog saw the cat" --d-model 8

#include "chapters/04_normalization/program/sections.hpp"

namespace {

using namespace tfs;

// Rows that pass give the puzzle away, so a run of the solutions shows them with --deeper only.
void show_puzzle(Show& show) {
    if (show.on_own_steps())
        show.section("Your puzzle: what the norms can't see", [&] { show_twins(show); });
    else
        show.deeper("A solution of the puzzle", [&] { show_twins(show); });
}

void show_normalization(Show& show) {
    const Tensor x = uneven_embeddings(show);
    show.section("By hand: one row", [&] { show_by_hand(show); });
    show.section("The stream grows with each layer", [&] { show.figures.save(measure_stream(show)); });
    show.section("Attention needs a stream of one size", [&] { show_norm_before_attention(show); });
    show.section("The sentence, each token normalised by itself", [&] { show_token_statistics(show, x); });
    show.section("BatchNorm over positions sees the future", [&] { measure_leak(show, x); });

    show.deeper("The shapes", [&] { show_shapes(show, x); });
    show.deeper("gamma and beta", [&] { show.figures.save(draw_gamma_and_beta(show)); });
    show.deeper("The same by BatchNorm, each feature over all tokens", [&] { show_batch_norm(show, x); });
    show.deeper("A shift and a stretch of a row", [&] { measure_invariance(show); });
    show.deeper("Mean 0 and variance 1 do not make a distribution normal",
                [&] { show.figures.save(measure_histogram(show)); });
    show.deeper("Who shares the statistics", [&] { show.figures.save(measure_who_counts(show)); });
    show.deeper("BatchNorm: neighbours and padding", [&] { measure_neighbours(show, x); });
    show.deeper("BatchNorm: training and evaluation", [&] { measure_batch_size(show); });
    show.deeper("std + eps is not sqrt(variance + eps)", [&] { measure_sample_deviation(show); });
    show.deeper("bfloat16 is too coarse for a row whose mean is large",
                [&] { show.figures.save(measure_precision(show)); });
    show.deeper("Parameters, and time (times differ from run to run)", [&] { measure_cost(show); });
    show_puzzle(show);
}

}  // namespace

int main(int argc, char** argv) {
    return tfs::run_chapter(
        argc, argv,
        {.name = "04_normalization",
         .description = "LayerNorm, RMSNorm and BatchNorm on a sentence, and why a deep model needs a norm.",
         .limits = {.heads = false, .min_d_model = 2},
         .body = show_normalization});
}

// chapters/04_normalization/program/main.cpp · normalisation on a sentence: statistics per token, and the claims measured
//
// Run it: ./tutorial run 4          on your own steps: ./tutorial run 4 --mine
//         ./tutorial run 4 -- --deeper
//         ./tutorial run 4 -- --text "the dog saw the cat" --d-model 8
#include "chapters/04_normalization/program/sections.hpp"

namespace {

using namespace tfs;

void show_normalization(Show& show) {
    const Tensor x = uneven_embeddings(show);
    show.section("The sentence, each token normalised by itself", [&] { show_token_statistics(show, x); });
    show.deeper("The same by BatchNorm, each feature over all tokens", [&] { show_batch_norm(show, x); });
    show.section("Claim: a saturated unit does not learn; a normalised one does not saturate",
                 [&] { show.figures.save(measure_saturation(show)); });
    show.deeper("Claim: mean 0 and variance 1 do not make a distribution normal",
                [&] { show.figures.save(measure_histogram(show)); });
    show.deeper("Claim: the norms differ in who shares the statistics",
                [&] { show.figures.save(measure_who_counts(show)); });
    show.deeper("Claim: under BatchNorm a sentence depends on its neighbours and on padding",
                [&] { measure_neighbours(show, x); });
    show.deeper("Claim: BatchNorm in training and in evaluation differ, the more the smaller the batch",
                [&] { measure_batch_size(show); });
    show.deeper("Claim: std + eps is not sqrt(variance + eps)", [&] { measure_notes(show); });
    show.section("Claim: RMSNorm forgets the scale of a row, LayerNorm its offset too",
                 [&] { measure_invariance(show); });
    show.deeper("Claim: bfloat16 is too coarse for a row whose mean is large",
                [&] { show.figures.save(measure_precision(show)); });
    show.deeper(
        "Claim: RMSNorm has half the parameters and takes about as long (times differ from run to run)",
        [&] { measure_cost(show); });
}

}  // namespace

int main(int argc, char** argv) {
    return tfs::run_chapter(
        argc, argv,
        {.name = "04_normalization",
         .description = "LayerNorm, RMSNorm and BatchNorm on a sentence, and why one normalises.",
         .limits = {.heads = false, .min_d_model = 2},
         .body = show_normalization});
}

// chapters/06_residual_dropout/program/main.cpp · dropout and residuals on a sentence, and what they do to deep stacks
//
// Run it: ./tutorial run 6          on your own steps: ./tutorial run 6 --mine
//         ./tutorial run 6 -- --deeper
//         ./tutorial run 6 -- --p 0.5 --text "the dog saw the cat"
#include <fmt/format.h>

#include "chapters/06_residual_dropout/program/sections.hpp"
#include "chapters/06_residual_dropout/program/stack_gradients.hpp"

namespace {

using namespace tfs;

void show_the_sentence(Show& show, double p) {
    show.section(fmt::format("Dropout on the embedding, p = {}", p), [&] {
        const Tensor x = show_embedding(show, p);
        show.deeper("Masks: of three p, and of three calls", [&] { show.figures.save(draw_masks(show, x)); });
        show.section("Dropout on the attention weights",
                     [&] { show.figures.save(show_attention(show, p, x)); });
        show.deeper("Claim: the rows of the weights no longer sum to 1, but on average they do",
                    [&] { measure_row_sums(show, x); });
        show.deeper("A pre-norm block with dropout in every place", [&] { show_block(show, p, x); });
        show.deeper("Three things in the source notes", [&] { show_notes(show, p, x); });
    });
}

void show_residual_dropout(Show& show, double p) {
    show_the_sentence(show, p);
    show.section("Claim: the mean stays x, and the variance is x^2 p / (1-p)",
                 [&] { measure_mean_and_variance(show); });
    show.deeper("Claim: without 1/(1-p), training and evaluation differ in scale",
                [&] { show.figures.save(measure_unit_distribution(show, p)); });
    show.deeper("Claim: a copied generator drops the same entries for ever",
                [&] { measure_copied_generator(show); });
    show.section("Claim: residuals carry the gradient down; without a norm the stack explodes", [&] {
        const StackRows rows = measure_stacks(show);
        show_gradients(show, rows);
        show.figures.save(depth_figure(rows));
        show.deeper("The same stacks: their variance, and how alike their positions become",
                    [&] { show_variance_and_likeness(show, rows); });
    });
    show.deeper("Claim: a residual stack can begin as the identity",
                [&] { show.figures.save(measure_identity(show)); });
}

void check_p(double p) {
    if (!(p >= 0.0 && p < 1.0))
        throw ValueError(fmt::format("--p {}: must be at least 0 and less than 1", p));
}

}  // namespace

int main(int argc, char** argv) {
    double p = 0.2;
    return tfs::run_chapter(
        argc, argv,
        {.name = "06_residual_dropout",
         .description = "Dropout and residual connections: masks, places, and what they do to deep stacks.",
         .limits = {.min_d_model = 2, .max_d_model = 256},
         .own_options =
             [&](tfs::Program& program) {
                 program.option("--p", p, "probability to drop an entry, 0 <= p < 1");
             },
         .own_checks = [&](const auto&) { check_p(p); },
         .body = [&](tfs::Show& show) { show_residual_dropout(show, p); }});
}

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
    show.section(fmt::format("Dropout on the embedding and on the attention weights, p = {}", p), [&] {
        const Tensor x = show_embedding(show, p);
        show.figures.save(show_attention(show, p, x));
        show.deeper("The rows of the weights sum to 1 only on average", [&] { measure_row_sums(show, x); });
        show.deeper("A pre-norm block with dropout in every place", [&] { show_block(show, p, x); });
        show.deeper("Dropout on the weights and on the output are two places",
                    [&] { show_two_dropouts(show, p, x); });
    });
}

void show_dropout(Show& show, double p) {
    show.section("Dropout keeps the mean", [&] { measure_mean_and_variance(show); });
    show_the_sentence(show, p);
    show.deeper("Without 1/(1-p), training and evaluation differ",
                [&] { show.figures.save(measure_unit_distribution(show, p)); });
    show.deeper("A copied generator drops the same entries for ever",
                [&] { measure_copied_generator(show); });
}

void show_stacks(Show& show) {
    show.section("Deep stacks: what arrives at the first layer", [&] {
        const StackRows rows = measure_stacks(show);
        show_gradients(show, rows);
        show.figures.save(depth_figure(rows));
        show.deeper("The same stacks: their variance, and how alike their positions become",
                    [&] { show_variance_and_likeness(show, rows); });
    });
    show.section("Puzzle: the size of the stream", [&] { show.figures.save(show_stream_sizes(show)); });
    show.deeper("A residual stack can begin as the identity",
                [&] { show.figures.save(measure_identity(show)); });
}

void show_residual_dropout(Show& show, double p) {
    show.section("By hand: three layers", [&] {
        show_by_hand(show);
        show.figures.save(ways_figure());
    });
    show_dropout(show, p);
    show_stacks(show);
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

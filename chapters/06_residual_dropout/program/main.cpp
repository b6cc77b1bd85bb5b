// chapters/06_residual_dropout/program/main.cpp · dropout and residuals on a sentence, and what they do to deep stacks
//
// Run it: ./tutorial run 6          on your own steps: ./tutorial run 6 --mine
//         ./tutorial run 6 -- --p 0.5 --text "the dog saw the cat"
#include <fmt/ostream.h>

#include <iostream>

#include "chapters/06_residual_dropout/program/depth.hpp"
#include "chapters/06_residual_dropout/program/places.hpp"
#include "chapters/06_residual_dropout/program/statistics.hpp"

namespace {

using namespace tfs;

constexpr std::size_t max_tokens = 64;    // a map with more rows can't be read
constexpr std::size_t max_d_model = 256;  // the block is run hundreds of times

struct Settings {
    std::string text = "The cat sat on the mat because it was tired";
    std::size_t heads = 4;
    std::size_t d_model = 32;
    double p = 0.2;
    std::uint64_t seed = 1;
    ShowOptions show;
};

PlaceSettings checked(const Settings& s) {
    if (!(s.p >= 0.0 && s.p < 1.0)) {
        throw ValueError(fmt::format("--p {}: must be at least 0 and less than 1", s.p));
    }
    require_between("--d-model", s.d_model, 2, max_d_model);
    require_heads(s.heads, s.d_model);
    return {tokens_of_text(s.text, max_tokens), s.heads, s.p, s.seed, s.show.ascii};
}

void show(const Settings& settings) {
    const PlaceSettings s = checked(settings);
    Figures figures(settings.show);
    Trace trace(std::cout);
    trace.section(fmt::format("Dropout on the embedding, p = {}", s.p), [&] {
        const Tensor x = show_embedding(trace, s, settings.d_model);
        trace.section("Masks: of three p, and of three calls",
                      [&] { figures.save(draw_masks(trace, s, x)); });
        trace.section("Dropout on the attention weights", [&] {
            figures.save(draw_attention(trace, s, x));
            std::cout << '\n';
            measure_row_sums(std::cout, x, s.heads, s.seed);
        });
        trace.section("A pre-norm block with dropout in every place", [&] { show_block(trace, s, x); });
        trace.section("Three things in the source notes", [&] { show_notes(trace, s, x); });
    });
    trace.section("Claim: the mean stays x, and the variance is x^2 p / (1-p)",
                  [&] { measure_mean_and_variance(std::cout, s.seed); });
    trace.section("Claim: without 1/(1-p), training and evaluation differ in scale",
                  [&] { figures.save(measure_output_distribution(std::cout, s.p, s.seed)); });
    trace.section("Claim: a copied generator drops the same entries for ever",
                  [&] { measure_copied_generator(std::cout, s.seed); });
    trace.section("Claim: residuals carry the gradient down; without a norm the stack explodes",
                  [&] { figures.save(measure_depth(std::cout, s.seed)); });
    trace.section("Claim: a residual stack can begin as the identity",
                  [&] { figures.save(measure_identity(std::cout, s.seed)); });
    figures.report(std::cout);
}

}  // namespace

int main(int argc, char** argv) {
    Settings s;
    tfs::Program program("06_residual_dropout",
                         "Dropout and residual connections: masks, places, and what they do to deep stacks.");
    program.option("--text", s.text, "the sentence, at most 64 tokens");
    program.option("--p", s.p, "probability to drop an entry, 0 <= p < 1");
    program.option("--heads", s.heads, "number of heads; must divide --d-model");
    program.option("--d-model", s.d_model, "width of the model");
    program.option("--seed", s.seed, "seed of the random weights and masks");
    add_show_options(program, s.show);
    return program.run(argc, argv, [&] { show(s); });
}

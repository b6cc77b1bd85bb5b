// chapters/03_positional_encoding/program/main.cpp · four ways to tell positions apart, on a sentence, and the claims measured
//
// Run it: ./tutorial run 3          on your own steps: ./tutorial run 3 --mine
//         ./tutorial run 3 -- --deeper
//         ./tutorial run 3 -- --text "the dog saw the cat" --heads 2 --d-model 64
#include <fmt/format.h>

#include "chapters/03_positional_encoding/program/sections.hpp"

namespace {

using namespace tfs;

constexpr std::size_t longest_table = 8192;

void show_the_sentence(Show& show, std::size_t max_len) {
    const SharedOptions& options = show.options;
    Rng rng(options.seed);
    const Tensor x = show_sentence(show, rng);
    const PositionedAttention layer(options.d_model, options.heads, max_len, options.seed + 1);
    show.section("Positions added to x", [&] {
        show_added(show, layer, x);
        show.figures.save(table_figure(layer.sinusoids().table));
    });
    show.section("Positions that turn queries and keys", [&] { show_turned(show, layer, x); });
    show.section("Order from nothing: the words in another order", [&] { measure_orders(show, layer, x); });
}

void show_turning(Show& show) {
    show.section("By hand: one pair of features turned by RoPE", [&] {
        show_by_hand(show);
        show.figures.save(turn_figure());
    });
}

void show_puzzle(Show& show) {
    show.section("Puzzle: a head that looks at the previous token", [&] {
        measure_previous_token(show);
        show.figures.save(previous_token_figure());
    });
}

void show_finders(Show& show) {
    show.section("One trained head looks for the last marker (digits differ between machines)", [&] {
        const std::vector<Finder> finders = fitted_finders(show.options.seed);
        show.figures.save(markers_figure(finders));
        show.figures.save(measure_lengths(show, finders));
    });
}

void show_claims(Show& show, std::size_t max_len) {
    show.deeper("A shift of the sinusoids is a rotation, and their dot product knows the distance", [&] {
        const SinusoidalPositionalEncoding encoding(show.options.d_model, max_len);
        measure_rotation(show, max_len);
        measure_dot_products(show, encoding.table);
        show.figures.save(columns_figure(encoding.table));
        show.figures.save(similarity_figure(encoding.table));
    });
    show.deeper("Angles need double", [&] { measure_float_angles(show); });
    show.deeper("Rotary scores depend on the distance alone", [&] {
        measure_rotary(show);
        show.figures.save(phases_figure(RotaryEmbedding(64, max_len)));
    });
    show.deeper("A trap: angles laid along the heads", [&] { measure_angles_along_heads(show); });
    show.deeper("ALiBi", [&] {
        show_bias(show);
        show.out << '\n';
        measure_alibi(show);
        show.figures.save(bias_figure(8, 8));
        show.figures.save(decay_figure(show.options.seed));
    });
}

void show_lengths(Show& show, std::size_t max_len) {
    show.deeper("Past the trained length", [&] {
        count_slow_pairs(show, show.options.d_model / show.options.heads, max_len);
        show.out << '\n';
        measure_unseen_rows(show);
    });
    show.deeper("Untrained attention over more and more keys", [&] { measure_spread(show); });
}

void check_widths(const SharedOptions& options, std::size_t max_len) {
    if (options.d_model % 2 != 0) {
        throw ValueError(
            fmt::format("--d-model {} is odd: sines and cosines come in pairs", options.d_model));
    }
    if (options.d_model / options.heads % 2 != 0) {
        throw ValueError(
            fmt::format("--d-model {} in --heads {} gives heads of width {}, which is odd: rotary "
                        "positions turn columns in pairs",
                        options.d_model, options.heads, options.d_model / options.heads));
    }
    const std::size_t tokens = split_words(options.text).size();
    if (max_len < tokens || max_len > longest_table) {
        throw ValueError(fmt::format("--max-len {}: must be between the {} tokens of --text and {}", max_len,
                                     tokens, longest_table));
    }
}

}  // namespace

int main(int argc, char** argv) {
    std::size_t max_len = 128;
    return tfs::run_chapter(
        argc, argv,
        {.name = "03_positional_encoding",
         .description =
             "Sinusoids, learned positions, rotary positions and ALiBi: shapes, properties, limits.",
         .limits = {.max_d_model = 1024},
         .own_options =
             [&](tfs::Program& program) {
                 program.option("--max-len", max_len, "positions in the tables, at least as many as tokens");
             },
         .own_checks = [&](const tfs::SharedOptions& options) { check_widths(options, max_len); },
         .body =
             [&](tfs::Show& show) {
                 show_turning(show);
                 show_the_sentence(show, max_len);
                 show_finders(show);
                 show_puzzle(show);
                 show_claims(show, max_len);
                 show_lengths(show, max_len);
             }});
}

// chapters/03_positional_encoding/program/main.cpp · four ways to tell positions apart, on a sentence, and the claims measured
//
// Run it: ./tutorial run 3          on your own steps: ./tutorial run 3 --mine
//         ./tutorial run 3 -- --text "the dog saw the cat" --heads 2 --d-model 64
#include <fmt/ostream.h>

#include <iostream>

#include "chapters/02_masks/masks.hpp"
#include "chapters/03_positional_encoding/program/lengths.hpp"
#include "chapters/03_positional_encoding/program/orders.hpp"
#include "chapters/03_positional_encoding/program/rotary_claims.hpp"
#include "chapters/03_positional_encoding/program/sinusoid_claims.hpp"
#include "common/program.hpp"

namespace {

using namespace tfs;

constexpr std::size_t max_tokens = 64;     // a map with more rows can't be read
constexpr std::size_t max_d_model = 1024;  // and a wider model shows nothing new
constexpr std::size_t longest_table = 8192;

struct Settings {
    std::string text = "The cat sat on the mat because it was tired";
    std::size_t heads = 4;
    std::size_t d_model = 32;
    std::size_t max_len = 128;
    std::uint64_t seed = 1;
    ShowOptions show;
};

Tokens checked_tokens(const Settings& s) {
    require_between("--d-model", s.d_model, 1, max_d_model);
    if (s.d_model % 2 != 0) {
        throw ValueError(fmt::format("--d-model {} is odd: sines and cosines come in pairs", s.d_model));
    }
    require_heads(s.heads, s.d_model);
    if (s.d_model / s.heads % 2 != 0) {
        throw ValueError(
            fmt::format("--d-model {} in --heads {} gives heads of width {}, which is odd: rotary "
                        "positions turn columns in pairs",
                        s.d_model, s.heads, s.d_model / s.heads));
    }
    Tokens tokens = tokens_of_text(s.text, max_tokens);
    if (s.max_len < tokens.size() || s.max_len > longest_table) {
        throw ValueError(fmt::format("--max-len {}: must be between the {} tokens of --text and {}",
                                     s.max_len, tokens.size(), longest_table));
    }
    return tokens;
}

// Two ways add a row to x.
void show_added(Trace& trace, const PositionedAttention& layer, const Tensor& x) {
    const SinusoidalPositionalEncoding sinusoids = layer.sinusoids();
    trace.step("sinusoids.table", sinusoids.table, {"position", "d_model"}, "fixed");
    trace.step("x + sinusoids", sinusoids(x), {"batch", "seq", "d_model"}, "rows 0 ... seq-1 added");
    const LearnedPositionalEmbedding learned = layer.learned();
    trace.step("learned.table", learned.embedding.weight, {"position", "d_model"}, "untrained");
    trace.step("x + learned", learned(x), {"batch", "seq", "d_model"}, "the same addition");
}

// One turns queries and keys.
void show_turned(Trace& trace, const PositionedAttention& layer, const Tensor& x) {
    const Tensor q = split_heads(layer.attention.w_q(x), layer.attention.num_heads);
    const RotaryEmbedding rotary = layer.rotary();
    trace.step("rotary.cos", rotary.cos, {"position", "pair"}, "one angle a pair");
    trace.step("q", q, {"batch", "heads", "query", "d_k"}, "heads split");
    trace.step("q, turned", apply_rotary(q, rotary), {"batch", "heads", "query", "d_k"}, "k likewise, v not");
}

// One adds a bias to the scores. Below: what it makes of the first head's weights, under a causal mask.
void show_bias(Trace& trace, const Settings& s, const PositionedAttention& layer, const Tensor& x,
               const Tokens& tokens) {
    const std::size_t seq = tokens.size(), d_k = s.d_model / s.heads;
    const Tensor q = slice(split_heads(layer.attention.w_q(x), s.heads), 1, 0, 1);
    const Tensor k = slice(split_heads(layer.attention.w_k(x), s.heads), 1, 0, 1);
    const Tensor bias = alibi_bias(s.heads, seq, seq);
    trace.step("bias", bias, {"batch", "heads", "query", "key"}, "added to the scores");
    const Tensor weights = biased_attention(q, k, k, slice(bias, 1, 0, 1), causal_mask(seq)).weights;
    std::cout << '\n';
    print_heat_map(
        std::cout, reshape(weights, {seq, seq}).array(),
        {.title = fmt::format("head 1 (d_k {}) with ALiBi and a causal mask: near keys get more", d_k),
         .rows = tokens,
         .columns = tokens,
         .allowed = causal_square(seq)},
        terminal_style(s.show.ascii));
}

void show_sentence(Trace& trace, const Settings& s, const Tokens& tokens) {
    Rng rng(s.seed);
    const Vocabulary vocabulary = build_vocabulary(tokens);
    const Embedding embedding(vocabulary.words.size(), s.d_model, rng);
    const Tensor x = embedding(vocabulary.ids);
    trace.heading("The sentence");
    trace.note(fmt::format("{} tokens, {} different; seed {}; nothing is trained.", tokens.size(),
                           vocabulary.words.size(), s.seed));
    trace.step("x", x, {"batch", "seq", "d_model"}, "one row per token");
    const PositionedAttention layer(s.d_model, s.heads, s.max_len, s.seed + 1);
    trace.section("Positions added to x", [&] { show_added(trace, layer, x); });
    trace.section("Positions that turn queries and keys", [&] { show_turned(trace, layer, x); });
    trace.section("Positions in the scores", [&] { show_bias(trace, s, layer, x, tokens); });
    trace.section("Claim: without positions attention can't tell orders apart",
                  [&] { measure_orders(std::cout, layer, x, s.seed); });
}

void show_claims(Trace& trace, const Settings& s, Figures& figures) {
    std::ostream& out = std::cout;
    trace.section("Claim: a shift of the sinusoids is a rotation, and their dot product knows the distance",
                  [&] {
                      const SinusoidalPositionalEncoding encoding(s.d_model, s.max_len);
                      measure_rotation(out, s.d_model, s.max_len, s.seed);
                      measure_dot_products(out, encoding.table);
                      figures.save(table_figure(encoding.table));
                      figures.save(columns_figure(encoding.table));
                      figures.save(similarity_figure(encoding.table));
                  });
    trace.section("Claim: angles need double", [&] { measure_float_angles(out); });
    trace.section("Claim: rotary scores depend on the distance alone", [&] {
        measure_rotary(out, s.seed);
        figures.save(phases_figure(RotaryEmbedding(64, s.max_len)));
    });
    trace.section("The source notes: angles laid along the heads",
                  [&] { measure_angles_along_heads(out, s.seed); });
    trace.section("ALiBi", [&] {
        measure_alibi(out, s.heads, s.seed);
        figures.save(bias_figure(8, 8));
        figures.save(decay_figure(s.seed));
    });
}

void show_lengths(Trace& trace, const Settings& s, Figures& figures) {
    std::ostream& out = std::cout;
    trace.section("Claim: past the trained length every way fails in its own way", [&] {
        count_slow_pairs(out, s.d_model / s.heads, s.max_len);
        out << '\n';
        measure_unseen_rows(out, s.d_model, s.seed);
    });
    trace.section("One head that finds the last marker, fitted at length 32 (digits differ between machines)",
                  [&] { figures.save(measure_lengths(out, s.seed)); });
    trace.section("Untrained attention over more and more keys", [&] { measure_spread(out, s.seed); });
}

void show(const Settings& s) {
    const Tokens tokens = checked_tokens(s);
    Figures figures(s.show);
    Trace trace(std::cout);
    show_sentence(trace, s, tokens);
    show_claims(trace, s, figures);
    show_lengths(trace, s, figures);
    figures.report(std::cout);
}

}  // namespace

int main(int argc, char** argv) {
    Settings s;
    tfs::Program program(
        "03_positional_encoding",
        "Sinusoids, learned positions, rotary positions and ALiBi: shapes, properties, limits.");
    program.option("--text", s.text, "the sentence, at most 64 tokens");
    program.option("--heads", s.heads, "number of heads; must divide --d-model into even widths");
    program.option("--d-model", s.d_model, "width of the model, even");
    program.option("--max-len", s.max_len, "positions in the tables, at least as many as tokens");
    program.option("--seed", s.seed, "seed of the random weights");
    add_show_options(program, s.show);
    return program.run(argc, argv, [&] { show(s); });
}

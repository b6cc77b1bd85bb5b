// chapters/01_attention/program/main.cpp · attention on a sentence: every shape, a map for each head, and the claims measured
//
// Run it: ./tutorial run 1          on your own steps: ./tutorial run 1 --mine
//         ./tutorial run 1 -- --text "the dog saw the cat" --heads 2
#include <fmt/ostream.h>

#include <algorithm>
#include <cmath>
#include <iostream>

#include "chapters/01_attention/attention.hpp"
#include "chapters/01_attention/program/claims.hpp"
#include "common/program.hpp"

namespace {

using namespace tfs;

constexpr std::size_t max_tokens = 64;     // a map with more rows can't be read
constexpr std::size_t max_d_model = 4096;  // and a wider model shows nothing new

struct Settings {
    std::string text = "The cat sat on the mat because it was tired";
    std::size_t heads = 4;
    std::size_t d_model = 32;
    std::uint64_t seed = 1;
    ShowOptions show;
};

Tokens checked_tokens(const Settings& s) {
    require_between("--d-model", s.d_model, 1, max_d_model);
    require_heads(s.heads, s.d_model);
    return tokens_of_text(s.text, max_tokens);
}

// --- the sentence ---------------------------------------------------------------------------------------------------

// Step by step what one head of width d_k does with the sentence. Returns the three stages for the figure.
HeatMapFigure show_one_head(Trace& trace, const Settings& s, const Tensor& x, const Tokens& tokens) {
    const std::size_t d_k = s.d_model / s.heads;
    Rng rng(s.seed + 1);
    const SelfAttention head(s.d_model, d_k, d_k, rng);
    const Tensor q = head.w_q(x), k = head.w_k(x), v = head.w_v(x);
    trace.step("q", q, {"batch", "query", "d_k"}, "what a token looks for");
    trace.step("k", k, {"batch", "key", "d_k"}, "what it offers");
    trace.step("v", v, {"batch", "key", "d_v"}, "what it passes on");
    const Tensor scores = matmul(q, k, Transpose::b);
    trace.step("scores", scores, {"batch", "query", "key"}, "q k^T");
    const Tensor scaled = scores / std::sqrt(static_cast<float>(d_k));
    trace.step("scaled", scaled, {"batch", "query", "key"}, fmt::format("x 1/sqrt({})", d_k));
    const AttentionOutput result = scaled_dot_product_attention(q, k, v);
    trace.step("weights", result.weights, {"batch", "query", "key"}, "softmax over the keys");
    trace.step("output", result.output, {"batch", "query", "d_v"}, "weights x v");
    trace.check_rows_sum_to_one("weights", result.weights);

    const auto panel = [&](const std::string& title, const Tensor& t, ColourScale scale) {
        return HeatMapPanel{title, reshape(t, {t.size(-2), t.size(-1)}).array(), tokens, tokens, {}, scale};
    };
    const HeatMapPanel weights = panel("weights = softmax(scaled)", result.weights, ColourScale::probability);
    std::cout << '\n';
    print_heat_map(std::cout, weights.values,
                   {.title = "weights of one head", .rows = tokens, .columns = tokens},
                   terminal_style(s.show.ascii));
    return {
        .name = "stages",
        .title = "One head, untrained: from scores to weights",
        .panels = {panel("scores q kᵀ", scores, ColourScale::diverging),
                   panel(fmt::format("scaled by 1/sqrt({})", d_k), scaled, ColourScale::diverging), weights},
        .panels_per_row = 3};
}

// The same heads as a list of SelfAttention, each with its slice of the weights (the form of the source notes).
Tensor list_of_heads(const Tensor& x, const MultiHeadAttention& attention) {
    const std::size_t d_model = x.size(-1), d_k = d_model / attention.num_heads;
    Rng unused(0);
    std::vector<Tensor> outputs;
    for (std::size_t h = 0; h < attention.num_heads; ++h) {
        SelfAttention head(d_model, d_k, d_k, unused);
        const auto take = [&](Linear& part, const Linear& whole) {
            part.weight = slice(whole.weight, 0, h * d_k, (h + 1) * d_k);
            part.bias = slice(*whole.bias, 0, h * d_k, (h + 1) * d_k);
        };
        take(head.w_q, attention.w_q);
        take(head.w_k, attention.w_k);
        take(head.w_v, attention.w_v);
        outputs.push_back(head(x).output);
    }
    return attention.w_o(concat(outputs, -1));
}

// All heads at once. Returns one map for each of them.
HeatMapFigure show_heads(Trace& trace, const Settings& s, const Tensor& x,
                         const MultiHeadAttention& attention, const Tokens& tokens) {
    const Tensor q = split_heads(attention.w_q(x), s.heads);
    trace.step("q, split", q, {"batch", "heads", "query", "d_k"}, "each head: a slice");
    const AttentionOutput result = attention(x, x, x);
    trace.step("weights", result.weights, {"batch", "heads", "query", "key"}, "one map per head");
    trace.step("output", result.output, {"batch", "seq", "d_model"}, "heads merged, then w_o");
    trace.check_rows_sum_to_one("weights", result.weights);
    std::string entropies;
    for (std::size_t h = 0; h < s.heads; ++h) {
        entropies += fmt::format(" {:.2f}", mean_entropy(slice(result.weights, 1, h, h + 1)));
    }
    trace.note("mean entropy of each head, nats:" + entropies);
    const double difference = largest_difference(result.output.array(), list_of_heads(x, attention).array());
    trace.note(fmt::format("check  a list of {} SelfAttention gives the same output to 1e-5: {}", s.heads,
                           difference < 1e-5 ? "yes" : "NO"));

    const std::size_t drawn = std::min<std::size_t>(s.heads, 16);
    HeatMapFigure figure{.name = "heads",
                         .title = fmt::format("Attention weights of {}{} heads, untrained, d_model {}",
                                              drawn < s.heads ? "the first 16 of " : "", s.heads, s.d_model),
                         .panels_per_row = s.heads > 4 ? std::size_t{4} : std::size_t{2}};
    for (std::size_t h = 0; h < drawn; ++h) {
        figure.panels.push_back(
            {fmt::format("head {}", h + 1), attention_map(result.weights, 0, h), tokens, tokens});
    }
    return figure;
}

// Queries from one source, keys and values from another.
void show_cross_attention(Trace& trace, const Tensor& x, const MultiHeadAttention& attention) {
    const Tensor last = slice(x, 1, x.size(1) - std::min<std::size_t>(3, x.size(1)), x.size(1));
    const AttentionOutput cross = attention(last, x, x);
    trace.step("weights", cross.weights, {"batch", "heads", "query", "key"}, "a row for each query");
    trace.step("output", cross.output, {"batch", "query", "d_model"}, "as many rows as queries");
}

void show(const Settings& s) {
    const Tokens tokens = checked_tokens(s);
    Figures figures(s.show);
    Trace trace(std::cout);
    Rng rng(s.seed);
    const Vocabulary vocabulary = build_vocabulary(tokens);
    const Embedding embedding(vocabulary.words.size(), s.d_model, rng);
    const Tensor x = embedding(vocabulary.ids);

    trace.heading("The sentence");
    trace.note(
        fmt::format("{} tokens, {} different; seed {}; the weights are random, nothing is trained yet.",
                    tokens.size(), vocabulary.words.size(), s.seed));
    trace.step("x", x, {"batch", "seq", "d_model"}, "one row per token");
    trace.section("One head, step by step", [&] { figures.save(show_one_head(trace, s, x, tokens)); });
    trace.section(fmt::format("{} heads side by side", s.heads), [&] {
        const MultiHeadAttention attention(s.d_model, s.heads, rng);
        figures.save(show_heads(trace, s, x, attention, tokens));
        trace.heading("Cross-attention: the last tokens ask, all tokens answer");
        show_cross_attention(trace, x, attention);
    });
    trace.section("Claim: without 1/sqrt(d_k) the softmax saturates",
                  [&] { figures.save(measure_scaling(std::cout, s.seed)); });
    trace.section("Claim: the cost is quadratic in the length (timings differ from run to run)",
                  [&] { figures.save(measure_cost(std::cout, s.seed)); });
    figures.report(std::cout);
}

}  // namespace

int main(int argc, char** argv) {
    Settings s;
    tfs::Program program("01_attention",
                         "Attention on a sentence: shapes, maps, and why the scores are scaled.");
    program.option("--text", s.text, "the sentence, at most 64 tokens");
    program.option("--heads", s.heads, "number of heads; must divide --d-model");
    program.option("--d-model", s.d_model, "width of the model");
    program.option("--seed", s.seed, "seed of the random weights");
    add_show_options(program, s.show);
    return program.run(argc, argv, [&] { show(s); });
}

// chapters/01_attention/main.cpp · attention on a sentence: every shape, a map for each head, and three claims measured
//
// Run it: ./tutorial run 1          on your own steps: ./tutorial run 1 --mine
//         ./tutorial run 1 -- --text "the dog saw the cat" --heads 2
#include <fmt/ostream.h>

#include <algorithm>
#include <cmath>
#include <iostream>

#include "chapters/01_attention/attention.hpp"
#include "chapters/01_attention/claims.hpp"
#include "common/show.hpp"

namespace {

using namespace tfs;

constexpr std::size_t max_tokens = 64;     // a map with more rows can't be read
constexpr std::size_t max_d_model = 4096;  // and a wider model shows nothing new

struct Settings {
    std::string text = "The cat sat on the mat because it was tired";
    std::size_t heads = 4;
    std::size_t d_model = 32;
    std::uint64_t seed = 1;
    std::string plots;
    bool svg = false;
    bool ascii = false;
};

std::vector<std::string> checked_tokens(const Settings& s) {
    if (s.d_model == 0 || s.d_model > max_d_model) {
        throw ValueError(fmt::format("--d-model {}: must be between 1 and {}", s.d_model, max_d_model));
    }
    if (s.heads == 0 || s.d_model % s.heads != 0) {
        throw ValueError(fmt::format("--heads {} don't divide --d-model {}", s.heads, s.d_model));
    }
    std::vector<std::string> tokens = split_words(s.text);
    if (tokens.size() > max_tokens) {
        throw ValueError(
            fmt::format("--text has {} tokens; at most {} can be drawn", tokens.size(), max_tokens));
    }
    return tokens;
}

// One (query, key) map of weights (batch 1, heads, query, key).
Array head_map(const Tensor& weights, std::size_t head) {
    return reshape(slice(weights, 1, head, head + 1), {weights.size(-2), weights.size(-1)}).array();
}

double largest_difference(const Tensor& a, const Tensor& b) {
    double largest = 0.0;
    for (std::size_t i = 0; i < a.size(); ++i) {
        largest = std::max(largest, std::abs(static_cast<double>(a.values()[i]) - b.values()[i]));
    }
    return largest;
}

// --- the sentence ---------------------------------------------------------------------------------------------------

// Step by step what one head does with the sentence. Returns the three stages for the figure.
HeatMapFigure one_head(Trace& trace, const Settings& s, const Tensor& x, const MultiHeadAttention& attention,
                       const std::vector<std::string>& tokens, TerminalStyle style) {
    const std::size_t d_k = s.d_model / s.heads;
    trace.heading("One head, step by step");
    const auto first_head = [&](const Linear& projection) {
        return reshape(slice(split_heads(projection(x), s.heads), 1, 0, 1), {1, x.size(1), d_k});
    };
    const Tensor q = first_head(attention.w_q), k = first_head(attention.w_k), v = first_head(attention.w_v);
    trace.step("q", q, {"batch", "query", "d_k"}, "what a token looks for");
    trace.step("k", k, {"batch", "key", "d_k"}, "what it offers");
    trace.step("v", v, {"batch", "key", "d_v"}, "what it passes on");
    const Tensor scores = matmul(q, k, Transpose::b);
    trace.step("scores", scores, {"batch", "query", "key"}, "q k^T");
    const Tensor scaled = scores / std::sqrt(static_cast<float>(d_k));
    trace.step("scaled", scaled, {"batch", "query", "key"}, fmt::format("x 1/sqrt({})", d_k));
    const AttentionOutput head = scaled_dot_product_attention(q, k, v);
    trace.step("weights", head.weights, {"batch", "query", "key"}, "softmax over the keys");
    trace.step("output", head.output, {"batch", "query", "d_v"}, "weights x v");
    trace.check_rows_sum_to_one("weights", head.weights);

    const auto map = [&](const Tensor& t) { return reshape(t, {t.size(-2), t.size(-1)}).array(); };
    std::cout << '\n';
    print_heat_map(std::cout, map(head.weights),
                   {.title = "weights of head 1", .rows = tokens, .columns = tokens}, style);
    return {
        .name = "stages",
        .title = "Head 1, untrained: from scores to weights",
        .panels =
            {{"scores q kᵀ", map(scores), tokens, tokens, {}, ColourScale::diverging},
             {fmt::format("scaled by 1/sqrt({})", d_k),
              map(scaled),
              tokens,
              tokens,
              {},
              ColourScale::diverging},
             {"weights = softmax(scaled)", map(head.weights), tokens, tokens, {}, ColourScale::probability}},
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

HeatMapFigure all_heads(Trace& trace, const Settings& s, const Tensor& x, const MultiHeadAttention& attention,
                        const std::vector<std::string>& tokens) {
    trace.heading(fmt::format("{} heads side by side", s.heads));
    const Tensor q = split_heads(attention.w_q(x), s.heads);
    trace.step("q, split", q, {"batch", "heads", "query", "d_k"}, "each head: a slice");
    const AttentionOutput result = attention(x, x, x);
    trace.step("weights", result.weights, {"batch", "heads", "query", "key"}, "one map per head");
    trace.step("output", result.output, {"batch", "seq", "d_model"}, "heads merged, then w_o");
    trace.check_rows_sum_to_one("weights", result.weights);
    trace.note(fmt::format(
        "check  a list of {} SelfAttention gives the same output: largest difference below 1e-5: {}", s.heads,
        largest_difference(result.output, list_of_heads(x, attention)) < 1e-5 ? "yes" : "NO"));

    const Tensor last = slice(x, 1, x.size(1) - std::min<std::size_t>(3, x.size(1)), x.size(1));
    const AttentionOutput cross = attention(last, x, x);
    trace.heading("Cross-attention: the last tokens ask, all tokens answer");
    trace.step("weights", cross.weights, {"batch", "heads", "query", "key"}, "a row for each query");
    trace.step("output", cross.output, {"batch", "query", "d_model"}, "as many rows as queries");

    const std::size_t drawn = std::min<std::size_t>(s.heads, 16);
    HeatMapFigure figure{.name = "heads",
                         .title = fmt::format("Attention weights of {}{} heads, untrained, d_model {}",
                                              drawn < s.heads ? "the first 16 of " : "", s.heads, s.d_model),
                         .panels_per_row = s.heads > 4 ? std::size_t{4} : std::size_t{2}};
    for (std::size_t h = 0; h < drawn; ++h) {
        figure.panels.push_back({fmt::format("head {}", h + 1), head_map(result.weights, h), tokens, tokens});
    }
    return figure;
}

void show(const Settings& s) {
    const std::vector<std::string> tokens = checked_tokens(s);
    const TerminalStyle style = terminal_style(s.ascii);
    std::optional<FigureFolder> figures;
    if (!s.plots.empty()) figures.emplace(s.plots, s.svg ? FigureFormat::svg : FigureFormat::png);

    Rng rng(s.seed);
    const Vocabulary vocabulary = build_vocabulary(tokens);
    const Embedding embedding(vocabulary.words.size(), s.d_model, rng);
    const MultiHeadAttention attention(s.d_model, s.heads, rng);
    const Tensor x = embedding(vocabulary.ids);

    Trace trace(std::cout);
    trace.heading("The sentence");
    trace.note(
        fmt::format("{} tokens, {} different; seed {}; the weights are random, nothing is trained yet.",
                    tokens.size(), vocabulary.words.size(), s.seed));
    trace.step("x", x, {"batch", "seq", "d_model"}, "one row per token");
    const HeatMapFigure stages = one_head(trace, s, x, attention, tokens, style);
    const HeatMapFigure heads = all_heads(trace, s, x, attention, tokens);
    const LineFigure scaling = measure_scaling(trace, s.seed);
    const LineFigure cost = measure_cost(trace, s.seed);
    if (!figures) return;
    figures->save(heads);
    figures->save(stages);
    figures->save(scaling);
    figures->save(cost);
    std::cout << '\n';
    figures->report(std::cout);
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
    program.option("--plots", s.plots, "folder for the figures; none are drawn without it");
    program.option("--svg", s.svg, "draw SVG instead of PNG");
    program.option("--ascii", s.ascii, "print ASCII only");
    return program.run(argc, argv, [&] { show(s); });
}

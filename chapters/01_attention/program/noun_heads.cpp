// chapters/01_attention/program/noun_heads.cpp · heads that find a noun: one that chapter 10 trained, and the puzzle's, made by hand
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cmath>
#include <numeric>

#include "chapters/01_attention/models/feature_words.hpp"
#include "chapters/01_attention/models/noun_finder.hpp"
#include "chapters/01_attention/program/options.hpp"

namespace tfs {

namespace {

std::vector<float> last_row(const Tensor& x) {
    const auto values = x.values();
    return {values.end() - static_cast<std::ptrdiff_t>(x.size(-1)), values.end()};
}

// A matrix with a row for each word, `middle` the y of its middle. One row is in full colour; the word of this row stands at word_x.
struct MatrixPlace {
    double left, middle;
    std::string name, note;
    Hue hue;
    std::size_t row;
    double word_x;
};
constexpr double row_height = 10.0, matrix_width = 124.0;

void add_matrix(PlanePanel& panel, const MatrixPlace& at, const Tokens& words) {
    const double half = row_height * static_cast<double>(words.size()) / 2, right = at.left + matrix_width,
                 row = at.middle + half - row_height * static_cast<double>(at.row);
    panel.box(at.left, at.middle - half, right, at.middle + half, at.hue, at.name);
    panel.rectangle(at.left, row - row_height, right, row, at.hue);
    panel.text(at.left + matrix_width / 2, at.middle + half + 12.0, at.note);
    panel.text(at.word_x, row - row_height / 2, words[at.row]);
}

// The map of the weights, the row of the last word in full colour. Below, this row once more: a bar for each of its weights.
void add_weights(PlanePanel& panel, double left, double middle, const Tokens& words, const NounGuess& guess) {
    const double side = row_height * static_cast<double>(words.size()), bottom = middle - side / 2,
                 right = left + side, centre = left + side / 2, ground = bottom - 84.0, tallest = 56.0;
    const auto column = [&](std::size_t key) { return left + row_height * (static_cast<double>(key) + 0.5); };
    panel.box(left, bottom, right, bottom + side, Hue::attention);
    panel.rectangle(left, bottom, right, bottom + row_height, Hue::attention);
    for (const double x : {left, right}) panel.line(x, bottom, x, ground, Hue::attention).light = true;
    panel.line(left, ground, right, ground, Hue::attention);
    for (std::size_t key = 0; key < words.size(); ++key) {
        if (tallest * guess.weights[key] < 2.0f) continue;
        const double x = column(key), half = row_height / 2 - 1.0;
        panel.rectangle(x - half, ground, x + half, ground + tallest * guess.weights[key], Hue::attention);
    }
    panel.text(column(guess.most) + 20.0, ground + tallest - 8.0, words[guess.most]);
    panel.text(centre, middle + 18.0, "weights");
    panel.text(centre, middle, "(10, 10)");
    panel.text(centre, ground - 12.0, fmt::format("what \"{}\" looks at", words.back()));
}

// What happens to the last word of the lesson's sentence. x and y are pixels.
PlaneFigure head_flow(const NounFinder& model) {
    const Tokens words = split_words("the cat sat on the mat because it was tired");
    const NounGuess guess = guess_noun(model, words);
    const std::size_t last = words.size() - 1, found = guess.most;
    PlanePanel panel{.low_x = 0.0, .high_x = 764.0, .low_y = 0.0, .high_y = 424.0};
    for (const MatrixPlace& place :
         {MatrixPlace{44, 200, "x (10, 64)", "a vector for each word", Hue::embedding, last, 22},
          {256, 348, "q (10, 64)", "what a word looks for", Hue::query, last, 403},
          {256, 200, "k (10, 64)", "how a word is found", Hue::key, found, 402},
          {256, 52, "v (10, 64)", "what a word passes on", Hue::value, found, 402},
          {640, 274, "output (10, 64)", "weights × v", Hue::value, last, 618}})
        add_matrix(panel, place, words);
    add_weights(panel, 464, 274, words, guess);
    panel.arrow(172, 225, 251, 333);
    panel.arrow(172, 200, 251, 200);
    panel.arrow(172, 175, 251, 67);
    panel.arrow(384, 348, 460, 304);
    panel.arrow(384, 200, 460, 250);
    panel.arrow(568, 274, 636, 274);
    panel.line(384, 52, 702, 52);
    panel.arrow(702, 52, 702, 220);
    panel.text(194, 288, "w_q");
    panel.text(208, 212, "w_k");
    panel.text(194, 112, "w_v");
    panel.text(514, 336, "softmax(q kᵀ / √64)");
    return {.name = "one_head",
            .title = "One head: queries meet keys, and the weights that come out mix the values",
            .panels = {panel},
            .panels_per_row = 1,
            .caption =
                fmt::format("(10, 64): 10 words, 64 numbers each. Three learned matrices make q, k and v "
                            "from x; softmax makes shares of the scaled scores. Follow one row: the query of "
                            "\"{0}\" fits the key of \"{1}\", so its output is nearly the value of \"{1}\".",
                            words[last], words[found])};
}

// Each step of a head on x (1, seq, d_model), a line for each.
AttentionOutput trace_head(Report& trace, const Tensor& x, const SelfAttention& head) {
    const Tensor q = head.w_q(x), k = head.w_k(x), v = head.w_v(x);
    trace.step("x", x, {"batch", "seq", "d_model"}, "a vector for each word");
    trace.step("q", q, {"batch", "query", "d_k"}, "what it looks for");
    trace.step("k", k, {"batch", "key", "d_k"}, "how it is found");
    trace.step("v", v, {"batch", "key", "d_v"}, "what it passes on");
    const Tensor scores = matmul(q, k, Transpose::b);
    trace.step("scores", scores, {"batch", "query", "key"}, "q k^T");
    trace.step("scaled", scores / std::sqrt(static_cast<float>(q.size(-1))), {"batch", "query", "key"},
               fmt::format("scores / sqrt({})", q.size(-1)));
    const AttentionOutput result = scaled_dot_product_attention(q, k, v);
    trace.step("weights", result.weights, {"batch", "query", "key"}, "softmax over the keys");
    trace.step("output", result.output, {"batch", "query", "d_v"}, "weighted mean of v");
    trace.check_rows_sum_to_one("weights", result.weights);
    return result;
}

// "cat 0.94  mat 0.03": the names with these indices, each with its number.
std::string in_words(const std::vector<std::string>& names, const std::vector<float>& numbers,
                     const std::vector<std::size_t>& which, int decimals, const std::string& between) {
    std::vector<std::string> parts;
    for (const std::size_t i : which)
        parts.push_back(fmt::format("{} {:.{}f}", names[i], numbers[i], decimals));
    return fmt::to_string(fmt::join(parts, between));
}

Report report_of(const NounFinder& model, const Tokens& tokens) {
    Report report;
    const Ids ids = model.tokenizer.encode(tokens);
    const Tensor x = model.embedding(ids);
    const AttentionOutput result = trace_head(report, x, single_head(model.attention, 0));
    std::vector<std::size_t> in_order(tokens.size());
    std::iota(in_order.begin(), in_order.end(), std::size_t{0});
    report.note(fmt::format("weights of \"{}\": {}", tokens.back(),
                            in_words(tokens, last_row(result.weights), in_order, 2, "  ")));
    const std::vector<float> p = last_row(softmax(model.logits(ids)));
    report.note(fmt::format("two more matrices turn its output into probabilities of {} words: {}",
                            model.tokenizer.size(),
                            in_words(model.tokenizer.tokens(), p, largest_of(p, 3), 3, "  ")));
    std::vector<LastWord> maps = {{tokens, guess_noun(model, tokens).weights}};
    if (tokens.back() == "tired") {  // the sentence of the lesson, with another end
        Tokens sentence = tokens;
        sentence.back() = "soft";
        const NounGuess guess = guess_noun(model, sentence);
        report.note(fmt::format("with another last word: soft looks at {} ({:.2f})", sentence[guess.most],
                                guess.weights[guess.most]));
        maps.push_back({sentence, guess.weights});
    }
    ArcFigure figure = last_words_figure("nouns", maps);
    if (maps.size() > 1) figure.caption += about_tired_and_soft;
    report.add(figure);
    return report;
}

// The trained head where it knows all words of the sentence, else a line that says why there is none.
Report show_trained_head(const Request& request) {
    const Tokens tokens = request.words(options::text);
    Report report;
    const auto model = trained_or_reason(report, "heads with random weights read any words (--section heads)",
                                         [&] { return trained_noun_finder(tokens); });
    if (!model) return report;
    report.add(report_of(*model, tokens));
    report.add(head_flow(*model));
    return report;
}

Report show_best_keys(const Request&) {
    const auto model = trained_noun_finder();
    Report report;
    const SelfAttention head = single_head(model.attention, 0);
    const Tensor k = head.w_k(model.embedding.weight);  // (words, d_k)
    const float root = std::sqrt(static_cast<float>(k.size(-1)));
    for (const std::string adjective : {"tired", "soft"}) {
        const auto id = static_cast<std::size_t>(model.tokenizer.encode(adjective)(0, 0));
        const Tensor q = head.w_q(slice(model.embedding.weight, 0, id, id + 1));
        const std::vector<float> scores = last_row(matmul(q, k, Transpose::b) / root);
        report.note(fmt::format("{} fits: {}", adjective,
                                in_words(model.tokenizer.tokens(), scores, largest_of(scores, 14), 1, ", ")));
    }
    return report;
}

Report show_head_by_hand(const Request&) {
    Report report;
    const SelfAttention head = as_attention(head_by_hand());
    std::vector<LastWord> maps;
    for (const std::string adjective : {"tired", "soft"}) {
        const Tokens sentence = split_words("the cat sat on the mat because it was " + adjective);
        const auto [output, weights] = head(features_of(sentence));
        const std::size_t last = sentence.size() - 1, noun = noun_spoken_of(sentence);
        const std::vector<float> row = last_row(weights);
        report.note(fmt::format("{} gives {} a weight of {:.2f}; output: animate {:.2f}, thing {:.2f}",
                                adjective, sentence[noun], row[noun], output.at({0, last, 0}),
                                output.at({0, last, output.size(-1) - 1})));
        maps.push_back({sentence, row});
    }
    ArcFigure figure = last_words_figure("by_hand", maps);
    figure.caption += " Nothing was trained: the matrices are those of the puzzle.";
    report.add(figure);
    return report;
}

}  // namespace

Sections noun_heads_sections() {
    return {{"trained-head", "A trained head, step by step", show_trained_head, {options::text}},
            {"best-keys",
             "What the trained head looks for: the words with the highest scores",
             show_best_keys,
             {},
             Level::deeper},
            {"puzzle", "Puzzle: a head by hand", show_head_by_hand}};
}

}  // namespace tfs

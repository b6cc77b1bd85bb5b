// chapters/01_attention/program/trained_head.cpp · a head that chapter 10 trained, step by step, and what it looks for
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

#include "chapters/01_attention/models/noun_finder.hpp"
#include "chapters/01_attention/program/options.hpp"
#include "common/base/array.hpp"

namespace tfs {

namespace {

// "tired looks at cat (0.94)": the word to which the last one attends most.
std::string in_words(const NounFinder& model, const Tokens& sentence) {
    const std::vector<float> weights = guess_noun(model, sentence).weights;
    const auto most = std::max_element(weights.begin(), weights.end());
    return fmt::format("{} looks at {} ({:.2f})", sentence.back(),
                       sentence[static_cast<std::size_t>(most - weights.begin())], *most);
}

std::vector<float> last_row(const Tensor& x) {
    const auto values = x.values();
    return {values.end() - static_cast<std::ptrdiff_t>(x.size(-1)), values.end()};
}

using Kind = PlaneShape::Kind;

PlaneShape text_at(double x, double y, const std::string& words) {
    return {.kind = Kind::text, .from_x = x, .from_y = y, .label = words};
}

PlaneShape from_to(Kind kind, double x, double y, double to_x, double to_y, Hue hue = Hue::other) {
    return {.kind = kind, .from_x = x, .from_y = y, .to_x = to_x, .to_y = to_y, .hue = hue};
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
    PlaneShape all = from_to(Kind::rectangle, at.left, at.middle - half, right, at.middle + half, at.hue);
    all.label = at.name;
    all.light = true;
    panel.shapes.insert(panel.shapes.end(),
                        {all, from_to(Kind::rectangle, at.left, row - row_height, right, row, at.hue),
                         text_at(at.left + matrix_width / 2, at.middle + half + 12.0, at.note),
                         text_at(at.word_x, row - row_height / 2, words[at.row])});
}

// The map of the weights, the row of the last word in full colour. Below, this row once more: a bar for each of its weights.
void add_weights(PlanePanel& panel, double left, double middle, const Tokens& words, const NounGuess& guess) {
    const double side = row_height * static_cast<double>(words.size()), bottom = middle - side / 2,
                 right = left + side, centre = left + side / 2, ground = bottom - 84.0, tallest = 56.0;
    const auto column = [&](std::size_t key) { return left + row_height * (static_cast<double>(key) + 0.5); };
    PlaneShape all = from_to(Kind::rectangle, left, bottom, right, bottom + side, Hue::attention);
    all.light = true;
    panel.shapes.insert(panel.shapes.end(), {all, from_to(Kind::rectangle, left, bottom, right,
                                                          bottom + row_height, Hue::attention)});
    for (const double x : {left, right}) {
        panel.shapes.push_back(from_to(Kind::line, x, bottom, x, ground, Hue::attention));
        panel.shapes.back().light = true;
    }
    panel.shapes.push_back(from_to(Kind::line, left, ground, right, ground, Hue::attention));
    for (std::size_t key = 0; key < words.size(); ++key) {
        if (tallest * guess.weights[key] < 2.0f) continue;
        const double x = column(key), half = row_height / 2 - 1.0;
        panel.shapes.push_back(from_to(Kind::rectangle, x - half, ground, x + half,
                                       ground + tallest * guess.weights[key], Hue::attention));
    }
    panel.shapes.insert(panel.shapes.end(),
                        {text_at(column(guess.most) + 20.0, ground + tallest - 8.0, words[guess.most]),
                         text_at(centre, middle + 18.0, "weights"), text_at(centre, middle, "(10, 10)"),
                         text_at(centre, ground - 12.0, fmt::format("what \"{}\" looks at", words.back()))});
}

// What happens to the last word of the lesson's sentence. x and y are pixels.
PlaneFigure head_flow(const NounFinder& model) {
    const Tokens words = split_words("the cat sat on the mat because it was tired");
    const NounGuess guess = guess_noun(model, words);
    const std::size_t last = words.size() - 1, found = guess.most;
    PlanePanel panel{.title = {}, .low_x = 0.0, .high_x = 764.0, .low_y = 0.0, .high_y = 424.0};
    for (const MatrixPlace& place :
         {MatrixPlace{44, 200, "x (10, 64)", "a vector for each word", Hue::embedding, last, 22},
          {256, 348, "q (10, 64)", "what a word looks for", Hue::query, last, 403},
          {256, 200, "k (10, 64)", "how a word is found", Hue::key, found, 402},
          {256, 52, "v (10, 64)", "what a word passes on", Hue::value, found, 402},
          {640, 274, "output (10, 64)", "weights × v", Hue::value, last, 618}})
        add_matrix(panel, place, words);
    add_weights(panel, 464, 274, words, guess);
    const auto arrow = [&](double x, double y, double to_x, double to_y) {
        panel.shapes.push_back(from_to(Kind::arrow, x, y, to_x, to_y));
    };
    arrow(172, 225, 251, 333);
    arrow(172, 200, 251, 200);
    arrow(172, 175, 251, 67);
    arrow(384, 348, 460, 304);
    arrow(384, 200, 460, 250);
    arrow(568, 274, 636, 274);
    panel.shapes.push_back(from_to(Kind::line, 384, 52, 702, 52));
    arrow(702, 52, 702, 220);
    panel.shapes.insert(panel.shapes.end(),
                        {text_at(194, 288, "w_q"), text_at(208, 212, "w_k"), text_at(194, 112, "w_v"),
                         text_at(514, 336, "softmax(q kᵀ / √64)")});
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

// "  The .01   cat .94   …": what the last word gives to each word.
std::string row_in_words(const Tokens& tokens, const Tensor& weights) {
    const std::vector<float> row = last_row(weights);
    std::vector<std::string> parts;
    for (std::size_t i = 0; i < tokens.size(); ++i)
        parts.push_back(fmt::format("{} {:.2f}", tokens[i], row[i]));
    return fmt::format("weights of \"{}\": {}", tokens.back(), fmt::join(parts, "  "));
}

Report report_of(const NounFinder& model, const Tokens& tokens) {
    Report report;
    const Ids ids = model.tokenizer.encode(tokens);
    const Tensor x = model.embedding(ids);
    const AttentionOutput result = trace_head(report, x, single_head(model.attention, 0));
    report.note(row_in_words(tokens, result.weights));
    const std::vector<float> p = last_row(softmax(model.logits(ids)));
    std::vector<std::string> answers;
    for (const std::size_t word : largest_of(p, 3))
        answers.push_back(fmt::format("{} {:.3f}", model.tokenizer.tokens()[word], p[word]));
    report.note(fmt::format("two more matrices turn its output into probabilities of {} words: {}",
                            model.tokenizer.size(), fmt::join(answers, "  ")));
    std::vector<LastWord> maps = {{tokens, guess_noun(model, tokens).weights}};
    if (tokens.back() == "tired") {  // the sentence of the lesson, with another end
        Tokens sentence = tokens;
        sentence.back() = "soft";
        report.note("with another last word: " + in_words(model, sentence));
        maps.push_back({sentence, guess_noun(model, sentence).weights});
    }
    ArcFigure figure = last_words_figure("nouns", maps);
    if (maps.size() > 1) figure.caption += about_tired_and_soft;
    report.add(figure);
    return report;
}

Report untrained_report(const Request& request) {
    const auto [x, attention] = untrained_attention(request);
    const Tokens tokens = request.words(options::text);
    Report report;
    const AttentionOutput result = trace_head(report, x, single_head(attention, 0));
    report.add(Map{reshape(result.weights, {x.size(1), x.size(1)}).array(),
                   {.title = "weights of head 1, untrained", .rows = tokens, .columns = tokens}});
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
        std::vector<std::string> best;
        for (const std::size_t word : largest_of(scores, 14))
            best.push_back(fmt::format("{} {:.1f}", model.tokenizer.tokens()[word], scores[word]));
        report.note(fmt::format("{} fits: {}", adjective, fmt::join(best, ", ")));
    }
    return report;
}

// The trained head where it knows all words of the sentence, else a line that says why there is none.
Report show_trained_head(const Request& request) {
    const Tokens tokens = request.words(options::text);
    Report report;
    const auto model = trained_or_reason(report, "an untrained head reads any words (--untrained)",
                                         [&] { return trained_noun_finder(tokens); });
    if (!model) return report;
    report.add(report_of(*model, tokens));
    report.add(head_flow(*model));
    return report;
}

}  // namespace

Sections trained_head_sections() {
    return {{"trained-head", "A trained head, step by step", show_trained_head, {options::text}},
            {"untrained-head",
             "An untrained head, step by step",
             untrained_report,
             {options::text, options::heads, options::d_model, options::seed}},
            {"best-keys",
             "What the trained head looks for: the words with the highest scores",
             show_best_keys,
             {},
             Level::deeper}};
}

}  // namespace tfs

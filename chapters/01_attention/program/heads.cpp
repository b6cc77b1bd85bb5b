// chapters/01_attention/program/heads.cpp · trained heads: one that finds a noun, two that find two animals; how the width is cut into heads
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cmath>
#include <numeric>

#include "chapters/01_attention/models/size_finder.hpp"
#include "chapters/01_attention/program/options.hpp"

namespace tfs {

namespace {

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
void trace_head(Report& trace, const Tensor& x, const SelfAttention& head) {
    const Tensor q = head.w_q(x), k = head.w_k(x), v = head.w_v(x);
    trace.step("x", x, {"batch", "seq", "d_model"}, "a vector for each word");
    trace.step("q", q, {"batch", "query", "d_k"}, "what it looks for");
    trace.step("k", k, {"batch", "key", "d_k"}, "how it is found");
    trace.step("v", v, {"batch", "key", "d_v"}, "what it passes on");
    const Tensor scores = matmul(q, k, Transpose::b);
    trace.step("scores", scores, {"batch", "query", "key"}, "q k^T");
    trace.step("scaled", scores / std::sqrt(static_cast<float>(q.size(-1))), {"batch", "query", "key"},
               fmt::format("scores / sqrt({})", q.size(-1)));
    const auto [output, weights] = scaled_dot_product_attention(q, k, v);
    trace.step("weights", weights, {"batch", "query", "key"}, "softmax over the keys");
    trace.step("output", output, {"batch", "query", "d_v"}, "weighted mean of v");
}

// "cat 0.94, mat 0.03": the names with these indices, each with its number.
std::string in_words(const std::vector<std::string>& names, const std::vector<float>& numbers,
                     const std::vector<std::size_t>& which, int decimals) {
    std::vector<std::string> parts;
    for (const std::size_t i : which)
        parts.push_back(fmt::format("{} {:.{}f}", names[i], numbers[i], decimals));
    return fmt::to_string(fmt::join(parts, ", "));
}

// The word “tired” in the plane of two answers: if it reads only itself, and after attention in two sentences.
PlaneFigure moved_figure(const NounFinder& model) {
    const NoGrad no_grad;
    PlanePanel panel{.low_x = -12.0, .high_x = 28.0, .low_y = -6.0, .high_y = 19.0};
    panel.arrow(-8.0, 0.0, 17.0, 0.0, Hue::without, 0.5).label = "cat";
    panel.arrow(0.0, -5.0, 0.0, 17.5, Hue::without, 0.5).label = "dog";
    const Ids nouns = model.tokenizer.encode(Tokens{"cat", "dog"});
    const auto x = static_cast<std::size_t>(nouns(0, 0)), y = static_cast<std::size_t>(nouns(0, 1));
    const MultiHeadAttention& attention = model.attention;
    const Tensor alone = model.embedding(model.tokenizer.encode(Tokens{"tired"}));
    const auto before = last_row(model.output(attention.w_o(attention.w_v(alone))));
    panel.point(before[x], before[y], Hue::embedding, 1.4);
    panel.text(before[x] - 4.5, before[y], "tired, alone");
    for (const std::string begin :
         {"the cat sat on the mat because it was", "the dog sat on the mat because it was"}) {
        const auto after = last_row(model.logits(model.tokenizer.encode(split_words(begin + " tired"))));
        panel.arrow(before[x], before[y], after[x], after[y], Hue::attention, 1.2);
        const double beside = after[x] > after[y] ? 4.7 : -4.7;
        panel.text(after[x] + beside, after[y], "the " + split_words(begin)[1] + " … tired");
    }
    return {
        .name = "moved",
        .title = "One word, two sentences: “tired” moves towards “cat” or “dog”",
        .panels = {std::move(panel)},
        .panels_per_row = 1,
        .caption =
            "To the right: how much the model would answer “cat” from this word; upwards: “dog”. The dot is "
            "“tired” if it reads only itself. The arrows lead to where it is after it has read “the cat sat "
            "on the mat because it was tired”, and the same with a dog."};
}

// The sentence of the lesson also with another end.
std::vector<LastWord> maps_of(const NounFinder& model, Tokens tokens) {
    std::vector<LastWord> maps;
    for (const std::string& last :
         tokens.back() == "tired" ? Tokens{"tired", "soft"} : Tokens{tokens.back()}) {
        tokens.back() = last;
        maps.push_back({tokens, guess_noun(model, tokens).weights});
    }
    return maps;
}

// What the last words look at: all words, or in a long sentence those with the largest weights.
void add_weights_of(Report& report, const std::vector<LastWord>& maps) {
    const Tokens& words = maps[0].sentence;
    Table table{.columns = {{"looks at"}}};
    for (std::size_t i = 0; i < words.size(); ++i)
        table.columns.push_back({i + 1 < words.size() ? words[i] : "itself", fixed(2)});
    for (const auto& [sentence, weights] : maps) {
        if (words.size() > 12) {
            report.note(fmt::format("{} looks at {}", sentence.back(),
                                    in_words(sentence, weights, largest_of(weights, 4), 2)));
            continue;
        }
        std::vector<Cell> row{sentence.back()};
        for (const float weight : weights) row.emplace_back(weight);
        table.add(row);
    }
    if (words.size() <= 12) report.add(table);
}

Report report_of(const NounFinder& model, const Tokens& tokens) {
    Report report;
    const Ids ids = model.tokenizer.encode(tokens);
    trace_head(report, model.embedding(ids), single_head(model.attention, 0));
    const std::vector<float> p = last_row(softmax(model.logits(ids)));
    report.note(fmt::format("two more matrices turn this output into probabilities of {} words: {}",
                            model.tokenizer.size(),
                            in_words(model.tokenizer.tokens(), p, largest_of(p, 3), 3)));
    const std::vector<LastWord> maps = maps_of(model, tokens);
    add_weights_of(report, maps);
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
    report.add(moved_figure(*model));
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
                                in_words(model.tokenizer.tokens(), scores, largest_of(scores, 14), 1)));
    }
    return report;
}

// For each number of x (position, width), numbered 0, 1, 2 …: the head (counted from 1) that has it in
// `split` (1, heads, position, d).
Array owners(const Tensor& split, std::size_t positions, std::size_t width) {
    Array heads = Array::from_shape({positions, width});
    const std::size_t per_head = split.size() / split.size(1);
    for (std::size_t i = 0; i < split.size(); ++i)
        heads.data()[static_cast<std::size_t>(split.values()[i])] = static_cast<float>(1 + i / per_head);
    return heads;
}

PlaneFigure head_slices() {
    constexpr std::size_t positions = 4, heads = 3, d = 2;
    std::vector<float> numbers(positions * heads * d);
    std::iota(numbers.begin(), numbers.end(), 0.0f);
    const Tensor x = Tensor::from({1, positions, heads * d}, numbers);
    const std::vector<std::string> words{"the", "cat", "was", "tired"};
    const auto panel = [&](const std::string& title, const Tensor& split) {
        const Array owner = owners(split, positions, heads * d);
        PlanePanel drawn{.title = title, .low_x = -1.1, .high_x = 6.0, .low_y = -4.0, .high_y = 0.0};
        for (std::size_t row = 0; row < positions; ++row) {
            const double y = -static_cast<double>(row);
            drawn.text(-0.55, y - 0.5, words[row]);
            for (std::size_t column = 0; column < heads * d; ++column) {
                const double x = static_cast<double>(column);
                const bool first = owner(row, column) == 1.0f;
                drawn
                    .rectangle(x + 0.04, y - 0.04, x + 0.96, y - 0.96, first ? Hue::attention : Hue::other,
                               fmt::format("head {}", owner(row, column)))
                    .light = !first;
            }
        }
        return drawn;
    };
    return {.name = "slices",
            .title = "A reshape alone gives the heads the wrong numbers: head 1 gets nothing of “tired”",
            .panels = {panel("correct: cut the width, then transpose", split_heads(x, heads)),
                       panel("wrong: one reshape", reshape(x, {1, heads, positions, d}))},
            .caption =
                "The numbers of q: a row for each word; each cell says which of 3 heads gets the number. "
                "Both results have the same shape. On the wrong side head 1 compares pieces of \"the\" and "
                "\"cat\"."};
}

Report show_heads(const Request& request) {
    Rng rng(request[options::seed]);
    const Vocabulary vocabulary = build_vocabulary(request.words(options::text));
    const Tensor x = Embedding(vocabulary.words.size(), request[options::d_model], rng)(vocabulary.ids);
    const MultiHeadAttention attention(request[options::d_model], request[options::heads], rng);
    Report report;
    const Tensor projected = attention.w_q(x);
    report.step("w_q(x)", projected, {"batch", "seq", "d_model"}, "all heads in one product");
    report.step("q, split", split_heads(projected, attention.num_heads), {"batch", "heads", "query", "d_k"},
                "each head: a slice");
    const AttentionOutput result = attention(x, x, x);
    report.step("weights", result.weights, {"batch", "heads", "query", "key"}, "one map for each head");
    report.step("output", result.output, {"batch", "seq", "d_model"}, "heads merged, then w_o");
    report.add(head_slices());
    return report;
}

// Which of the two animals head `head` attends to more: 0 the smallest, 1 the largest.
std::size_t found_by(const SizeScore& score, std::size_t head) {
    return score.weights[head][1] > score.weights[head][0] ? 1 : 0;
}

// "size" looks at two animals: with both heads, and without each of them.
Report show_two_heads(const Request&) {
    const NounFinder model = trained_size_finder();
    const std::vector<SizeSentence> asked = size_sentences().held_out;
    const Tokens words = split_words(size_sentence);
    const SizeScore both = score_of(model, asked);
    Table table{.columns = {{fmt::format("{} new sentences", asked.size() / 2)},
                            {"smallest named", whole(" %")},
                            {"largest named", whole(" %")}}};
    const auto add = [&](const std::string& name, const SizeScore& score) {
        table.add({name, 100.0 * score.named[0], 100.0 * score.named[1]});
    };
    add("both heads", both);
    ArcFigure figure{.name = "two_heads",
                     .title = "Two heads: one finds the largest animal, the other the smallest",
                     .caption =
                         "What the last word looks at in each head. An animal is named if it is one of the "
                         "two most probable words. New: training never had these four animals together."};
    std::string looks = fmt::format("\"{}\" looks at", words.back());
    const Tensor weights = model.weights(model.tokenizer.encode(words));
    for (std::size_t head = 0; head < model.attention.num_heads; ++head) {
        const std::vector<float> row = last_row(slice(weights, 1, head, head + 1));
        const SizeScore without = score_without_head(model, head, asked);
        const std::size_t found = found_by(both, head);
        add(fmt::format("without head {}", head + 1), without);
        looks += fmt::format("{} {} in head {}", head == 0 ? "" : ",",
                             in_words(words, row, largest_of(row, 1), 2), head + 1);
        figure.panels.push_back(
            {.title = fmt::format("head {0}: the {1} is named in {2:.0f} %, without this head in {3:.0f} %",
                                  head + 1, found == 1 ? "largest" : "smallest", 100.0 * both.named[found],
                                  100.0 * without.named[found]),
             .words = words,
             .storeys = {arcs_of(words.size() - 1, row)}});
    }
    Report report;
    report.note(looks);
    report.add(table);
    report.add(figure);
    return report;
}

}  // namespace

SelfAttention single_head(const MultiHeadAttention& attention, std::size_t head) {
    const std::size_t d_model = attention.w_q.weight.size(1);
    const std::size_t d_k = attention.w_q.weight.size(0) / attention.num_heads,
                      d_v = attention.w_v.weight.size(0) / attention.num_heads;
    Rng none = Rng::zeros();
    SelfAttention single(d_model, d_k, d_v, none);
    const auto take = [&](Linear& part, const Linear& whole, std::size_t d) {
        part.weight = slice(whole.weight, 0, head * d, (head + 1) * d);
        part.bias = slice(*whole.bias, 0, head * d, (head + 1) * d);
    };
    take(single.w_q, attention.w_q, d_k);
    take(single.w_k, attention.w_k, d_k);
    take(single.w_v, attention.w_v, d_v);
    return single;
}

std::vector<float> last_row(const Tensor& x) {
    const auto values = x.values();
    return {values.end() - static_cast<std::ptrdiff_t>(x.size(-1)), values.end()};
}

namespace options {

TextOption sentence_of_nouns() {
    const NounWords& known = noun_words();
    Tokens others{"the", "because", "it"};
    for (const Tokens& words : {known.verbs_of_beings, known.verbs_of_things, known.places})
        others.insert(others.end(), words.begin(), words.end());
    TextOption option = sentence();
    option.words = {{"living beings", known.beings},
                    {"things", known.things},
                    {"beings are", known.of_beings},
                    {"things are", known.of_things},
                    {"", others}};  // known, and no buttons
    return option;
}

}  // namespace options

Sections heads_sections() {
    return {{"trained-head", "A trained head, step by step", show_trained_head, {options::text}},
            {"best-keys",
             "What the trained head looks for: the words with the highest scores",
             show_best_keys,
             {},
             Level::deeper},
            {"heads",
             "{heads} heads side by side: shapes (untrained)",
             show_heads,
             {options::text, options::heads, options::d_model, options::seed}},
            {"two-heads", "Two trained heads, and a word that must find two words", show_two_heads}};
}

}  // namespace tfs

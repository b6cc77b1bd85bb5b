// chapters/02_masks/program/by_hand.cpp · the example for pencil and paper: the mean of the past, and one with scores
#include <fmt/format.h>

#include <limits>

#include "chapters/02_masks/program/options.hpp"

namespace tfs {

namespace {

constexpr std::size_t length = 4;

Tensor hidden(const Tensor& scores, const Mask& mask) {
    return masked_fill(scores, mask, -std::numeric_limits<float>::infinity());
}

// Appends one row of a map (1, 1, query, key), a cell for each key.
void append_row(std::vector<Cell>& cells, const Tensor& map, std::size_t query) {
    for (const float value : map.values().subspan(query * length, length)) cells.emplace_back(value);
}

void append_columns(std::vector<Column>& columns, const Tokens& keys, const std::string& group,
                    const NumberFormat& format) {
    for (const std::string& key : keys) columns.push_back({key, format, "", group});
}

// Four values, all scores 0: each query takes the mean of what it sees.
Table mean_of_the_past() {
    const Tensor values = Tensor::from({1, 1, length, 1}, {4, 2, 6, 8});
    const Tensor mask = hidden(Tensor::zeros({1, 1, length, length}), causal_mask(length));  // 0 + the mask
    const Tensor weights = softmax(mask), means = matmul(weights, values);
    Table table{.title = "values 4 2 6 8, all scores 0", .columns = {{"query", whole()}}};
    append_columns(table.columns, {"key 0", "key 1", "key 2", "key 3"}, "mask (is added)", whole());
    append_columns(table.columns, {"key 0", "key 1", "key 2", "key 3"}, "weights", fixed(2));
    table.columns.push_back({"result", fixed(2)});
    for (std::size_t i = 0; i < length; ++i) {
        std::vector<Cell> row{i};
        append_row(row, mask, i);
        append_row(row, weights, i);
        row.emplace_back(means.values()[i]);
        table.add(row);
    }
    return table;
}

HeatMapPanel panel(const std::string& title, const Tensor& values, const Tokens& words,
                   const std::optional<Mask>& mask, ColourScale scale) {
    HeatMapPanel result = attention_panel(title, values, 0, words, words, mask);
    result.scale = scale;
    result.quantity = scale == ColourScale::probability ? "weight" : "score";
    return result;
}

// Each row of the causal mask is a question: what it allows is read, the word behind is the answer.
PlaneFigure questions_figure(const Tokens& words) {
    const xt::xarray<bool> allowed = causal_mask(length).array();
    constexpr double wide = 1.6, high = 0.7, step = 0.9;
    PlanePanel panel{.low_x = -1.6, .high_x = wide * length, .low_y = -step * (length - 1), .high_y = 0.0};
    for (std::size_t i = 0; i + 1 < length; ++i) {
        const double top = -step * static_cast<double>(i);
        panel.text(-0.85, top - high / 2, fmt::format("question {}", i + 1));
        for (std::size_t j = 0; j < length; ++j) {
            const bool given = allowed(0, 0, i, j), answer = j == i + 1;
            const double left = wide * static_cast<double>(j);
            const Hue hue = given ? Hue::training : answer ? Hue::output : Hue::without;
            const std::string label = given ? words[j] : answer ? words[j] + "?" : "";
            panel.rectangle(left, top, left + wide - 0.15, top - high, hue, label).light = !answer;
        }
    }
    return {.name = "questions",
            .title = "A text of four words asks three questions: guess the next word",
            .panels = {std::move(panel)},
            .panels_per_row = 1,
            .caption =
                "In each row the model reads the blue words and guesses the purple one. The grey boxes must "
                "stay hidden."};
}

Report show_by_hand(const Request&) {
    const Tokens words = split_words("the cat saw dogs");
    std::vector<float> nouns;  // every word looks for nouns
    for (std::size_t i = 0; i < length; ++i) nouns.insert(nouns.end(), {0, 2, 0, 2});
    const Tensor scores = Tensor::from({1, 1, length, length}, nouns);
    const Mask causal = causal_mask(length);
    const Tensor masked = hidden(scores, causal), weights = softmax(masked);
    Table saw{.title = "\"saw\" looks for nouns", .columns = {{""}}};
    append_columns(saw.columns, words, "scaled scores", fixed(2));
    append_columns(saw.columns, words, "weights", fixed(2));
    const auto add = [&](const std::string& name, const Tensor& its_scores) {
        std::vector<Cell> row{name};
        append_row(row, its_scores, 2);
        append_row(row, softmax(its_scores), 2);
        saw.add(row);
    };
    add("no mask", scores);
    add("causal", masked);
    Report report;
    report.add(mean_of_the_past());
    report.add(saw);
    report.add(questions_figure(words));
    report.add(HeatMapFigure{
        .name = "steps",
        .title = "The causal mask sets later scaled scores to -inf, so later words get no weight",
        .panels = {panel("1. scaled scores", scores, words, std::nullopt, ColourScale::sequential),
                   panel("2. masked", scores, words, causal, ColourScale::sequential),
                   panel("3. softmax: weights", weights, words, causal, ColourScale::probability)},
        .panels_per_row = 3,
        .caption = "We chose the scaled scores: every word looks for nouns, \"cat\" and \"dogs\". The mask "
                   "sets what comes later to -inf (grey). Softmax shares a weight of 1 among what is left: "
                   "\"saw\" reads \"cat\", because it can't see \"dogs\" yet."});
    return report;
}

}  // namespace

Sections by_hand_sections() {
    return {{"by-hand", "By hand: the mean of the past, then with scores", show_by_hand}};
}

}  // namespace tfs

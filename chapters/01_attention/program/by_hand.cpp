// chapters/01_attention/program/by_hand.cpp · the lesson's two examples for pencil and paper, and the puzzle's head
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cmath>
#include <span>

#include "chapters/01_attention/models/feature_words.hpp"
#include "chapters/01_attention/program/options.hpp"

namespace tfs {

namespace {

// A row of a table: its name, and the numbers with so many decimals.
void add_row(Table& table, const std::string& name, std::span<const float> numbers, int decimals) {
    std::vector<Cell> row{name};
    for (const float value : numbers) row.emplace_back(value, fixed(decimals));
    table.add(row);
}

std::string pair(const std::vector<float>& x, int decimals = 0) {
    return fmt::format("({:.{}f}, {:.{}f})", x[0], decimals, x[1], decimals);
}

void add_pairs(Table& table, const std::string& name, const Rows& pairs) {
    std::vector<Cell> row{name};
    for (const std::vector<float>& one : pairs) row.emplace_back(pair(one));
    table.add(row);
}

Report show_weighted_mean(const Request&) {
    const Tensor keys = Tensor::from({3}, {1, 2, 4}), values = Tensor::from({3}, {10, 20, 40});
    const float query = 3;
    const Tensor distance = keys - query;
    const Tensor nearness = exp(distance * distance * -0.5f);
    const Tensor weights = nearness / sum(nearness);
    const Tensor mean = sum(weights * values);
    Table table{.columns = {{""}, {"", whole()}, {"", whole()}, {"", whole()}}};
    add_row(table, "key", keys.values(), 0);
    add_row(table, "exp(-(key-3)^2/2)", nearness.values(), 3);
    add_row(table, "weight", weights.values(), 3);
    add_row(table, "value", values.values(), 0);
    Report report;
    report.add(table);
    report.note(fmt::format("The weighted mean at the query 3 is {:.2f}.", mean.item()));
    return report;
}

// A plane of two features. The axes cross at zero.
PlanePanel plane_of(const std::string& title, const std::string& x_name, const std::string& y_name) {
    PlanePanel panel{.title = title, .low_x = -1.6, .high_x = 5.55, .low_y = -1.15, .high_y = 5.0};
    panel.arrow(0.0, 0.0, 4.7, 0.0, Hue::without, 0.5).label = x_name;
    panel.arrow(0.0, 0.0, 0.0, 4.6, Hue::without, 0.5).label = y_name;
    return panel;
}

// The words of the lesson's table with their queries, keys and values. The nouns look for nothing.
struct Example {
    std::vector<std::string> words;
    Rows queries, keys, values;
};
Example example(const std::string& adjective, const std::vector<float>& its_query) {
    return {.words = {"cat", "mat", adjective},
            .queries = {{0, 0}, {0, 0}, its_query},
            .keys = {{1, 0}, {0, 1}, {0, 0}},
            .values = {{4, 0}, {0, 4}, {0, 0}}};
}

// The scores of the adjective, which is the last word.
std::vector<float> last_scores(const Example& of) {
    std::vector<float> scores;
    for (const std::vector<float>& key : of.keys)
        scores.push_back(static_cast<float>(dot(of.queries.back(), key)));
    return scores;
}

// The query of the last word among the keys; the values with its weights, and their mean.
PlaneFigure mean_figure(const Example& of, const AttentionRows& result) {
    const auto& [words, queries, keys, values] = of;
    const std::vector<float>&query = queries.back(), &weights = result.weights.back(),
          scores = last_scores(of);
    PlanePanel left = plane_of("dots: keys; arrow: the query of “tired”", "alive", "thing"),
               right = plane_of("green: values with their weights", "legs", "corners");
    constexpr double below = -0.7;  // the query is a direction: below the axis it covers no key
    left.arrow(0.0, below, query[0], query[1] + below, Hue::query, 1.5).label = "query";
    left.text(3.2, 3.3, "scores (query · key):");
    const double x = result.output.back()[0], y = result.output.back()[1];
    for (std::size_t i = 0; i < words.size(); ++i)
        right.line(x, y, values[i][0], values[i][1], Hue::attention, 0.7);
    for (std::size_t i = 0; i < words.size(); ++i) {
        left.point(keys[i][0], keys[i][1], Hue::key, 1.6);
        right.point(values[i][0], values[i][1], Hue::value, 3.2 * std::sqrt(weights[i]));
        left.text(3.2, 2.9 - 0.4 * static_cast<double>(i), fmt::format("{} {:.0f}", words[i], scores[i]));
    }
    const auto weighed = [&](std::size_t i) { return fmt::format("{} {:.3f}", of.words[i], weights[i]); };
    left.text(keys[0][0], 0.37, words[0]);
    left.text(0.55, keys[1][1], words[1]);
    left.text(-0.6, 0.0, words[2]);
    right.text(values[0][0], -0.5, weighed(0));
    right.text(0.95, values[1][1], weighed(1));
    right.text(0.0, -0.4, weighed(2));
    right.point(x, y, Hue::attention, 1.6);
    right.text(4.2, 1.1, "weighted mean");
    right.text(4.2, 0.74, fmt::format("({:.2f}, {:.2f})", x, y));
    return {
        .name = "mean",
        .title = "The query fits the cat’s key, so the weighted mean lies near the cat’s value",
        .panels = {left, right},
        .caption =
            "The example by hand. Each value pulls the mean to itself: the larger its weight, drawn as the "
            "area of its dot, the stronger."};
}

Report show_attention_by_hand(const Request&) {
    const Example tired = example("tired", {4, 0}), soft = example("soft", {0, 4});
    const AttentionRows result = attention_loops(tired.queries, tired.keys, tired.values),
                        of_soft = attention_loops(soft.queries, soft.keys, soft.values);
    Table table{.columns = {{""}, {"cat", whole()}, {"mat", whole()}, {"tired", whole()}}};
    add_pairs(table, "query", tired.queries);
    add_pairs(table, "key", tired.keys);
    add_pairs(table, "value", tired.values);
    std::vector<float> scores = last_scores(tired);
    add_row(table, "scores of tired", scores, 0);
    for (float& score : scores) score /= std::sqrt(2.0f);
    add_row(table, "  over sqrt(2)", scores, 2);
    add_row(table, "weights of tired", result.weights[2], 3);
    add_row(table, "weights of cat", result.weights[0], 3);
    Report report;
    report.add(table);
    report.note(
        fmt::format("output of tired {}, of cat {}", pair(result.output[2], 2), pair(result.output[0], 2)));
    report.note(fmt::format("with soft in its place, query {}: weights {:.3f}, output {}",
                            pair(soft.queries[2]), fmt::join(of_soft.weights[2], " "),
                            pair(of_soft.output[2], 2)));
    report.add(mean_figure(tired, result));
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

Sections by_hand_sections() {
    return {{"weighted-mean", "By hand: a weighted mean", show_weighted_mean},
            {"by-hand", "By hand: attention with two features", show_attention_by_hand}};
}

Sections puzzle_sections() { return {{"puzzle", "Puzzle: a head by hand", show_head_by_hand}}; }

}  // namespace tfs

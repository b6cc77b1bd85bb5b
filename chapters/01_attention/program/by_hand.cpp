// chapters/01_attention/program/by_hand.cpp · the lesson's two examples for pencil and paper
#include <fmt/format.h>

#include <cmath>

#include "chapters/01_attention/program/options.hpp"

namespace tfs {

namespace {

// A row of a table: its name, and the numbers of x with so many decimals.
void add_row(Table& table, const std::string& name, const Tensor& x, int decimals) {
    std::vector<Cell> row{name};
    for (const float value : x.values()) row.emplace_back(value, fixed(decimals));
    table.add(row);
}

std::string pair(const Tensor& x, std::size_t row, int decimals = 0) {
    return fmt::format("({:.{}f}, {:.{}f})", x.at({row, 0}), decimals, x.at({row, 1}), decimals);
}

void add_pairs(Table& table, const std::string& name, const Tensor& x) {
    std::vector<Cell> row{name};
    for (std::size_t i = 0; i < x.size(0); ++i) row.emplace_back(pair(x, i));
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
    add_row(table, "key", keys, 0);
    add_row(table, "exp(-(key-3)^2/2)", nearness, 3);
    add_row(table, "weight", weights, 3);
    add_row(table, "value", values, 0);
    Report report;
    report.add(table);
    report.note(fmt::format("The weighted mean at the query 3 is {:.2f}.", mean.item()));
    return report;
}

using Kind = PlaneShape::Kind;

// A plane of two features. The axes cross at zero.
PlanePanel plane_of(const std::string& title, const std::string& x_name, const std::string& y_name) {
    PlanePanel panel{.title = title, .low_x = -1.6, .high_x = 5.55, .low_y = -1.15, .high_y = 5.0};
    const auto axis = [&](double to_x, double to_y, const std::string& name) {
        panel.shapes.push_back({.kind = Kind::arrow,
                                .to_x = to_x,
                                .to_y = to_y,
                                .label = name,
                                .hue = Hue::without,
                                .size = 0.5});
    };
    axis(4.7, 0.0, x_name);
    axis(0.0, 4.6, y_name);
    return panel;
}

// The query among the keys; the values with their weights, and their mean.
PlaneFigure mean_figure(const Tensor& query, const Tensor& keys, const Tensor& values,
                        const AttentionOutput& result) {
    const std::vector<std::string> words{"cat", "mat", "adjective"};
    const Tensor scores = matmul(query, keys, Transpose::b);
    PlanePanel left = plane_of("dots: keys; arrow: the query of “tired”", "alive", "thing"),
               right = plane_of("green: values with their weights", "legs", "corners");
    constexpr double below = -0.7;  // the query is a direction: below the axis it covers no key
    left.shapes.push_back({.kind = Kind::arrow,
                           .from_y = below,
                           .to_x = query.at({0, 0}),
                           .to_y = query.at({0, 1}) + below,
                           .label = "query",
                           .hue = Hue::query,
                           .size = 1.5});
    left.text(3.2, 3.3, "scores (query · key):");
    const double x = result.output.at({0, 0}), y = result.output.at({0, 1});
    for (std::size_t i = 0; i < words.size(); ++i)
        right.shapes.push_back({.kind = Kind::line,
                                .from_x = x,
                                .from_y = y,
                                .to_x = values.at({i, 0}),
                                .to_y = values.at({i, 1}),
                                .hue = Hue::attention,
                                .size = 0.7});
    const auto add_word = [&](PlanePanel& panel, const Tensor& places, std::size_t word, Hue hue,
                              double size) {
        panel.shapes.push_back(
            {.from_x = places.at({word, 0}), .from_y = places.at({word, 1}), .hue = hue, .size = size});
    };
    for (std::size_t i = 0; i < words.size(); ++i) {
        add_word(left, keys, i, Hue::key, 1.6);
        add_word(right, values, i, Hue::value, 3.2 * std::sqrt(result.weights.at({0, i})));
        left.text(3.2, 2.9 - 0.4 * static_cast<double>(i),
                  fmt::format("{} {:.0f}", words[i], scores.at({0, i})));
    }
    const auto weighed = [&](std::size_t i) {
        return fmt::format("{} {:.3f}", words[i], result.weights.at({0, i}));
    };
    left.text(keys.at({0, 0}), 0.37, words[0]);
    left.text(0.55, keys.at({1, 1}), words[1]);
    left.text(-0.85, 0.0, words[2]);
    right.text(values.at({0, 0}), -0.5, weighed(0));
    right.text(0.95, values.at({1, 1}), weighed(1));
    right.text(0.0, -0.4, weighed(2));
    right.shapes.push_back({.from_x = x, .from_y = y, .hue = Hue::attention, .size = 1.6});
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
    const Tensor k = Tensor::from({3, 2}, {1, 0, 0, 1, 0, 0}), v = Tensor::from({3, 2}, {4, 0, 0, 4, 0, 0});
    const Tensor queries = Tensor::from({2, 2}, {4, 0, 0, 4});
    const std::vector<std::string> names = {"tired", "soft"};
    Table table{.columns = {{""}, {"cat", whole()}, {"mat", whole()}, {"adjective", whole()}}};
    add_pairs(table, "key", k);
    add_pairs(table, "value", v);
    Report report;
    PlaneFigure drawn;
    for (std::size_t i = 0; i < names.size(); ++i) {
        const Tensor q = slice(queries, 0, i, i + 1);
        const AttentionOutput result = scaled_dot_product_attention(q, k, v);
        const Tensor scores = matmul(q, k, Transpose::b);
        if (i == 0) {
            add_row(table, "scores of " + names[i], scores, 0);
            add_row(table, "  over sqrt(2)", scores / std::sqrt(2.0f), 2);
            drawn = mean_figure(q, k, v, result);
        }
        add_row(table, "weights of " + names[i], result.weights, 3);
        report.note(
            fmt::format("query of {} {}: output {}", names[i], pair(q, 0), pair(result.output, 0, 2)));
    }
    report.items.insert(report.items.begin(), table);
    report.add(drawn);
    return report;
}

}  // namespace

Section weighted_mean() {
    return {.id = "weighted-mean", .title = "By hand: a weighted mean", .run = show_weighted_mean};
}

Section attention_by_hand() {
    return {.id = "by-hand", .title = "By hand: attention with two features", .run = show_attention_by_hand};
}

}  // namespace tfs

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

Report show_attention_by_hand(const Request&) {
    const Tensor k = Tensor::from({3, 2}, {1, 0, 0, 1, 0, 0}), v = Tensor::from({3, 2}, {4, 0, 0, 4, 0, 0});
    const Tensor queries = Tensor::from({2, 2}, {4, 0, 0, 4});
    const std::vector<std::string> names = {"tired", "soft"};
    Table table{.columns = {{""}, {"cat", whole()}, {"mat", whole()}, {"adjective", whole()}}};
    add_pairs(table, "key", k);
    add_pairs(table, "value", v);
    Report report;
    for (std::size_t i = 0; i < names.size(); ++i) {
        const Tensor q = slice(queries, 0, i, i + 1);
        const AttentionOutput result = scaled_dot_product_attention(q, k, v);
        const Tensor scores = matmul(q, k, Transpose::b);
        if (i == 0) {
            add_row(table, "scores of " + names[i], scores, 0);
            add_row(table, "  over sqrt(2)", scores / std::sqrt(2.0f), 2);
        }
        add_row(table, "weights of " + names[i], result.weights, 3);
        report.note(
            fmt::format("query of {} {}: output {}", names[i], pair(q, 0), pair(result.output, 0, 2)));
    }
    report.items.insert(report.items.begin(), table);
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

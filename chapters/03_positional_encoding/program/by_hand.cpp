// chapters/03_positional_encoding/program/by_hand.cpp · one pair of features turned by RoPE: the lesson's example, and its picture
#include <fmt/format.h>

#include <limits>

#include "chapters/03_positional_encoding/program/options.hpp"

namespace tfs {

namespace {

// The pair (a, b) as a query or key of one head, turned to each position of the table: (position, 2).
Tensor turned_to_each(float a, float b, const RotaryEmbedding& rotary) {
    const std::size_t positions = rotary.cos.size(0);
    const Tensor same = Tensor::zeros({1, 1, positions, 2}) + Tensor::from({2}, {a, b});
    return reshape(apply_rotary(same, rotary), {positions, 2});
}

// From the origin to the point, as a curve.
Series hand(const std::string& name, float a, float b) {
    return {.name = name, .x = {0.0, static_cast<double>(a)}, .y = {0.0, static_cast<double>(b)}};
}

// Both axes get the same unit: y from -1 to 1 on the 134 pixels of a plot that is 209 wide.
void square_axes(Series& series) {
    constexpr double wide = 208.7 / 134.3, left_out = std::numeric_limits<double>::quiet_NaN();
    for (const double end : {-1.0, 1.0}) {
        series.add(end * wide, left_out);
        series.add(left_out, end);
    }
}

LineFigure turn_figure() {
    const RotaryEmbedding rotary(2, 8);  // one pair, which turns by 1 radian at each position
    const Tensor q = turned_to_each(0.9f, 0.0f, rotary), k = turned_to_each(0.7f, 0.0f, rotary);
    const auto panel = [&](std::size_t m, std::size_t n) {
        const float score = q.at({m, 0}) * k.at({n, 0}) + q.at({m, 1}) * k.at({n, 1});
        LinePanel one{.title = fmt::format("query {}, key {}: score {:.2f}", m, n, score),
                      .x_axis = "a",
                      .y_axis = "b"};
        one.series = {hand("query", q.at({m, 0}), q.at({m, 1})), hand("key", k.at({n, 0}), k.at({n, 1}))};
        square_axes(one.series.front());
        return one;
    };
    return {
        .name = "turn",
        .title = "One pair of features (a, b), turned by RoPE",
        .panels = {panel(0, 1), panel(4, 5), panel(4, 6)},
        .panels_per_row = 3,
        .caption =
            "The query begins as (0.9, 0), the key as (0.7, 0); a title names their positions, and their dot "
            "product as the score. Here one position is a turn by 1 radian (57°). Left and middle: both have "
            "moved on by four positions, the angle between them is the same, and so is the score. Right: "
            "another distance, another score."};
}

Report show_by_hand(const Request&) {
    constexpr std::size_t positions = 3;
    RotaryEmbedding rotary(2, positions);  // one pair; here it makes a quarter turn at each position
    rotary.cos = Tensor::from({positions, 1}, {1.0f, 0.0f, -1.0f});
    rotary.sin = Tensor::from({positions, 1}, {0.0f, 1.0f, 0.0f});
    const Tensor q = turned_to_each(2.0f, 1.0f, rotary), k = turned_to_each(1.0f, 1.0f, rotary);
    const Tensor scores = matmul(q, k, Transpose::b);  // (query, key)
    Table table{.columns = {{"position", whole()},
                            {"query"},
                            {"key"},
                            {"score, key 0", whole()},
                            {"score, key 1", whole()},
                            {"score, key 2", whole()}}};
    for (std::size_t m = 0; m < positions; ++m) {
        const auto pair = [&](const Tensor& x) {
            return fmt::format("({:.0f}, {:.0f})", x.at({m, 0}), x.at({m, 1}));
        };
        table.add({m, pair(q), pair(k), scores.at({m, 0}), scores.at({m, 1}), scores.at({m, 2})});
    }
    Report report;
    report.note("Every query is (2, 1), every key (1, 1); each position is a quarter turn.");
    report.add(table);
    report.add(turn_figure());
    return report;
}

}  // namespace

Section turned_by_hand() {
    return {.id = "by-hand", .title = "By hand: one pair of features turned by RoPE", .run = show_by_hand};
}

}  // namespace tfs

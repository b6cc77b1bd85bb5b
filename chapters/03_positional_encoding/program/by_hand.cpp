// chapters/03_positional_encoding/program/by_hand.cpp · one pair of features turned by RoPE: the lesson's example, and its picture
#include <fmt/format.h>

#include <cmath>
#include <numbers>

#include "chapters/03_positional_encoding/program/options.hpp"

namespace tfs {

namespace {

// The pair (a, b) as a query or key of one head, turned to each position of the table: (position, 2).
Tensor turned_to_each(float a, float b, const RotaryEmbedding& rotary) {
    const std::size_t positions = rotary.cos.size(0);
    const Tensor same = Tensor::zeros({1, 1, positions, 2}) + Tensor::from({2}, {a, b});
    return reshape(apply_rotary(same, rotary), {positions, 2});
}

// Query and key as arrows on the unit circle, with the angle between them.
PlanePanel turn_panel(const Tensor& q, const Tensor& k, std::size_t m, std::size_t n) {
    const auto degrees = [&](const Tensor& x, std::size_t position) {
        return rounded(std::atan2(x.at({position, 1}), x.at({position, 0})) * 180.0 / std::numbers::pi);
    };
    const float score = q.at({m, 0}) * k.at({n, 0}) + q.at({m, 1}) * k.at({n, 1});
    PlanePanel panel{.title = fmt::format("query at {}, key at {}: score {:.2f}", m, n, score),
                     .low_x = -1.3,
                     .high_x = 1.3};
    const auto arrow = [&](const char* name, const Tensor& x, std::size_t position, Hue hue) {
        panel.arrow(0.0, 0.0, rounded(x.at({position, 0})), rounded(x.at({position, 1})), hue, 1.4).label =
            name;
    };
    panel.circle(0.0, 0.0, 0.9);
    panel.line(0.0, 0.0, 0.9, 0.0).light = true;
    const double from = degrees(q, m), to = degrees(k, n);
    panel.add(
        {PlaneShape::Kind::arc, 0.0, 0.0, from, to, fmt::format("{:.0f}°", to - from), Hue::positions, 0.35});
    arrow("query", q, m, Hue::query);
    arrow("key", k, n, Hue::key);
    return panel;
}

PlaneFigure turn_figure() {
    const RotaryEmbedding rotary(2, 8);  // one pair, which turns by 1 radian at each position
    const Tensor q = turned_to_each(0.9f, 0.0f, rotary), k = turned_to_each(0.7f, 0.0f, rotary);
    return {.name = "turn",
            .title = "RoPE turns both arrows; the angle between them, and so the score, stays",
            .panels = {turn_panel(q, k, 0, 1), turn_panel(q, k, 4, 5)},
            .caption =
                "Another query and key: each position turns them by 1 radian (57°). At position 0 both "
                "arrows lie on the dashed line. The score is their dot product."};
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

Sections by_hand_sections() {
    return {{"by-hand", "By hand: one pair of features turned by RoPE", show_by_hand}};
}

}  // namespace tfs

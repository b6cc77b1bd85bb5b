// chapters/03_positional_encoding/program/angles_along_heads.cpp · angles that are laid along the heads
#include <fmt/format.h>

#include "chapters/03_positional_encoding/program/options.hpp"

namespace tfs {

namespace {

// (…, seq, d_k) turned pair by pair, with the angles (seq, d_k/2) laid along axis -3, as `unsqueeze(0).unsqueeze(2)` does.
Tensor turned_along_heads(const Tensor& x, const RotaryEmbedding& rotary) {
    const std::size_t positions = rotary.cos.size(0), pairs = rotary.cos.size(1);
    Shape by_pair = x.shape();
    by_pair.back() = pairs;
    by_pair.push_back(2);
    const Tensor both = reshape(x, by_pair);
    const Tensor a = slice(both, -1, 0, 1), b = slice(both, -1, 1, 2);
    const Tensor cos = reshape(rotary.cos, {positions, 1, pairs, 1}),
                 sin = reshape(rotary.sin, {positions, 1, pairs, 1});
    const Tensor turned = concat({a * cos - b * sin, a * sin + b * cos}, -1);
    Shape shape = turned.shape();
    shape.pop_back();
    shape.back() = 2 * pairs;
    return reshape(turned, shape);
}

// By how much turning moves the scores.
template <class Turn>
double score_change(const Tensor& q, const Tensor& k, const Turn& turned) {
    return difference(matmul(q, k, Transpose::b), matmul(turned(q), turned(k), Transpose::b));
}

// An error, another shape, or no positions: for some numbers of heads and positions.
Report show_angles_along_heads(const Request& request) {
    constexpr std::size_t d_k = 64;
    Rng rng(request[options::seed]);
    Table table{.columns = {{"heads", whole()},
                            {"positions", whole()},
                            {"rows of the table", whole()},
                            {"shape of the result"},
                            {"scores change by", magnitude(4)},
                            {"should change by", fixed(1)}}};
    const auto add = [&](std::size_t heads, std::size_t seq, std::size_t max_len) {
        const RotaryEmbedding rotary(d_k, max_len);
        const Tensor q(rng.normal_array({1, heads, seq, d_k})), k(rng.normal_array({1, heads, seq, d_k}));
        const auto along_heads = [&](const Tensor& x) { return turned_along_heads(x, rotary); };
        const auto rightly = [&](const Tensor& x) { return apply_rotary(x, rotary); };
        std::vector<Cell> row{heads, seq, max_len};
        try {
            if (const Shape shape = along_heads(q).shape(); shape != q.shape())
                row.insert(row.end(),
                           {fmt::format("{}, not {}", to_string(shape), to_string(q.shape())), {}, {}});
            else
                row.insert(row.end(),
                           {"right", score_change(q, k, along_heads), score_change(q, k, rightly)});
        } catch (const ShapeError&) {
            row.insert(row.end(), {"refused: the shapes don't fit", {}, {}});
        }
        table.add(row);
    };
    add(4, 10, 10);
    add(8, 8, 8);
    add(16, 10, 16);
    add(1, 10, 10);
    Report report;
    report.note(
        fmt::format("Angles as (1, seq, 1, d_k/2) against q and k (batch, heads, seq, d_k), d_k = {}:", d_k));
    report.add(table);
    return report;
}

}  // namespace

Sections angles_along_heads_sections() {
    return {{"angles-along-heads",
             "A trap: angles laid along the heads",
             show_angles_along_heads,
             {options::seed},
             Level::deeper}};
}

}  // namespace tfs

// chapters/03_positional_encoding/program/rotary_invariance.cpp · rotary positions: what a turn leaves as it is, and what it changes
#include <fmt/format.h>

#include <cmath>

#include "chapters/03_positional_encoding/program/options.hpp"

namespace tfs {

namespace {

Tensor norms(const Tensor& x) { return sqrt(sum(x * x, -1)); }

Tensor scores_of(const Tensor& q, const Tensor& k) { return matmul(q, k, Transpose::b); }

// The columns of x (…, d_k) in the order of the other layout; the given function reorders rows.
Tensor in_half_split_order(const Tensor& x) {
    const std::size_t d_k = x.size(-1);
    const Tensor rows = transpose(reshape(x, {x.size() / d_k, d_k}), 0, 1);
    return reshape(transpose(interleaved_to_half_split(rows, 1), 0, 1), x.shape());
}

// Norms stay; a score depends on the distance alone; a part with an offset equals the part of the whole; one layout is
// the other with its columns in another order; turned values would bring absolute positions back.
Table invariants(std::size_t d_k, std::uint64_t seed) {
    const RotaryEmbedding rotary(d_k, 2048);
    Rng rng(seed);
    const auto draw = [&] { return Tensor(rng.normal_array({1, 2, 8, d_k})); };
    const auto turn = [&](const Tensor& x, std::size_t offset) {
        return apply_rotary(x, rotary, RotaryLayout::interleaved, offset);
    };
    const auto half_split = [&](const Tensor& x) {
        return apply_rotary(x, rotary, RotaryLayout::half_split);
    };
    const Tensor q = draw(), k = draw(), v = draw();
    const Tensor here = scores_of(turn(q, 0), turn(k, 0));
    const auto with_values = [&](std::size_t offset) {
        const float root = std::sqrt(static_cast<float>(d_k));
        return matmul(softmax(scores_of(turn(q, offset), turn(k, offset)) / root), turn(v, offset));
    };
    Table table{.columns = {{"what is compared"}, {"largest difference", magnitude(4)}}};
    table.add({"norms before and after", difference(norms(q), norms(turn(q, 500)))});
    table.add(
        {"scores, all positions 1000 later", difference(here, scores_of(turn(q, 1000), turn(k, 1000)))});
    table.add(
        {"scores, only the queries 1000 later", difference(here, scores_of(turn(q, 1000), turn(k, 0)))});
    table.add({"output, values turned too, all positions 1000 later",
               difference(with_values(0), with_values(1000))});
    const double part = difference(turn(slice(q, 2, 5, 8), 5), slice(turn(q, 0), 2, 5, 8));
    table.add({"the last 3 with offset 5, the last 3 of all 8", {part, significant(2)}});  // exactly 0
    table.add({"scores under half_split, columns reordered, against these",
               difference(
                   here, scores_of(half_split(in_half_split_order(q)), half_split(in_half_split_order(k))))});
    table.add({"scores under half_split, columns as they are",
               difference(here, scores_of(half_split(q), half_split(k)))});
    return table;
}

Report show_rotary(const Request& request) {
    constexpr std::size_t d_k = 64;
    Report report;
    report.note(
        fmt::format("8 queries and keys, N(0, 1), in 2 heads of d_k = {}; a table of 2048 positions", d_k));
    report.add(invariants(d_k, request[options::seed]));
    return report;
}

}  // namespace

Sections rotary_invariance_sections() {
    return {{"rotary",
             "Rotary scores depend on the distance alone",
             show_rotary,
             {options::seed},
             Level::deeper}};
}

}  // namespace tfs

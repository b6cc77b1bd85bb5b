// chapters/03_positional_encoding/program/rotary_invariance.cpp · rotary positions: what a turn leaves as it is, and what it changes
#include "chapters/03_positional_encoding/program/sections.hpp"

#include <fmt/ostream.h>

#include <algorithm>
#include <cmath>

#include "chapters/03_positional_encoding/program/score_difference.hpp"

namespace tfs {

namespace {

Tensor norms(const Tensor& x) { return sqrt(sum(x * x, -1)); }

// The columns of x (…, d_k) in the order of the other layout; the given function reorders rows.
Tensor in_half_split_order(const Tensor& x) {
    const Tensor rows = transpose(reshape(x, {x.size() / d_k, d_k}), 0, 1);
    return reshape(transpose(interleaved_to_half_split(rows, 1), 0, 1), x.shape());
}

void print_row(std::ostream& out, const char* what, const std::string& value) {
    fmt::print(out, "  {:<58}{}\n", what, value);
}

// The scores of interleaved q and k against those under the other layout, with the columns moved and not.
void compare_layouts(std::ostream& out, const Tensor& q, const Tensor& k, const RotaryEmbedding& rotary) {
    const Tensor here = scores_of(apply_rotary(q, rotary), apply_rotary(k, rotary));
    const auto half_split = [&](const Tensor& x) {
        return apply_rotary(x, rotary, RotaryLayout::half_split);
    };
    print_row(out, "scores under half_split, columns reordered, against these",
              small_or_number(difference(here, scores_of(half_split(in_half_split_order(q)),
                                                         half_split(in_half_split_order(k)))),
                              3, 4));
    print_row(out, "scores under half_split, columns as they are",
              small_or_number(difference(here, scores_of(half_split(q), half_split(k))), 3, 4));
}

}  // namespace

void measure_rotary(Show& show) {
    const RotaryEmbedding rotary(d_k, 2048);
    Rng rng(show.options.seed);
    const auto draw = [&] { return Tensor(rng.normal_array({1, 2, 8, d_k})); };
    const auto turn = [&](const Tensor& x, std::size_t offset) {
        return apply_rotary(x, rotary, RotaryLayout::interleaved, offset);
    };
    const Tensor q = draw(), k = draw(), v = draw(), last = slice(q, 2, 5, 8);
    const Tensor here = scores_of(turn(q, 0), turn(k, 0));
    const auto with_values = [&](std::size_t offset) {  // sqrt(64) = 8
        return matmul(softmax(scores_of(turn(q, offset), turn(k, offset)) / 8.0f), turn(v, offset));
    };
    fmt::print(show.out,
               "  8 queries and keys, N(0, 1), in 2 heads of d_k = {}; a table of 2048 positions\n\n", d_k);
    print_row(show.out, "norms before and after, largest difference",
              small_or_number(difference(norms(q), norms(turn(q, 500))), 3, 4));
    print_row(show.out, "scores, all positions 1000 later, largest difference",
              small_or_number(difference(here, scores_of(turn(q, 1000), turn(k, 1000))), 3, 4));
    print_row(show.out, "scores, only the queries 1000 later",
              small_or_number(difference(here, scores_of(turn(q, 1000), turn(k, 0))), 3, 4));
    print_row(show.out, "output, values turned too, all positions 1000 later",
              small_or_number(difference(with_values(0), with_values(1000)), 3, 4));
    print_row(show.out, "the last 3 with offset 5 = the last 3 of all 8, exactly",
              difference(turn(last, 5), slice(turn(q, 0), 2, 5, 8)) == 0.0 ? "yes" : "NO");
    compare_layouts(show.out, q, k, rotary);
}

HeatMapFigure phases_figure(const RotaryEmbedding& rotary) {
    const std::size_t pairs = std::min<std::size_t>(rotary.cos.size(1), 16);
    const std::size_t positions = std::min<std::size_t>(rotary.cos.size(0), 64);
    Array phases = Array::from_shape({pairs, positions});
    for (std::size_t i = 0; i < pairs; ++i) {
        for (std::size_t m = 0; m < positions; ++m)
            phases(i, m) = std::atan2(rotary.sin.array()(m, i), rotary.cos.array()(m, i));
    }
    return {.name = "phases",
            .title = fmt::format("Rotary angles, d_k {}", 2 * rotary.cos.size(1)),
            .row_axis = "pair",
            .column_axis = "position",
            .panels = {{.title = "angle of the pair, between -π and π",
                        .values = std::move(phases),
                        .scale = ColourScale::cyclic,
                        .quantity = "radians"}},
            .panels_per_row = 1,
            .caption = fmt::format(
                "Each pair turns more slowly than the pair above it. The scale is circular, because -π and "
                "π are the same angle: where the colours begin again, a pair has made a whole turn. The "
                "first {} of {} pairs are drawn.",
                pairs, rotary.cos.size(1))};
}

}  // namespace tfs

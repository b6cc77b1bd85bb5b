// tests/03_positional_encoding/rotary_positions_test.cpp · step rotary_positions, and what is given of it: PyTorch's values, properties
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "chapters/03_positional_encoding/positional_encoding.hpp"
#include "tests/support/close.hpp"
#include "tests/support/golden.hpp"
#include "tests/support/refusal.hpp"

namespace tfs::test {
namespace {

const std::vector<std::pair<std::string, RotaryLayout>> layouts{{"interleaved", RotaryLayout::interleaved},
                                                                {"half_split", RotaryLayout::half_split}};

// The tables as PyTorch has them, so that wrong ones spoil no check of apply_rotary.
RotaryEmbedding golden_rotary() {
    RotaryEmbedding rotary(8, 16);
    rotary.cos = golden()["rotary.cos"];
    rotary.sin = golden()["rotary.sin"];
    return rotary;
}

// x (…, seq, d_k), turned pair by pair.
Tensor reference_rotary(const Tensor& x, const RotaryEmbedding& rotary, RotaryLayout layout,
                        std::size_t offset = 0) {
    const std::size_t seq = x.size(-2), width = x.size(-1), pairs = width / 2;
    const bool interleaved = layout == RotaryLayout::interleaved;
    Array y = x.array();
    for (std::size_t row = 0; row < x.size() / width; ++row)
        for (std::size_t i = 0; i < pairs; ++i) {
            const std::size_t first = row * width + (interleaved ? 2 * i : i),
                              second = first + (interleaved ? 1 : pairs);
            const float a = x.values()[first], b = x.values()[second];
            const float c = rotary.cos.at({offset + row % seq, i}),
                        s = rotary.sin.at({offset + row % seq, i});
            y.data()[first] = a * c - b * s;
            y.data()[second] = a * s + b * c;
        }
    return Tensor(std::move(y));
}

// apply_rotary on normal values of this shape, in both layouts.
void turns_all_pairs(const std::string& what, const Shape& shape, const RotaryEmbedding& rotary,
                     std::size_t offset = 0) {
    const Tensor x = normal(shape, 4);
    for (const auto& [name, layout] : layouts)
        EXPECT_TRUE(close_named(what + ", " + name, apply_rotary(x, rotary, layout, offset),
                                reference_rotary(x, rotary, layout, offset)));
}

// A score between the words at m and n, before a shift by 7 positions and after it.
void expect_prediction(bool ShiftedScores::*predicted,
                       const std::function<Tensor(std::size_t m, std::size_t n)>& product) {
    const auto in_words = [](bool stays) { return std::string(stays ? "it stays" : "it changes"); };
    const float before = sum(product(5, 3)).item(), after = sum(product(12, 10)).item();
    EXPECT_EQ(in_words(scores_that_stay().*predicted), in_words(std::abs(after - before) < 1e-4f))
        << fmt::format("positions 5 and 3: {:.2f}; shifted to 12 and 10: {:.2f}", before, after);
}

Tensor sinusoids_at(std::size_t position) {
    return slice(SinusoidalPositionalEncoding(8, 16).table, 0, position, position + 1);
}

Tensor turned_to(std::size_t position, const Tensor& x) {
    return reference_rotary(x, golden_rotary(), RotaryLayout::interleaved, position);
}

TEST(rotary_positions, score_of_rows_after_a_shift) {
    expect_prediction(&ShiftedScores::rows, [](auto m, auto n) { return sinusoids_at(m) * sinusoids_at(n); });
}

TEST(rotary_positions, score_of_word_and_row_after_a_shift) {
    expect_prediction(&ShiftedScores::word_and_row, [](auto, auto n) {
        return normal({1, 8}, 2) * sinusoids_at(n);
    });
}

TEST(rotary_positions, score_of_both_turned_after_a_shift) {
    expect_prediction(&ShiftedScores::both_turned, [](auto m, auto n) {
        return turned_to(m, normal({1, 8}, 2)) * turned_to(n, normal({1, 8}, 3));
    });
}

TEST(rotary_positions, score_of_only_query_turned_after_a_shift) {
    expect_prediction(&ShiftedScores::only_query_turned, [](auto m, auto) {
        return turned_to(m, normal({1, 8}, 2)) * normal({1, 8}, 3);
    });
}

TEST(rotary_positions, apply_rotary_turns_pairs_as_pytorch) {
    for (const auto& [name, layout] : layouts)
        EXPECT_TRUE(close_named(name, apply_rotary(golden()["rotary.x"], golden_rotary(), layout),
                                golden()["rotary." + name + ".output"]));
}

TEST(rotary_positions, apply_rotary_begins_at_the_offset) {
    for (const auto& [name, layout] : layouts)
        EXPECT_TRUE(close_named(name + ", offset 11",
                                apply_rotary(golden()["rotary.x"], golden_rotary(), layout, 11),
                                golden()["rotary." + name + ".offset.output"]));
    turns_all_pairs("a single position, offset 11", {2, 3, 1, 8}, golden_rotary(), 11);
}

TEST(rotary_positions, apply_rotary_sends_the_gradient_of_pytorch) {
    for (const auto& [name, layout] : layouts) {
        const std::string prefix = "rotary." + name + ".offset.";
        const Tensor x = leaf("rotary.x");
        ASSERT_TRUE(
            send_back(apply_rotary(x, golden_rotary(), layout, 11), golden()[prefix + "grad_weights"]));
        EXPECT_TRUE(gradient_close("x, " + name, x, golden()[prefix + "grad_x"]));
    }
}

// Negative angles nobody can compute from d_k; one pair has a table of its own width.
TEST(rotary_positions, apply_rotary_takes_its_angles_from_the_table) {
    turns_all_pairs("tables of positive angles", {6, 3, 5, 8}, golden_rotary(), 3);
    RotaryEmbedding backward = golden_rotary(), one_pair = golden_rotary();
    backward.sin = -backward.sin;
    turns_all_pairs("tables of negative angles", {6, 3, 5, 8}, backward, 3);
    one_pair.cos = slice(one_pair.cos, 1, 0, 1);
    one_pair.sin = slice(one_pair.sin, 1, 0, 1);
    turns_all_pairs("d_k 2", {6, 3, 5, 2}, one_pair);
}

// As many heads as positions, so that no shape complains.
TEST(rotary_positions, apply_rotary_turns_by_the_position_not_by_the_head) {
    turns_all_pairs("5 heads, 5 positions", {2, 5, 5, 8}, golden_rotary());
}

TEST(rotary_positions, apply_rotary_takes_the_axis_before_the_last_for_the_positions) {
    for (const Shape& shape : {Shape{5, 8}, Shape{3, 5, 8}, Shape{6, 2, 3, 5, 8}})
        turns_all_pairs("x " + to_string(shape), shape, golden_rotary());
    turns_all_pairs("64 sequences, enough for several threads", {64, 3, 15, 8}, golden_rotary());
}

TEST(rotary_positions, apply_rotary_differs_between_the_layouts_by_an_order_of_columns) {
    const Tensor x = normal({5, 8}, 7), rows = normal({12, 5}, 8);
    const auto reordered = [](const Tensor& t) {  // interleaved_to_half_split moves rows
        return transpose(interleaved_to_half_split(transpose(t, 0, 1), 1), 0, 1);
    };
    const Tensor result = apply_rotary(x, golden_rotary(), RotaryLayout::interleaved);
    ASSERT_TRUE(has_shape(result, x.shape()));
    EXPECT_TRUE(
        close(apply_rotary(reordered(x), golden_rotary(), RotaryLayout::half_split), reordered(result)));
    EXPECT_TRUE(close(half_split_to_interleaved(interleaved_to_half_split(rows, 3), 3), rows, {0, 0}));
    EXPECT_TRUE(refuses<ValueError>([&] { (void)interleaved_to_half_split(rows, 4); }, {}));
}

TEST(rotary_positions, apply_rotary_refuses_what_does_not_fit_the_table) {
    const RotaryEmbedding rotary = golden_rotary();
    const Tensor x = normal({1, 1, 5, 8}, 4);
    turns_all_pairs("the last 5 positions", {1, 1, 5, 8}, rotary, 11);
    EXPECT_TRUE(refuses<ValueError>([&] { (void)apply_rotary(x, rotary, RotaryLayout::interleaved, 12); },
                                    {"12|16|17", "16"}, "5 positions from 12 on, of 16"));
    const Tensor narrow = slice(x, -1, 0, 6);
    EXPECT_TRUE(
        refuses<ShapeError>([&] { (void)apply_rotary(narrow, rotary); }, {}, "x of d_k 6, tables of d_k 8"));
}

// --- the tables, given ------------------------------------------------------------------------------------------------

TEST(rotary_embedding, equals_pytorch) {
    const RotaryEmbedding rotary(8, 16), slower(8, 16, 500000.0), long_table(6, 20001);
    const auto far_out = [](const Tensor& table) { return slice(table, 0, 19997, 20001); };
    EXPECT_TRUE(close(rotary.cos, golden()["rotary.cos"]));
    EXPECT_TRUE(close(rotary.sin, golden()["rotary.sin"]));
    EXPECT_TRUE(close(slower.cos, golden()["rotary.theta.cos"]));
    EXPECT_TRUE(close(slower.sin, golden()["rotary.theta.sin"]));
    EXPECT_TRUE(close(far_out(long_table.cos), golden()["rotary.far.cos"], {0, 1e-6}));
    EXPECT_TRUE(close(far_out(long_table.sin), golden()["rotary.far.sin"], {0, 1e-6}));
    EXPECT_FALSE(rotary.cos.requires_grad() || rotary.sin.requires_grad());
}

TEST(rotary_embedding, refuses_what_makes_no_table) {
    EXPECT_TRUE(has_shape(RotaryEmbedding(2, 3).sin, {3, 1}));
    EXPECT_TRUE(refuses<ValueError>([] { RotaryEmbedding(7, 16); }, {"7"}, "d_k 7"));
    EXPECT_TRUE(refuses<ValueError>([] { RotaryEmbedding(8, 0); }, {}, "max_len 0"));
    EXPECT_TRUE(refuses<ValueError>([] { RotaryEmbedding(8, 16, 0.0); }, {}, "theta 0"));
    EXPECT_TRUE(refuses<ValueError>([] { RotaryEmbedding(8, 16, infinity); }, {"inf"}, "theta infinity"));
    EXPECT_TRUE(refuses<ValueError>([] { RotaryEmbedding(8, 16, nan); }, {"nan"}, "theta NaN"));
    EXPECT_TRUE(refuses<ShapeError>([] { RotaryEmbedding(1ull << 32, 1ull << 32); }, {},
                                    "tables larger than any memory"));
}

// --- rotary_attention, given ------------------------------------------------------------------------------------------

TEST(rotary_attention, equals_pytorch_in_both_layouts) {
    for (const auto& [name, layout] : layouts) {
        const std::string prefix =
            layout == RotaryLayout::half_split ? "rotary_attention.half_split." : "rotary_attention.";
        const auto result =
            rotary_attention(golden()["rotary_attention.q"], golden()["rotary_attention.k"],
                             golden()["rotary_attention.v"], golden_rotary(), std::nullopt, layout, 3);
        EXPECT_TRUE(close_named("weights, " + name, result.weights, golden()[prefix + "weights"]));
        EXPECT_TRUE(close_named("output, " + name, result.output, golden()[prefix + "output"]));
    }
}

TEST(rotary_attention, queries_may_stand_anywhere_among_the_keys_or_behind_them) {
    struct Case {
        std::size_t queries, keys, offset;
    };
    const auto layout = RotaryLayout::interleaved;
    const RotaryEmbedding rotary = golden_rotary();
    for (const auto& [queries, keys, offset] : {Case{3, 6, 0}, Case{9, 6, 3}, Case{1, 6, 3}}) {
        const Tensor q = normal({2, 5, queries, 8}, 11), k = normal({2, 5, keys, 8}, 12),
                     v = normal({2, 5, keys, 7}, 13);
        const auto result = rotary_attention(q, k, v, rotary, std::nullopt, layout, offset);
        const auto expected = scaled_dot_product_attention(reference_rotary(q, rotary, layout, offset),
                                                           reference_rotary(k, rotary, layout), v);
        const std::string what =
            fmt::format(" of {} queries from position {} on, over {} keys", queries, offset, keys);
        EXPECT_TRUE(close_named("weights" + what, result.weights, expected.weights));
        EXPECT_TRUE(close_named("output" + what, result.output, expected.output));
    }
}

TEST(rotary_attention, sends_the_gradients_of_pytorch_under_a_mask) {
    const Mask causal =  // 3 queries from position 3 on, 6 keys
        Mask::from({3, 6}, {1, 1, 1, 1, 0, 0, 1, 1, 1, 1, 1, 0, 1, 1, 1, 1, 1, 1});
    const Parameters inputs{{"q", leaf("rotary_attention.q")},
                            {"k", leaf("rotary_attention.k")},
                            {"v", leaf("rotary_attention.v")}};
    const auto result = rotary_attention(inputs[0].tensor, inputs[1].tensor, inputs[2].tensor,
                                         golden_rotary(), causal, RotaryLayout::interleaved, 3);
    const std::string prefix = "rotary_attention.masked.";
    EXPECT_TRUE(close_named("weights", result.weights, golden()[prefix + "weights"]));
    EXPECT_TRUE(close_named("output", result.output, golden()[prefix + "output"]));
    ASSERT_TRUE(send_back(result.output, golden()[prefix + "grad_weights"]));
    for (const auto& [name, input] : inputs)
        EXPECT_TRUE(gradient_close(name, input, golden()[prefix + "grad_" + name], {1e-4, 1e-6}));
}

}  // namespace
}  // namespace tfs::test

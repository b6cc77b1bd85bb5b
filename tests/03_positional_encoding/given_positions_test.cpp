// tests/03_positional_encoding/given_positions_test.cpp · given: learned rows, ALiBi, positions of each row of a batch
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <functional>

#include "chapters/03_positional_encoding/positional_encoding.hpp"
#include "tests/support/close.hpp"
#include "tests/support/golden.hpp"
#include "tests/support/refusal.hpp"

namespace tfs::test {
namespace {

LearnedPositionalEmbedding golden_learned() {
    Rng none = Rng::zeros();
    LearnedPositionalEmbedding layer(6, 12, none);
    layer.embedding.weight = leaf("learned.table");
    return layer;
}

TEST(given_learned_positions, equal_pytorch) {
    const LearnedPositionalEmbedding layer = golden_learned();
    const Tensor x = golden()["learned.x"];
    EXPECT_TRUE(close(layer(x), golden()["learned.output"]));
    EXPECT_TRUE(close(layer(x, 8), golden()["learned.offset.output"]));
    const Tensor one = slice(x, 1, 0, 1);
    EXPECT_TRUE(close(layer(one, 8), one + slice(golden()["learned.table"], 0, 8, 9)));
    EXPECT_TRUE(close(layer(Tensor::zeros({1, 12, 6})), reshape(golden()["learned.table"], {1, 12, 6})));
    for (const Shape& shape : {Shape{4, 6}, Shape{2, 3, 4, 6}}) {
        const Tensor any = normal(shape, 6);
        EXPECT_TRUE(close(layer(any), any + slice(golden()["learned.table"], 0, 0, 4)));
    }
}

TEST(given_learned_positions, send_the_gradients_of_pytorch) {
    const LearnedPositionalEmbedding layer = golden_learned();
    const Tensor x = leaf("learned.x");
    ASSERT_TRUE(send_back(layer(x, 8), golden()["learned.offset.grad_weights"]));
    EXPECT_TRUE(gradient_close("x", x, golden()["learned.offset.grad_x"]));
    ASSERT_EQ(layer.parameters().size(), 1u);
    EXPECT_EQ(layer.parameters()[0].name, "embedding.weight");
    EXPECT_TRUE(
        gradient_close("embedding.weight", layer.embedding.weight, golden()["learned.offset.grad_table"]));
}

TEST(given_learned_positions, refuse_positions_beyond_the_table_and_other_widths) {
    const LearnedPositionalEmbedding layer = golden_learned();
    const Tensor x = golden()["learned.x"], narrow = slice(x, -1, 0, 1);  // which would broadcast
    EXPECT_TRUE(refuses<ValueError>([&] { (void)layer(x, 9); }, {"9|12|13", "12"}));
    EXPECT_TRUE(refuses<ShapeError>([&] { (void)layer(narrow); }, {}));
}

// --- ALiBi ----------------------------------------------------------------------------------------------------------

TEST(alibi_slopes, equal_the_published_ones_for_any_number_of_heads) {
    for (const std::size_t heads : {1u, 2u, 3u, 8u, 12u, 16u})
        EXPECT_TRUE(close_named(fmt::format("{} heads", heads), alibi_slopes(heads),
                                golden()[fmt::format("alibi.slopes.{}", heads)], {1e-5, 0}));
    EXPECT_FALSE(alibi_slopes(2).requires_grad());
    EXPECT_TRUE(refuses<ValueError>([] { (void)alibi_slopes(0); }, {}, "0 heads"));
    EXPECT_TRUE(refuses<ShapeError>([] { (void)alibi_slopes(1ull << 62); }, {"4611686018427387904"},
                                    "1 << 62 heads"));
}

TEST(alibi_bias, equals_pytorch) {
    const Tensor bias = alibi_bias(4, 5, 5);  // keys in the future get 0
    EXPECT_TRUE(close(bias, golden()["alibi.bias.output"], {1e-5, 0}));
    EXPECT_TRUE(close(alibi_bias(3, 2, 6, 4), golden()["alibi.bias.offset.output"], {1e-5, 0}));
    EXPECT_FALSE(bias.requires_grad());
}

TEST(alibi_bias, queries_may_stand_anywhere_among_the_keys_or_behind_them) {
    struct Case {
        std::size_t queries, keys, offset;
    };
    for (const auto& [queries, keys, offset] : {Case{2, 6, 1}, Case{5, 4, 2}, Case{1, 6, 3}}) {
        Array distance = Array::from_shape({queries, keys});
        for (std::size_t i = 0; i < queries; ++i)
            for (std::size_t j = 0; j < keys; ++j)
                distance(i, j) = static_cast<float>(i + offset - std::min(j, i + offset));
        const Tensor slopes = reshape(golden()["alibi.bias.slopes.3"], {1, 3, 1, 1});
        EXPECT_TRUE(
            close_named(fmt::format("{} queries from position {} on, over {} keys", queries, offset, keys),
                        alibi_bias(3, queries, keys, offset), -slopes * Tensor(distance), {1e-5, 0}));
    }
}

TEST(alibi_bias, is_refused_by_the_scores_of_another_number_of_heads) {
    const Tensor bias = alibi_bias(4, 5, 3);
    EXPECT_TRUE(has_shape(alibi_bias(1, 5, 3), {1, 1, 5, 3}));
    const Tensor scores = normal({2, 6, 5, 3}, 6);
    EXPECT_TRUE(has_shape(slice(scores, 1, 0, 4) + bias, {2, 4, 5, 3}));
    EXPECT_TRUE(refuses<ShapeError>([&] { (void)(scores + bias); }, {}, "scores of 6 heads + a bias of 4"));
    EXPECT_TRUE(refuses<ValueError>([] { (void)alibi_bias(0, 5, 3); }, {}, "0 heads"));
    EXPECT_TRUE(refuses<ValueError>([] { (void)alibi_bias(4, 0, 3); }, {}, "0 queries"));
    EXPECT_TRUE(refuses<ValueError>([] { (void)alibi_bias(4, 5, 0); }, {}, "0 keys"));
    EXPECT_TRUE(refuses<ShapeError>([] { (void)alibi_bias(4, 1ull << 32, 1ull << 32); }, {},
                                    "a bias larger than any memory"));
}

// --- each row of the batch begins at its own position -----------------------------------------------------------------

const std::size_t offsets[] = {3, 0, 5};

// All rows at once, and each of them alone.
void expect_rows(const Tensor& together, const Tensor& x,
                 const std::function<Tensor(const Tensor& x, std::size_t offset)>& alone) {
    for (std::size_t row = 0; row < 3; ++row)
        EXPECT_TRUE(
            close(slice(together, 0, row, row + 1), alone(slice(x, 0, row, row + 1), offsets[row]), {0, 0}))
            << row;
}

TEST(given_by_row, sinusoids_learned_rows_and_rotations_begin_where_each_row_does) {
    const Offset each({3, 0, 5});
    Rng rng(1);
    const SinusoidalPositionalEncoding sinusoids(8, 9);
    const LearnedPositionalEmbedding learned(8, 9, rng);
    const RotaryEmbedding rotary(6, 9);
    const Tensor x = normal({3, 4, 8}, 2), heads = normal({3, 2, 4, 6}, 3);
    expect_rows(sinusoids(x, each), x, [&](const Tensor& t, std::size_t at) { return sinusoids(t, at); });
    expect_rows(learned(x, each), x, [&](const Tensor& t, std::size_t at) { return learned(t, at); });
    for (const RotaryLayout layout : {RotaryLayout::interleaved, RotaryLayout::half_split})
        expect_rows(apply_rotary(heads, rotary, layout, each), heads,
                    [&](const Tensor& t, std::size_t at) { return apply_rotary(t, rotary, layout, at); });
    EXPECT_TRUE(refuses<ValueError>([&] { (void)sinusoids(x, Offset({3, 0, 6})); }, {"4 positions from 6"}));
    EXPECT_TRUE(refuses<ValueError>([&] { (void)learned(x, Offset({3, 0})); }, {"2 numbers", "batch of 3"}));
}

TEST(given_by_row, the_bias_of_alibi_counts_from_where_each_row_begins) {
    const Tensor together = alibi_bias(4, 3, 8, Offset({3, 0, 5}));
    ASSERT_EQ(together.shape(), (Shape{3, 4, 3, 8}));
    for (std::size_t row = 0; row < 3; ++row)
        EXPECT_TRUE(close(slice(together, 0, row, row + 1), alibi_bias(4, 3, 8, offsets[row]), {0, 0}));
}

}  // namespace
}  // namespace tfs::test

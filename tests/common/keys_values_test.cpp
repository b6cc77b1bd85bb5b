// tests/common/keys_values_test.cpp · keys and values where they lie, and attention to them
#include "common/nn/keys_values.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <vector>

#include "common/base/array.hpp"
#include "common/nn/parameters.hpp"
#include "common/tensor/ops.hpp"
#include "tests/support/close.hpp"
#include "tests/support/inputs.hpp"
#include "tests/support/kept_rows.hpp"
#include "tests/support/refusal.hpp"

namespace tfs::test {
namespace {

// softmax(q kᵀ / sqrt(d_k) + bias) v by the operations of the tensor layer; `hidden` scores are -inf.
Attended plain_attention(const Tensor& q, const Tensor& k, const Tensor& v, const std::optional<Mask>& mask,
                         const std::optional<Tensor>& bias) {
    Tensor scores = matmul(q, k, Transpose::b) / std::sqrt(static_cast<float>(q.size(-1)));
    if (bias) scores = scores + *bias;
    if (mask) scores = masked_fill(scores, *mask, -std::numeric_limits<float>::infinity());
    const Tensor e = exp(scores - max(scores, -1, KeepDims::yes));
    const Tensor weights = e / sum(e, -1, KeepDims::yes);
    return {matmul(weights, v), weights};
}

Tensor twice_each_head(const Tensor& x) {  // a b -> a a b b
    const Tensor alone = reshape(x, {x.size(0), x.size(1), 1, x.size(2), x.size(3)});
    return reshape(concat({alone, alone}, 2), {x.size(0), 2 * x.size(1), x.size(2), x.size(3)});
}

Mask causal(std::size_t queries, std::size_t keys) {
    xt::xarray<bool> allowed = xt::xarray<bool>::from_shape({1, 1, queries, keys});
    for (std::size_t i = 0; i < queries; ++i)
        for (std::size_t j = 0; j < keys; ++j) allowed(0, 0, i, j) = j <= i + keys - queries;
    return Mask(std::move(allowed));
}

// Keys that are not next to each other, of two heads for four of queries; one to 90 queries at a time.
TEST(keys_values, attention_in_place_is_attention_to_a_copy) {
    for (const std::size_t queries : {1u, 5u, 90u}) {
        const Tensor k = normal({3, 2, 97, 6}, 1), v = normal({3, 2, 97, 4}, 2);
        const Tensor q = normal({3, 4, queries, 6}, 3), bias = normal({4, queries, 97}, 4);
        KeptRows store(128);
        const KeysValues kept = store.append(0, {k, v});
        ASSERT_TRUE(kept.keys.rows() && kept.values.rows());
        EXPECT_TRUE(close(Tensor(kept.keys), k, {0, 0}));
        xt::xarray<bool> some = xt::xarray<bool>::from_shape({3, 1, 1, 97});
        for (std::size_t i = 0; i < some.size(); ++i) some.data()[i] = i % 3 != 1;
        for (const std::optional<Mask>& mask :
             {std::optional<Mask>(), std::optional(causal(queries, 97)), std::optional(Mask(some))})
            for (const std::optional<Tensor>& added : {std::optional<Tensor>(), std::optional(bias)}) {
                const auto [output, weights] =
                    attend_in_place(q, *kept.keys.rows(), *kept.values.rows(), mask, added, Weights::keep);
                const Attended expected =
                    plain_attention(q, twice_each_head(k), twice_each_head(v), mask, added);
                EXPECT_TRUE(close(output, expected.output, {1e-4, 1e-5}));
                EXPECT_TRUE(close(weights, expected.weights, {1e-4, 1e-6}));
                EXPECT_TRUE(
                    close(attend_in_place(q, *kept.keys.rows(), *kept.values.rows(), mask, added).output,
                          output, {0, 0}));
            }
    }
}

// Rows of the batch with 5, 0 and 9 earlier keys: each row as if it were alone.
TEST(keys_values, rows_of_different_lengths_end_together) {
    const Tensor k = normal({3, 2, 9, 6}, 5), v = normal({3, 2, 9, 4}, 6);
    const Tensor new_k = normal({3, 2, 2, 6}, 7), new_v = normal({3, 2, 2, 4}, 8),
                 q = normal({3, 2, 2, 6}, 9);
    KeptRows store(16);
    (void)store.append(0, {k, v});
    store.drop({4, 9, 0});
    EXPECT_EQ(store.lengths(0), Offset({5, 0, 9}));
    const KeysValues all = store.append(0, {new_k, new_v});
    EXPECT_EQ(all.keys.lengths(), Offset({7, 2, 11}));
    EXPECT_EQ(all.keys.shape(), (Shape{3, 2, 11, 6}));
    const auto [output, weights] =
        attend_in_place(q, *all.keys.rows(), *all.values.rows(), causal(2, 11), std::nullopt, Weights::keep);
    const std::size_t before[] = {5, 0, 9};
    for (std::size_t row = 0; row < 3; ++row) {
        const auto of_row = [&](const Tensor& x) { return slice(x, 0, row, row + 1); };
        const auto alone = [&](const Tensor& old, const Tensor& added) {
            return before[row] == 0 ? of_row(added)
                                    : concat({slice(of_row(old), 2, 0, before[row]), of_row(added)}, 2);
        };
        const Attended expected = plain_attention(of_row(q), alone(k, new_k), alone(v, new_v),
                                                  causal(2, before[row] + 2), std::nullopt);
        EXPECT_TRUE(close(of_row(output), expected.output, {1e-4, 1e-5})) << row;
        const std::size_t absent = 9 - before[row];
        EXPECT_TRUE(close(slice(of_row(weights), 3, absent, 11), expected.weights, {1e-4, 1e-6})) << row;
        for (std::size_t j = 0; j < absent; ++j) EXPECT_EQ(weights.at({row, 1, 0, j}), 0.0f) << row << j;
        // A copy has them at the same places.
        const Tensor copy = all.keys;
        EXPECT_TRUE(close(slice(of_row(copy), 2, absent, 11), alone(k, new_k), {0, 0})) << row;
    }
}

// The mask allows the first column alone, where the shorter row has no key.
TEST(keys_values, a_shorter_row_that_may_attend_to_none_of_its_keys_gives_zeros) {
    const Tensor k = normal({2, 1, 4, 3}, 1), q = normal({2, 1, 1, 3}, 2);
    KeptRows store(8);
    (void)store.append(0, {k, k});
    store.drop({0, 3});
    const KeysValues all = store.append(0, {slice(k, 2, 0, 1), slice(k, 2, 0, 1)});
    const auto [output, weights] =
        attend_in_place(q, *all.keys.rows(), *all.values.rows(), Mask::from({1, 1, 1, 5}, {1, 0, 0, 0, 0}),
                        std::nullopt, Weights::keep);
    for (std::size_t j = 0; j < 5; ++j) {
        EXPECT_EQ(weights.at({0, 0, 0, j}), j == 0 ? 1.0f : 0.0f) << j;
        EXPECT_EQ(weights.at({1, 0, 0, j}), 0.0f) << j;
    }
    for (std::size_t i = 0; i < 3; ++i) EXPECT_EQ(output.at({1, 0, 0, i}), 0.0f) << i;
}

TEST(keys_values, a_row_that_may_attend_to_nothing_gives_zeros) {
    const Tensor q = normal({1, 1, 2, 4}, 1), k = normal({1, 1, 3, 4}, 2);
    const Tensor output =
        attend_in_place(q, HeadRows(k), HeadRows(k), Mask::from({1, 1, 2, 3}, {0, 0, 0, 1, 1, 1})).output;
    for (std::size_t i = 0; i < 4; ++i) EXPECT_EQ(output.at({0, 0, 0, i}), 0.0f);
    EXPECT_NE(output.at({0, 0, 1, 0}), 0.0f);
}

TEST(keys_values, refuse_what_does_not_fit) {
    const Tensor q = normal({2, 4, 3, 6}, 1), k = normal({2, 2, 5, 6}, 2), v = normal({2, 2, 5, 3}, 3);
    const auto attend = [](const Tensor& a, const Tensor& b, const Tensor& c) {
        return [=] { (void)attend_in_place(a, HeadRows(b), HeadRows(c)); };
    };
    EXPECT_NO_THROW(attend(q, k, v)());
    EXPECT_TRUE(refuses<ShapeError>(attend(normal({2, 3, 3, 6}, 1), k, v), {"(2, 3, 3, 6)", "divide"}));
    EXPECT_TRUE(refuses<ShapeError>(attend(normal({3, 4, 3, 6}, 1), k, v), {"batches must agree"}));
    EXPECT_TRUE(refuses<ShapeError>(attend(normal({2, 4, 3, 5}, 1), k, v), {"one width"}));
    EXPECT_TRUE(refuses<ShapeError>(attend(q, k, normal({2, 2, 4, 3}, 1)), {"each key has one value"}));
    EXPECT_TRUE(refuses<ShapeError>(attend(normal({4, 3, 6}, 1), k, v), {"(batch, heads, query, d_k)"}));
    EXPECT_TRUE(refuses<ShapeError>(
        [&] {
            const Tensor flat = normal({2, 5, 6}, 1);
            (void)HeadRows(flat);
        },
        {"(2, 5, 6)"}));
    EXPECT_TRUE(refuses<ShapeError>(
        [&] {
            (void)attend_in_place(q, HeadRows(k), HeadRows(v),
                                  Mask::from({1, 1, 3, 4}, std::vector<int>(12, 1)));
        },
        {"(2, 4, 3, 5)"}));
    EXPECT_TRUE(refuses<ValueError>(attend(parameter(q), k, v), {"no tape", "NoGrad"}));
    EXPECT_TRUE(refuses<ValueError>(attend(q, parameter(k), v), {"HeadRows", "NoGrad"}));
    EXPECT_TRUE(refuses<ShapeError>([&] { (void)Heads(q).size(4); }, {"axis 4"}));
    {
        const NoGrad no_grad;
        EXPECT_NO_THROW(attend(parameter(q), k, v)());
    }
    const float* const memory = k.values().data();
    EXPECT_TRUE(refuses<ValueError>([&] { HeadRows(nullptr, 1, 1, 6, 6, 1); }, {"memory"}));
    EXPECT_TRUE(refuses<ValueError>([&] { HeadRows(memory, 2, 2, 6, 24, 5); }, {"5 rows", "24 apart"}));
    EXPECT_TRUE(refuses<ValueError>(
        [&] {
            HeadRows(memory, 2, 2, 6, 30, Offset({1, 2, 3}));
        },
        {"3 numbers for a batch of 2"}));
}

}  // namespace
}  // namespace tfs::test

// tests/common/nn_test.cpp · Linear, Embedding, named parameters and their gradients; offsets, keys and values
#include "common/nn.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "common/tensor.hpp"
#include "tests/support/close.hpp"
#include "tests/support/earlier.hpp"
#include "tests/support/golden.hpp"
#include "tests/support/refusal.hpp"

namespace tfs::test {
namespace {

TEST(linear, value_and_gradients_equal_pytorch) {
    Rng none = Rng::zeros();
    Linear layer(5, 4, none);
    layer.weight.mutable_array() = golden()["linear.batch.bias.b"].array();
    layer.bias->mutable_array() = golden()["linear.batch.bias.c"].array();
    const Tensor x(golden()["linear.batch.bias.a"].array(), true);
    const Tensor y = layer(x);
    EXPECT_TRUE(close(y, golden()["linear.batch.bias.output"]));
    sum(y * golden()["linear.batch.bias.grad_weights"]).backward();
    EXPECT_TRUE(close(x.grad(), golden()["linear.batch.bias.grad_a"].array()));
    EXPECT_TRUE(close(layer.weight.grad(), golden()["linear.batch.bias.grad_b"].array()));
    EXPECT_TRUE(close(layer.bias->grad(), golden()["linear.batch.bias.grad_c"].array()));
}

TEST(linear, starts_within_the_glorot_bounds_and_a_zero_bias) {
    Rng rng(1);
    const Linear layer(300, 100, rng);
    const double bound = std::sqrt(6.0 / 400.0);
    double squares = 0.0, largest = 0.0;
    for (const float w : layer.weight.values()) {
        squares += static_cast<double>(w) * w;
        largest = std::max(largest, std::abs(static_cast<double>(w)));
    }
    EXPECT_LE(largest, bound);
    EXPECT_GT(largest, 0.99 * bound);
    EXPECT_NEAR(squares / 30000.0, bound * bound / 3.0, 0.02 * bound * bound);  // the variance of a uniform
    EXPECT_TRUE(close(*layer.bias, Tensor::zeros({100}), {0.0, 0.0}));
    EXPECT_TRUE(layer.weight.requires_grad());
    EXPECT_TRUE(layer.bias->requires_grad());
}

TEST(embedding, value_and_gradient_equal_pytorch_for_ids_of_any_rank) {
    Rng none = Rng::zeros();
    Embedding layer(5, 3, none);
    layer.weight.mutable_array() = golden()["embedding.rank2.a"].array();
    const Tensor y = layer(Ids{{2, 0, 2}, {4, 2, 0}});
    EXPECT_TRUE(close(y, golden()["embedding.rank2.output"]));
    sum(y * golden()["embedding.rank2.grad_weights"]).backward();
    EXPECT_TRUE(close(layer.weight.grad(), golden()["embedding.rank2.grad_a"].array()));
    EXPECT_EQ(layer(Ids(std::int64_t{2})).shape(), (Shape{3}));
    EXPECT_EQ(layer(Ids::from_shape({0})).shape(), (Shape{0, 3}));
}

TEST(parameters, are_named_by_their_path) {
    Rng rng(1);
    const Linear layer(2, 3, rng);
    Parameters inner, all;
    append(inner, "w_q", layer.parameters());
    append(all, "blocks.0.attention", inner);
    ASSERT_EQ(all.size(), 2u);
    EXPECT_EQ(all[0].name, "blocks.0.attention.w_q.weight");
    EXPECT_EQ(all[1].name, "blocks.0.attention.w_q.bias");
    EXPECT_EQ(count_parameters(all), 9u);
    EXPECT_EQ(count_parameters({}), 0u);
}

TEST(parameters, are_handles_to_the_modules_own) {
    Rng rng(1);
    Linear layer(2, 1, rng);
    Parameters parameters = layer.parameters();
    parameters[0].tensor.mutable_array().fill(1.0f);
    const Tensor x = Tensor::from({1, 2}, {3, 4});
    EXPECT_EQ(layer(x).item(), 7.0f);
    layer(x).backward();
    EXPECT_TRUE(layer.weight.has_grad());
    clear_grads(layer.parameters());
    EXPECT_FALSE(layer.weight.has_grad());
}

TEST(parameters, of_a_module_that_draws_nothing_are_zeros) {
    Rng none = Rng::zeros();
    const Linear layer(3, 2, none, Bias::no);
    EXPECT_TRUE(close(layer.weight, Tensor::zeros({2, 3}), {0.0, 0.0}));
    EXPECT_TRUE(close(Embedding(4, 2, none).weight, Tensor::zeros({4, 2}), {0.0, 0.0}));
    EXPECT_TRUE(layer.weight.requires_grad());
    EXPECT_EQ(layer.parameters().size(), 1u);
}

TEST(gradient_step, goes_down_and_forgets_the_gradient_before) {
    const Parameters parameters{{"a", Tensor::from({2}, {1.0f, 2.0f}).set_requires_grad(true)},
                                {"unused", Tensor::from({1}, {7.0f}).set_requires_grad(true)}};
    const Tensor& a = parameters[0].tensor;
    for (int step = 0; step < 2; ++step) gradient_step(sum(a * a), parameters, 0.25f);  // each halves it
    EXPECT_EQ(a.at({0}), 0.25f);
    EXPECT_EQ(a.at({1}), 0.5f);
    EXPECT_EQ(parameters[1].tensor.item(), 7.0f);
}

TEST(gradient_step, refuses_a_rate_that_is_not_finite) {
    const Parameters parameters{{"a", Tensor::ones({1}).set_requires_grad(true)}};
    const Tensor& a = parameters[0].tensor;
    EXPECT_TRUE(refuses<ValueError>([&] { gradient_step(sum(a * a), parameters, INFINITY); }, {"inf"}));
    EXPECT_TRUE(refuses<ValueError>([&] { gradient_step(sum(a * a), parameters, NAN); }, {"nan"}));
    EXPECT_EQ(a.item(), 1.0f);
}

// 20,000 entries are three pieces, which threads share; 7 is part of one.
TEST(sum_of_squares, adds_in_double_in_an_order_of_its_own) {
    for (const std::size_t size : {std::size_t{0}, std::size_t{7}, std::size_t{20'000}}) {
        const Array x = Rng(3).normal_array({size});
        double expected = 0.0;
        for (const float value : x) expected += static_cast<double>(value) * value;
        EXPECT_NEAR(sum_of_squares(x), expected, 1e-12 * expected) << size << " entries";
    }
    EXPECT_EQ(sum_of_squares(Tensor::full({5}, 1e25f).array()), 5.0 * (double{1e25f} * double{1e25f}));
    EXPECT_GT(sum_of_squares(Tensor::full({2, 3}, 1e-25f).array()), 0.0);
    EXPECT_TRUE(std::isnan(sum_of_squares(Tensor::full({2}, NAN).array())));
}

TEST(scale_by, multiplies_each_entry_once) {
    for (const Shape& shape : {Shape{}, Shape{0}, Shape{3, 7}, Shape{20'000}}) {
        const Array before = Rng(4).normal_array(shape);
        Array x = before;
        scale_by(x, 0.3f);
        for (std::size_t i = 0; i < x.size(); ++i) ASSERT_EQ(x.data()[i], 0.3f * before.data()[i]) << i;
    }
}

// ---- positions, keys and values -------------------------------------------------------------------------------

TEST(offset, is_one_number_or_one_for_each_row) {
    const Offset one = 3, each({3, 0, 5});
    EXPECT_TRUE(one.is_one());
    EXPECT_EQ(one[0], 3u);
    EXPECT_EQ(one[7], 3u);
    EXPECT_FALSE(each.is_one());
    EXPECT_EQ(each[1], 0u);
    EXPECT_EQ(each.largest(), 5u);
    EXPECT_EQ(Offset(std::vector<std::size_t>{4}), Offset(4));
    EXPECT_TRUE(refuses<ValueError>([&] { (void)each[3]; }, {"row 3", "there are 3"}));
    EXPECT_TRUE(refuses<ValueError>([] { Offset(std::vector<std::size_t>{}); }, {"no number"}));
    EXPECT_NO_THROW(require_offset_of("x", one, 9));
    EXPECT_TRUE(refuses<ValueError>([&] { require_offset_of("embed", each, 2); },
                                    {"embed: 3 numbers for a batch of 2"}));
}

TEST(offset, by_row_gives_each_row_its_own_number_and_joins_them_on_the_tape) {
    const auto times = [](const Tensor& row, std::size_t offset) {
        return row * static_cast<float>(offset + 1);
    };
    const Tensor x = parameter(normal({3, 2, 4}, 1));
    const Tensor factors = Tensor::from({3, 1, 1}, {4, 1, 6});
    const Tensor y = by_row("f", x, Offset({3, 0, 5}), times);
    EXPECT_TRUE(close(y, x * factors, {0, 0}));
    EXPECT_TRUE(close(by_row("f", x, 2, times), x * 3.0f, {0, 0}));
    sum(y).backward();
    EXPECT_TRUE(close(Tensor(x.grad()), Tensor::ones({3, 2, 4}) * factors, {0, 0}));
    const Offset two(std::vector<std::size_t>{1, 2});
    EXPECT_TRUE(
        refuses<ValueError>([&] { (void)by_row("f", x, two, times); }, {"f: 2 numbers for a batch of 3"}));
}

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

TEST(keys_values, refuse_what_does_not_fit) {
    const Tensor q = normal({2, 4, 3, 6}, 1), k = normal({2, 2, 5, 6}, 2), v = normal({2, 2, 5, 3}, 3);
    const auto attend = [](const Tensor& a, const Tensor& b, const Tensor& c,
                           const std::optional<Mask>& mask = {}) {
        return [=] { (void)attend_in_place(a, HeadRows(b), HeadRows(c), mask); };
    };
    const Mask narrow = Mask::from({1, 1, 3, 4}, std::vector<int>(12, 1));
    const Tensor flat = normal({2, 5, 6}, 1);
    EXPECT_NO_THROW(attend(q, k, v)());
    expect_refused<ShapeError>({{attend(normal({2, 3, 3, 6}, 1), k, v), {"(2, 3, 3, 6)", "divide"}},
                                {attend(normal({3, 4, 3, 6}, 1), k, v), {"batches must agree"}},
                                {attend(normal({2, 4, 3, 5}, 1), k, v), {"one width"}},
                                {attend(q, k, normal({2, 2, 4, 3}, 1)), {"each key has one value"}},
                                {attend(normal({4, 3, 6}, 1), k, v), {"(batch, heads, query, d_k)"}},
                                {attend(q, k, v, narrow), {"(2, 4, 3, 5)"}},
                                {[&] { (void)HeadRows(flat); }, {"(2, 5, 6)"}},
                                {[&] { (void)Heads(q).size(4); }, {"axis 4"}}});
    const float* const memory = k.values().data();
    const Offset three({1, 2, 3});
    expect_refused<ValueError>(
        {{attend(parameter(q), k, v), {"no tape", "NoGrad"}},
         {attend(q, parameter(k), v), {"HeadRows", "NoGrad"}},
         {[&] { HeadRows(nullptr, 1, 1, 6, 6, 1); }, {"memory"}},
         {[&] { HeadRows(memory, 2, 2, 0, 24, 5); }, {"width 0"}},
         {[&] { HeadRows(memory, 2, 2, 6, 24, 5); }, {"5 rows", "24 apart"}},
         {[&] { HeadRows(memory, 1, 1, 2, 4, (std::size_t{1} << 63) + 1); }, {"4 apart"}},
         {[&] { HeadRows(memory, 2, 2, 6, 30, three); }, {"3 numbers for a batch of 2"}}});
    const NoGrad no_grad;
    EXPECT_NO_THROW(attend(parameter(q), k, v)());
}

}  // namespace
}  // namespace tfs::test

// tests/06_residual_dropout/attention_with_dropout_test.cpp · attention with dropout, given: PyTorch, properties
#include "tests/06_residual_dropout/checklist.hpp"

#include <gtest/gtest.h>

#include <optional>
#include <string>
#include <tuple>
#include <utility>

#include "chapters/02_masks/masks.hpp"
#include "tests/support/close.hpp"
#include "tests/support/golden.hpp"
#include "tests/support/refusal.hpp"

namespace tfs::test {
namespace {

constexpr double p = golden_p;

struct Attention {
    MultiHeadAttention layer;
    Tensor query = leaf("mha.query"), key = leaf("mha.key"), value = leaf("mha.value");
    Mask mask;

    Attention() : layer(make()), mask(golden_mask("mha.mask")) {
        for (const auto& [name, part] : {std::pair("w_q", &layer.w_q), std::pair("w_k", &layer.w_k),
                                         std::pair("w_v", &layer.w_v), std::pair("w_o", &layer.w_o)}) {
            part->weight = leaf(std::string(name) + ".weight");
            part->bias = leaf(std::string(name) + ".bias");
        }
    }
    static MultiHeadAttention make() {
        Rng none = Rng::zeros();
        return MultiHeadAttention(12, 3, none);
    }
    AttentionOutput run(Rng* rng, bool masked = false, double rate = golden_p) const {
        return attention_with_dropout(layer, query, key, value, masked ? std::optional(mask) : std::nullopt,
                                      rate, rng);
    }
};

TEST(given_attention_with_dropout, weights_output_and_gradients_equal_pytorch) {
    for (const std::string prefix : {"mha.", "mha.masked.", "mha.evaluation."}) {
        const Attention a;
        Rng rng(prefix == "mha." ? 31 : 32);
        const AttentionOutput result =
            a.run(prefix == "mha.evaluation." ? nullptr : &rng, prefix == "mha.masked.");
        const auto expected = [&](const std::string& name) { return golden()[prefix + name]; };
        EXPECT_TRUE(close_named(prefix + "weights", result.weights, expected("weights"), {1e-5, 1e-6}));
        EXPECT_TRUE(close_named(prefix + "output", result.output, expected("output"), {1e-5, 1e-6}));
        ASSERT_TRUE(send_back(result.output, expected("grad_weights")));
        Parameters all = a.layer.parameters();
        for (const NamedTensor& input : Parameters{{"query", a.query}, {"key", a.key}, {"value", a.value}})
            all.push_back(input);
        for (const NamedTensor& input : all)
            EXPECT_TRUE(
                gradient_close(input.name, input.tensor, expected("grad_" + input.name), {1e-4, 1e-5}));
    }
}

// Queries (batch, heads, query, 4), keys and values of a given number: what attention_with_dropout itself is given.
struct Heads {
    Tensor q, k, v;

    Heads(const Shape& shape, std::size_t keys)
        : q(normal(shape, 41).array(), true),
          k(normal({shape[0], shape[1], keys, 4}, 42).array(), true),
          v(normal({shape[0], shape[1], keys, 6}, 43).array(), true) {}
};

TEST(given_attention_with_dropout, drops_whatever_the_sizes_are) {
    const Shape ordinary{2, 3, 7, 4};
    for (const Shape& shape :
         {ordinary, Shape{2, 1, 3, 4}, Shape{1, 2, 3, 4}, Shape{2, 3, 1, 4}, Shape{1, 1, 1, 4}}) {
        const Heads heads(shape, 8);
        Rng rng(36);
        const AttentionOutput result =
            attention_with_dropout(heads.q, heads.k, heads.v, std::nullopt, 0.5, &rng);
        const Tensor expected = dropped(attention_weights(heads.q, heads.k), 36, 0.5);
        const std::string of = " of queries " + to_string(shape);
        ASSERT_TRUE(close_named("weights" + of, result.weights, expected, {1e-5, 1e-6}));
        ASSERT_TRUE(close_named("output" + of, result.output, matmul(expected, heads.v), {1e-5, 1e-6}));
    }
}

// A bias for each head, the same for both rows of the batch.
TEST(given_attention_with_dropout, adds_a_bias_to_the_scores) {
    const Heads heads({2, 3, 7, 4}, 5);
    const Tensor bias = normal({3, 7, 5}, 45);
    for (const bool training : {true, false}) {
        Rng rng(37);
        const AttentionOutput result = attention_with_dropout(heads.q, heads.k, heads.v, std::nullopt, p,
                                                              training ? &rng : nullptr, bias);
        const auto weights = [&](const std::optional<Tensor>& added) {
            const Tensor all = attention_weights(heads.q, heads.k, std::nullopt, added);
            return training ? dropped(all, 37, p) : all;
        };
        EXPECT_TRUE(close_named(training ? "weights in training" : "weights in evaluation", result.weights,
                                weights(bias), {1e-5, 1e-6}));
        EXPECT_TRUE(close_named("output", result.output, matmul(weights(bias), heads.v), {1e-5, 1e-6}));
        if (HasFailure()) return;
    }
}

TEST(given_attention_with_dropout, returned_weights_send_a_gradient_back) {
    const Tensor upstream = normal({2, 3, 7, 5}, 44);
    for (const bool training : {true, false}) {
        const Heads heads({2, 3, 7, 4}, 5), same({2, 3, 7, 4}, 5);
        Rng rng(37);
        const std::string when = training ? "in training" : "in evaluation";
        const auto [output, weights] =
            attention_with_dropout(heads.q, heads.k, heads.v, std::nullopt, p, training ? &rng : nullptr);
        ASSERT_TRUE(weights.requires_grad()) << when;
        ASSERT_TRUE(send_back(weights, upstream));
        const Tensor all = attention_weights(same.q, same.k);
        ASSERT_TRUE(send_back(training ? dropped(all, 37, p) : all, upstream));
        EXPECT_TRUE(gradient_close("q, " + when, heads.q, Tensor(same.q.grad()), {1e-4, 1e-5}));
        EXPECT_TRUE(gradient_close("k, " + when, heads.k, Tensor(same.k.grad()), {1e-4, 1e-5}));
    }
}

TEST(given_attention_with_dropout, evaluation_is_the_attention_of_chapter_01) {
    const Attention a;
    const AttentionOutput plain = a.layer(a.query, a.key, a.value, a.mask);
    Rng rng(33), untouched(33);
    for (const auto& [rate, source] : {std::pair(p, static_cast<Rng*>(nullptr)), std::pair(0.0, &rng)}) {
        const AttentionOutput result = a.run(source, true, rate);
        EXPECT_TRUE(close_named("weights", result.weights, plain.weights, {0, 1e-7}));
        EXPECT_TRUE(close_named("output", result.output, plain.output, {1e-5, 1e-6}));
    }
    EXPECT_EQ(rng.uniform(), untouched.uniform()) << "with p = 0 nothing may be drawn";
}

TEST(given_attention_with_dropout, drops_weights_also_where_no_caller_reads_them) {
    const Heads heads({2, 3, 7, 4}, 5);
    Rng rng(38);
    const Tensor output =
        attention_with_dropout(heads.q, heads.k, heads.v, std::nullopt, p, &rng, std::nullopt, Weights::none)
            .output;
    EXPECT_TRUE(
        close(output, matmul(dropped(attention_weights(heads.q, heads.k), 38, p), heads.v), {1e-5, 1e-6}));
}

// As long as tiles are, and longer by something that no tile divides; values and gradients are those of all weights.
TEST(given_attention_with_dropout, drops_the_same_weights_of_a_long_text) {
    constexpr std::size_t length = 301;
    const Shape shape{2, 2, length, 4};
    const Tensor bias = normal({2, length, length}, 46), upstream = normal({2, 2, length, 6}, 47);
    for (const auto& [name, mask, added] :
         {std::tuple("causal", std::optional(causal_mask(length)), std::optional<Tensor>()),
          std::tuple("with a bias", std::optional<Mask>(), std::optional(bias))}) {
        const Heads one(shape, length), other(shape, length);
        Rng rng(39);
        const Tensor output =
            attention_with_dropout(one.q, one.k, one.v, mask, p, &rng, added, Weights::none).output;
        const Tensor expected =
            matmul(dropped(attention_weights(other.q, other.k, mask, added), 39, p), other.v);
        EXPECT_TRUE(close_named(name, output, expected, {1e-5, 1e-5}));
        ASSERT_TRUE(send_back(output, upstream));
        ASSERT_TRUE(send_back(expected, upstream));
        EXPECT_TRUE(gradient_close(std::string("q, ") + name, one.q, Tensor(other.q.grad()), {1e-4, 1e-5}));
        EXPECT_TRUE(gradient_close(std::string("k, ") + name, one.k, Tensor(other.k.grad()), {1e-4, 1e-5}));
        EXPECT_TRUE(gradient_close(std::string("v, ") + name, one.v, Tensor(other.v.grad()), {1e-4, 1e-5}));
    }
}

TEST(given_attention_with_dropout, takes_an_empty_batch_and_refuses_widths_that_do_not_fit) {
    const Attention a;
    Rng rng(35);
    const Tensor none = Tensor::zeros({0, 7, 12}), narrow = Tensor::zeros({2, 5, 10});
    EXPECT_EQ(attention_with_dropout(a.layer, none, none, none, std::nullopt, p, &rng).output.shape(),
              none.shape());
    EXPECT_TRUE(refuses<ShapeError>(
        [&] { attention_with_dropout(a.layer, a.query, narrow, a.value, std::nullopt, p, &rng); },
        {"(2, 5, 10)"}));
}

TEST(given_attention_with_dropout, refuses_a_p_outside_of_its_range) {
    const Attention a;
    expect_rates_refused([&](double rate, Rng* rng) { a.run(rng, false, rate); });
}

}  // namespace
}  // namespace tfs::test

// tests/01_attention/scaled_dot_product_attention_test.cpp · the step: PyTorch's values, properties, diagnosis
#include "tests/01_attention/checklist.hpp"

#include <cmath>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "tests/support/close.hpp"
#include "tests/support/golden.hpp"
#include "tests/support/gradient.hpp"
#include "tests/support/inputs.hpp"

namespace tfs::test {
namespace {

std::vector<Suspect> attention_suspects(const Tensor& q, const Tensor& k, const Tensor& v, bool of_weights) {
    const double d_k = static_cast<double>(q.size(-1));
    const auto answer = [=](const Tensor& scores, int axis) {
        const Tensor weights = reference_softmax(scores, axis);
        return of_weights ? weights : matmul(weights, v);
    };
    return {
        {"the scores are not scaled: divide them by sqrt(d_k)",
         [=] { return answer(reference_scores(q, k, 1.0), -1); }},
        {"the scores are divided by d_k, not by its square root",
         [=] { return answer(reference_scores(q, k, d_k), -1); }},
        {"the scores are multiplied by sqrt(d_k), not divided",
         [=] { return answer(reference_scores(q, k, 1.0 / std::sqrt(d_k)), -1); }},
        {"the scores are scaled by the width of the whole model (heads * d_k), not by that of one head",
         [=] {
             const double heads = q.rank() > 2 ? static_cast<double>(q.size(-3)) : 1.0;
             return answer(reference_scores(q, k, std::sqrt(heads * d_k)), -1);
         }},
        {"the scores are scaled by the square root of the number of keys; d_k is the width, q.size(-1)",
         [=] { return answer(reference_scores(q, k, std::sqrt(static_cast<double>(k.size(-2)))), -1); }},
        {"all weights are equal: the scale is 0, because 1 / n of integers is 0; write 1.0f / std::sqrt(…)",
         [=] { return answer(reference_scores(q, k, 1.0) * 0.0f, -1); }},
        {"output and weights are swapped: the output comes first, {output, weights}",
         [=] {
             const Tensor weights = reference_softmax(reference_scores(q, k, std::sqrt(d_k)));
             return of_weights ? matmul(weights, v) : weights;
         }},
        {"the scores are returned as the weights: return what softmax made of them",
         [=] { return of_weights ? reference_scores(q, k, std::sqrt(d_k)) : golden()["sdpa.output"]; }},
        {"the scores are used as the weights: softmax is missing",
         [=] {
             const Tensor scores = reference_scores(q, k, std::sqrt(d_k));
             return of_weights ? scores : matmul(scores, v);
         }},
        {"softmax runs over the queries; each query's weights over the keys (the last axis) must sum to 1",
         [=] { return answer(reference_scores(q, k, std::sqrt(d_k)), -2); }}};
}

TEST(scaled_dot_product_attention, weights_equal_pytorch) {
    const Tensor q = golden()["sdpa.q"], k = golden()["sdpa.k"], v = golden()["sdpa.v"];
    EXPECT_TRUE(close(scaled_dot_product_attention(q, k, v).weights, golden()["sdpa.weights"], {1e-5, 1e-6},
                      attention_suspects(q, k, v, true)));
}

TEST(scaled_dot_product_attention, output_equals_pytorch) {
    const Tensor q = golden()["sdpa.q"], k = golden()["sdpa.k"], v = golden()["sdpa.v"];
    EXPECT_TRUE(close(scaled_dot_product_attention(q, k, v).output, golden()["sdpa.output"], {1e-5, 1e-6},
                      attention_suspects(q, k, v, false)));
}

TEST(scaled_dot_product_attention, output_is_the_weighted_sum_of_the_values) {
    const Tensor q = normal({1, 2, 3, 4}, 2), k = normal({1, 2, 5, 4}, 3), v = normal({1, 2, 5, 4}, 4);
    const AttentionOutput result = scaled_dot_product_attention(q, k, v);
    ASSERT_TRUE(has_shape(result.weights, {1, 2, 3, 5}));
    EXPECT_TRUE(close(result.output, matmul(result.weights, v), {1e-5, 1e-6},
                      {{"the weighted sum is taken over the keys; it must be over the values",
                        [&] { return matmul(result.weights, k); }}}));
}

TEST(scaled_dot_product_attention, equals_pytorch_with_a_mask) {
    const Tensor q = golden()["sdpa.q"], k = golden()["sdpa.k"], v = golden()["sdpa.v"];
    const Mask mask = golden_mask("sdpa.mask");
    const AttentionOutput result = scaled_dot_product_attention(q, k, v, mask);
    const Tensor scores = reference_scores(q, k, std::sqrt(8.0));
    const Tensor shown = masked_fill(Tensor::zeros(scores.shape()), mask, 1.0f);  // 1 where forbidden
    const std::vector<Suspect> suspects{
        {"the mask is ignored", [&] { return reference_softmax(scores); }},
        {"the mask is applied after the softmax, so the rows no longer sum to 1; put -inf into the scores "
         "before it",
         [&] { return masked_fill(reference_softmax(scores), mask, 0.0f); }},
        {"the mask is read the wrong way round: true means may attend",
         [&] { return reference_softmax(scores + (1.0f - shown) * -1e9f); }},
        {"forbidden scores are set to 0; that is a score like any other, use -inf",
         [&] { return reference_softmax(masked_fill(scores, mask, 0.0f)); }}};
    EXPECT_TRUE(
        close_named("weights", result.weights, golden()["sdpa.masked.weights"], {1e-5, 1e-6}, suspects));
    EXPECT_TRUE(close_named("output", result.output, golden()["sdpa.masked.output"], {1e-5, 1e-6}));
}

TEST(scaled_dot_product_attention, sends_the_gradients_of_pytorch) {
    for (const std::string variant : {"sdpa.", "sdpa.masked."}) {
        const Tensor q = leaf("sdpa.q"), k = leaf("sdpa.k"), v = leaf("sdpa.v");
        const bool masked = variant == "sdpa.masked.";
        const std::optional<Mask> mask = masked ? std::optional(golden_mask("sdpa.mask")) : std::nullopt;
        const std::string with = masked ? ", with a mask" : "";
        ASSERT_TRUE(send_back(scaled_dot_product_attention(q, k, v, mask).output,
                              golden()[variant + "grad_weights"]));
        for (const auto& [name, input] : {std::pair("q", q), std::pair("k", k), std::pair("v", v)}) {
            EXPECT_TRUE(gradient_close(name + with, input, golden()[variant + "grad_" + name], {1e-4, 1e-6}));
        }
    }
}

TEST(scaled_dot_product_attention, sends_a_gradient_through_the_weights_as_well) {
    const Tensor q = normal({2, 3, 4}, 5), k = normal({2, 5, 4}, 6), v = normal({2, 5, 3}, 7);
    const AttentionOutput shapes = scaled_dot_product_attention(q, k, v);
    ASSERT_TRUE(has_shape(shapes.output, {2, 3, 3}));
    ASSERT_TRUE(has_shape(shapes.weights, {2, 3, 5}));
    const auto weights_and_output = [](const std::vector<Tensor>& in) {
        const AttentionOutput result = scaled_dot_product_attention(in[0], in[1], in[2]);
        return concat({result.output, result.weights}, -1);
    };
    EXPECT_TRUE(gradients_match(weights_and_output, {q, k, v}));
}

// More queries than fit into one block of a fast implementation, and for each head its own keys to see: the same numbers as
// from the operations of the tensor layer, and the same gradients through output and weights.
TEST(scaled_dot_product_attention, many_queries_of_heads_with_their_own_masks) {
    const std::size_t query = 150, key = 170;
    std::vector<int> allowed;  // head 0 sees the past, head 1 a window of keys around each query
    for (std::size_t i = 0; i < 2 * query * key; ++i) {
        const std::size_t row = i / key % query, column = i % key;
        allowed.push_back(i < query * key ? column <= row : column + 20 >= row && column <= row + 5);
    }
    const Mask mask = Mask::from({1, 2, query, key}, allowed);
    const Tensor grad_of_output = normal({2, 2, query, 5}, 7),
                 grad_of_weights = normal({2, 2, query, key}, 8);
    const auto leaves = [&] {
        return std::vector{parameter(normal({2, 2, query, 8}, 4)), parameter(normal({2, 2, key, 8}, 5)),
                           parameter(normal({2, 2, key, 5}, 6))};
    };
    const auto send = [&](const Tensor& output, const Tensor& weights) {
        (sum(output * grad_of_output) + sum(weights * grad_of_weights)).backward();
    };
    const std::vector<Tensor> x = leaves(), y = leaves();
    const auto [output, weights] = scaled_dot_product_attention(x[0], x[1], x[2], mask);
    const Tensor expected_weights =
        reference_softmax(masked_fill(reference_scores(y[0], y[1], std::sqrt(8.0)), mask, -infinity));
    const Tensor expected = matmul(expected_weights, y[2]);
    ASSERT_TRUE(close_named("weights", weights, expected_weights, {1e-4, 1e-6}));
    ASSERT_TRUE(close_named("output", output, expected, {1e-4, 1e-5}));
    send(output, weights);
    send(expected, expected_weights);
    for (const std::size_t i : {0u, 1u, 2u})
        EXPECT_TRUE(gradient_close(std::string(1, "qkv"[i]), x[i], Tensor(y[i].grad()), {1e-4, 1e-5}));
}

TEST(scaled_dot_product_attention, a_query_that_may_attend_to_nothing_gets_zeros) {
    const Tensor q = normal({1, 2, 3}, 8), k = normal({1, 2, 3}, 9), v = normal({1, 2, 3}, 10);
    const AttentionOutput result = scaled_dot_product_attention(q, k, v, Mask::from({2, 2}, {0, 0, 1, 1}));
    ASSERT_TRUE(has_shape(result.output, {1, 2, 3}));
    ASSERT_TRUE(has_shape(result.weights, {1, 2, 2}));
    const Tensor nothing = slice(result.weights, 1, 0, 1);
    const bool masked = !close(result.weights, scaled_dot_product_attention(q, k, v).weights);
    EXPECT_TRUE(close_named("weights of that query", nothing, Tensor::zeros({1, 1, 2}), {0, 0}))
        << likely_if(masked && close(sum(nothing), Tensor::full({}, 1.0f)),
                     "a large negative number instead of -infinity: a query that may attend to nothing then "
                     "attends to everything");
    for (std::size_t i = 0; i < 3; ++i) EXPECT_EQ(result.output.at({0, 0, i}), 0.0f);
    EXPECT_NEAR(result.weights.at({0, 1, 0}) + result.weights.at({0, 1, 1}), 1.0f, 1e-6f);
}

TEST(scaled_dot_product_attention, equal_keys_share_the_attention_equally) {
    const Tensor v = Tensor::from({3, 1}, {1.0f, 2.0f, 6.0f});
    const AttentionOutput result = scaled_dot_product_attention(normal({4, 8}, 11), Tensor::ones({3, 8}), v);
    EXPECT_TRUE(close(result.output, Tensor::full({4, 1}, 3.0f), {1e-5, 0}));
}

TEST(scaled_dot_product_attention, refuses_shapes_that_disagree) {
    const Tensor x = Tensor::zeros({2, 3, 4, 8});
    EXPECT_EQ(scaled_dot_product_attention(x, x, x).output.shape(), x.shape());
    EXPECT_THROW(scaled_dot_product_attention(x, Tensor::zeros({2, 3, 4, 6}), x), ShapeError);
    EXPECT_THROW(scaled_dot_product_attention(x, x, Tensor::zeros({2, 3, 5, 8})), ShapeError);
    EXPECT_THROW(scaled_dot_product_attention(x, Tensor::zeros({2, 1, 4, 8}), x), ShapeError);
    const Tensor none = Tensor::zeros({2, 3, 0, 8});
    EXPECT_THROW(scaled_dot_product_attention(x, none, none), ShapeError);
    EXPECT_THROW(scaled_dot_product_attention(x, x, x, Mask::from({5}, {1, 1, 1, 1, 1})), ShapeError);
}

TEST(scaled_dot_product_attention, where_nobody_reads_the_weights_output_and_gradients_stay_the_same) {
    const Mask mask = [] {  // each query but the first sees the keys up to its own position
        xt::xarray<bool> allowed = xt::ones<bool>({std::size_t{70}, std::size_t{90}});
        for (std::size_t i = 0; i < 70; ++i)
            for (std::size_t j = 0; j < 90; ++j) allowed(i, j) = j <= i + 20 && i > 0;
        return Mask(allowed);
    }();
    for (const bool recorded : {false, true}) {
        Tensor inputs[3] = {normal({1, 2, 70, 4}, 12), normal({1, 2, 90, 4}, 13), normal({1, 2, 90, 3}, 14)};
        Tensor again[3] = {inputs[0].detach(), inputs[1].detach(), inputs[2].detach()};
        for (Tensor* three : {inputs, again})
            for (std::size_t i = 0; i < 3; ++i) three[i].set_requires_grad(recorded);
        const Tensor expected = scaled_dot_product_attention(inputs[0], inputs[1], inputs[2], mask).output;
        const AttentionOutput result = [&] {
            const NoWeights no_weights;
            return scaled_dot_product_attention(again[0], again[1], again[2], mask);
        }();
        EXPECT_TRUE(close(result.output, expected, {0, 0}));
        if (!recorded) continue;
        ASSERT_TRUE(send_back(expected, normal(expected.shape(), 15)));
        ASSERT_TRUE(send_back(result.output, normal(expected.shape(), 15)));
        for (std::size_t i = 0; i < 3; ++i)
            EXPECT_TRUE(gradient_close(std::string(1, "qkv"[i]), again[i], Tensor(inputs[i].grad()), {0, 0}));
    }
}

}  // namespace
}  // namespace tfs::test

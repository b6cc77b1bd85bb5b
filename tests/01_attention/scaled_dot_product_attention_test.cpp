// tests/01_attention/scaled_dot_product_attention_test.cpp · the step: PyTorch's values, properties, diagnosis
#include "tests/01_attention/attention_suspects.hpp"
#include "tests/01_attention/checklist.hpp"

#include <fmt/format.h>

#include <cmath>
#include <functional>
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

// The causes of the checks on extreme masks are told only where an ordinary mask does what it should.
bool right_with_an_ordinary_mask() {
    const Tensor weights =
        attention_weights(golden()["sdpa.q"], golden()["sdpa.k"], golden_mask("sdpa.mask"));
    return close(weights, golden()["sdpa.masked.weights"], {1e-5, 1e-6});
}

TEST(scaled_dot_product_attention, weights_equal_pytorch) {
    const Tensor q = golden()["sdpa.q"], k = golden()["sdpa.k"], v = golden()["sdpa.v"];
    ASSERT_TRUE(shapes_fit([&] { (void)attention_weights(q, k); },
                           [&](const std::string& message) { return wrong_product(q, k, v, message); }));
    const Tensor weights = attention_weights(q, k);
    EXPECT_TRUE(
        close(weights, golden()["sdpa.weights"], {1e-5, 1e-6}, attention_suspects(q, k, v, Part::weights)));
}

TEST(scaled_dot_product_attention, returns_the_weights_of_attention_weights) {
    const Tensor q = golden()["sdpa.q"], k = golden()["sdpa.k"], v = golden()["sdpa.v"];
    ASSERT_TRUE(shapes_fit([&] { scaled_dot_product_attention(q, k, v); },
                           [&](const std::string& message) { return wrong_product(q, k, v, message); }));
    for (const std::optional<Mask>& mask : {std::optional<Mask>(), std::optional(golden_mask("sdpa.mask"))})
        EXPECT_TRUE(close_named(
            mask ? "weights, with a mask" : "weights", scaled_dot_product_attention(q, k, v, mask).weights,
            attention_weights(q, k, mask), {1e-5, 1e-6}, returned_weights_suspects(q, k, v, mask)));
}

TEST(scaled_dot_product_attention, output_equals_pytorch) {
    const Tensor q = golden()["sdpa.q"], k = golden()["sdpa.k"], v = golden()["sdpa.v"];
    const Tensor output = scaled_dot_product_attention(q, k, v).output;
    EXPECT_TRUE(
        close(output, golden()["sdpa.output"], {1e-5, 1e-6}, attention_suspects(q, k, v, Part::output)));
}

TEST(scaled_dot_product_attention, scales_by_the_width_of_a_query_and_transposes_the_keys) {
    using Shapes = std::pair<Shape, Shape>;
    const Shapes as_many_keys_as_d_k{{2, 4, 4}, {2, 4, 4}}, all_sizes_apart{{2, 3, 7, 20}, {2, 3, 11, 20}};
    for (const auto& [queries, keys] : {as_many_keys_as_d_k, all_sizes_apart}) {
        const Tensor q = normal(queries, 24), k = normal(keys, 25);
        const double d_k = static_cast<double>(q.size(-1));
        EXPECT_TRUE(close_named(fmt::format("weights of {} queries of width {}", q.size(-2), q.size(-1)),
                                attention_weights(q, k),
                                reference_softmax(reference_scores(q, k, std::sqrt(d_k))), {1e-4, 1e-6},
                                attention_suspects(q, k, k, Part::weights)));
    }
}

TEST(scaled_dot_product_attention, output_is_the_weighted_sum_of_the_values) {
    const Tensor q = normal({1, 2, 3, 4}, 2), k = normal({1, 2, 5, 4}, 3), v = normal({1, 2, 5, 4}, 4);
    const AttentionOutput result = scaled_dot_product_attention(q, k, v);
    ASSERT_TRUE(has_shape(result.weights, {1, 2, 3, 5}));
    EXPECT_TRUE(close(result.output, matmul(result.weights, v), {1e-5, 1e-6},
                      {{sum_of_keys, [&] { return matmul(result.weights, k); }}}));
}

TEST(scaled_dot_product_attention, equals_pytorch_with_a_mask) {
    const Tensor q = golden()["sdpa.q"], k = golden()["sdpa.k"], v = golden()["sdpa.v"];
    const Mask mask = golden_mask("sdpa.mask");
    EXPECT_TRUE(close_named("weights", attention_weights(q, k, mask), golden()["sdpa.masked.weights"],
                            {1e-5, 1e-6}, mask_suspects(q, k, mask)));
    EXPECT_TRUE(close_named("output", scaled_dot_product_attention(q, k, v, mask).output,
                            golden()["sdpa.masked.output"], {1e-5, 1e-6}));
}

// A bias (heads, query, key), the same for both rows of the batch.
TEST(scaled_dot_product_attention, adds_a_bias_to_the_scores) {
    const Tensor q = golden()["bias.q"], k = golden()["bias.k"], v = golden()["bias.v"],
                 bias = golden()["bias.bias"];
    for (const bool masked : {false, true}) {
        const std::string prefix = masked ? "bias.masked." : "bias.";
        const std::optional<Mask> mask = masked ? std::optional(golden_mask("bias.mask")) : std::nullopt;
        const std::string with = masked ? ", with a mask" : "";
        const std::vector<Suspect> suspects = bias_suspects(q, k, mask, bias);
        EXPECT_TRUE(close_named("attention_weights" + with, attention_weights(q, k, mask, bias),
                                golden()[prefix + "weights"], {1e-5, 1e-6}, suspects));
        if (HasFailure()) return;  // attention calls it
        const AttentionOutput result = scaled_dot_product_attention(q, k, v, mask, bias);
        EXPECT_TRUE(close_named("output" + with, result.output, golden()[prefix + "output"], {1e-5, 1e-6},
                                {{"the bias is not passed on: attention_weights(q, k, mask, bias)",
                                  [&] { return scaled_dot_product_attention(q, k, v, mask).output; }}}));
        EXPECT_TRUE(
            close_named("weights" + with, result.weights, golden()[prefix + "weights"], {1e-5, 1e-6}));
        if (HasFailure()) return;
    }
}

using Attend =
    std::function<Tensor(const Tensor& q, const Tensor& k, const Tensor& v, const std::optional<Mask>& mask)>;

// The output's gradients at q, k and v, without a mask and with one.
void expect_gradients_of_pytorch(const Attend& output) {
    for (const std::string variant : {"sdpa.", "sdpa.masked."}) {
        const Tensor q = leaf("sdpa.q"), k = leaf("sdpa.k"), v = leaf("sdpa.v");
        const bool masked = variant == "sdpa.masked.";
        const std::optional<Mask> mask = masked ? std::optional(golden_mask("sdpa.mask")) : std::nullopt;
        const std::string with = masked ? ", with a mask" : "";
        ASSERT_TRUE(send_back(output(q, k, v, mask), golden()[variant + "grad_weights"]));
        for (const auto& [name, input] : {std::pair("q", q), std::pair("k", k), std::pair("v", v)}) {
            EXPECT_TRUE(gradient_close(name + with, input, golden()[variant + "grad_" + name], {1e-4, 1e-6}));
        }
        if (testing::Test::HasFailure()) return;
    }
}

TEST(scaled_dot_product_attention, attention_weights_send_the_gradients_of_pytorch) {
    ASSERT_TRUE(remembers(attention_weights(leaf("sdpa.q"), leaf("sdpa.k"))));
    expect_gradients_of_pytorch(
        [](const Tensor& q, const Tensor& k, const Tensor& v, const std::optional<Mask>& mask) {
            return matmul(attention_weights(q, k, mask), v);
        });
}

TEST(scaled_dot_product_attention, sends_the_gradients_of_pytorch) {
    expect_gradients_of_pytorch(
        [](const Tensor& q, const Tensor& k, const Tensor& v, const std::optional<Mask>& mask) {
            return scaled_dot_product_attention(q, k, v, mask).output;
        });
}

TEST(scaled_dot_product_attention, sends_a_gradient_through_the_weights_as_well) {
    const Tensor q = normal({2, 3, 4}, 5), k = normal({2, 5, 4}, 6), v = normal({2, 5, 6}, 7);
    const AttentionOutput shapes = scaled_dot_product_attention(q, k, v);
    ASSERT_TRUE(has_shape(shapes.output, {2, 3, 6}));
    ASSERT_TRUE(has_shape(shapes.weights, {2, 3, 5}));
    ASSERT_TRUE(remembers(scaled_dot_product_attention(parameter(q), parameter(k), parameter(v)).weights));
    const auto weights_and_output = [](const std::vector<Tensor>& in) {
        const AttentionOutput result = scaled_dot_product_attention(in[0], in[1], in[2]);
        return concat({result.output, result.weights}, -1);
    };
    EXPECT_TRUE(gradients_match(weights_and_output, {q, k, v}));
}

TEST(scaled_dot_product_attention, sends_a_gradient_to_the_bias_as_well) {
    for (const bool masked : {false, true}) {
        const std::string prefix = masked ? "bias.masked." : "bias.";
        const Tensor q = leaf("bias.q"), k = leaf("bias.k"), v = leaf("bias.v"), bias = leaf("bias.bias");
        const std::optional<Mask> mask = masked ? std::optional(golden_mask("bias.mask")) : std::nullopt;
        const Tensor output =
            scaled_dot_product_attention(q, k, v, mask, bias, masked ? Weights::none : Weights::keep).output;
        ASSERT_TRUE(send_back(output, golden()[prefix + "grad_weights"]));
        for (const auto& [name, input] :
             {std::pair("q", q), std::pair("k", k), std::pair("v", v), std::pair("bias", bias)})
            EXPECT_TRUE(gradient_close(name, input, golden()[prefix + "grad_" + name], {1e-4, 1e-6}));
        if (HasFailure()) return;
    }
}

// More queries than fit into one block of a fast implementation, and for each head its own keys to see: the same numbers as
// from the operations of the tensor layer, and the same gradients through output and weights.
TEST(scaled_dot_product_attention, many_queries_of_heads_with_their_own_masks) {
    constexpr std::size_t query = 150, key = 170;
    std::vector<int> allowed;  // head 0 sees the past, head 1 a window of keys around each query
    for (std::size_t i = 0; i < 2 * query * key; ++i) {
        const std::size_t row = i / key % query, column = i % key;
        allowed.push_back(i < query * key ? column <= row : column + 20 >= row && column <= row + 5);
    }
    const Mask mask = Mask::from({1, 2, query, key}, allowed);
    const Tensor grad_of_output = normal({3, 2, query, 5}, 7),
                 grad_of_weights = normal({3, 2, query, key}, 8);
    const auto leaves = [&] {
        return std::vector{parameter(normal({3, 2, query, 8}, 4)), parameter(normal({3, 2, key, 8}, 5)),
                           parameter(normal({3, 2, key, 5}, 6))};
    };
    const auto send = [&](const Tensor& output, const Tensor& weights) {
        (sum(output * grad_of_output) + sum(weights * grad_of_weights)).backward();
    };
    const std::vector<Tensor> x = leaves(), y = leaves(), alone = leaves();
    const auto [output, weights] = scaled_dot_product_attention(x[0], x[1], x[2], mask);
    const Tensor expected_weights =
        reference_softmax(masked_fill(reference_scores(y[0], y[1], std::sqrt(8.0)), mask, -infinity));
    const Tensor expected = matmul(expected_weights, y[2]);
    ASSERT_TRUE(close_named("weights", weights, expected_weights, {1e-4, 1e-6}));
    ASSERT_TRUE(close_named("output", output, expected, {1e-4, 1e-5}));
    const Tensor only_weights = attention_weights(alone[0], alone[1], mask);
    ASSERT_TRUE(close_named("attention_weights", only_weights, weights, {1e-6, 1e-7}));
    send(output, weights);
    send(matmul(only_weights, alone[2]), only_weights);
    send(expected, expected_weights);
    for (const std::size_t i : {0u, 1u, 2u}) {
        const std::string name(1, "qkv"[i]);
        const Tensor gradient(y[i].grad());
        EXPECT_TRUE(gradient_close(name, x[i], gradient, {1e-4, 1e-5}));
        EXPECT_TRUE(gradient_close(name + " from attention_weights", alone[i], gradient, {1e-4, 1e-5}));
    }
}

TEST(scaled_dot_product_attention, a_query_that_may_attend_to_nothing_gets_zeros) {
    const Tensor q = normal({1, 2, 3}, 8), k = normal({1, 4, 3}, 9), v = normal({1, 4, 5}, 10);
    const Mask mask = Mask::from({2, 4}, {0, 0, 0, 0, 1, 1, 1, 1});
    const Tensor weights = attention_weights(q, k, mask),
                 output = scaled_dot_product_attention(q, k, v, mask).output;
    ASSERT_TRUE(has_shape(output, {1, 2, 5}));
    ASSERT_TRUE(has_shape(weights, {1, 2, 4}));
    const Tensor nothing = slice(weights, 1, 0, 1);
    EXPECT_TRUE(close_named("weights of that query", nothing, Tensor::zeros({1, 1, 4}), {0, 0}))
        << likely_if(right_with_an_ordinary_mask() && close(sum(nothing), Tensor::full({}, 1.0f)),
                     "a large negative number instead of -infinity: a query that may attend to nothing then "
                     "attends to everything");
    for (std::size_t i = 0; i < 5; ++i) EXPECT_EQ(output.at({0, 0, i}), 0.0f);
    EXPECT_TRUE(close(sum(slice(weights, 1, 1, 2)), Tensor::full({}, 1.0f)));
}

TEST(scaled_dot_product_attention, a_forbidden_key_takes_no_weight_from_the_others_however_high_its_score) {
    const Tensor q = Tensor::from({1, 2}, {20.0f, 0.0f});
    const Tensor k = Tensor::from({3, 2}, {20.0f, 0.0f, 0.0f, 0.0f, 0.0f, 5.0f});
    const Tensor weights = attention_weights(q, k, Mask::from({1, 3}, {0, 1, 1}));
    const Tensor expected = Tensor::from({1, 3}, {0.0f, 0.5f, 0.5f});
    ASSERT_TRUE(has_shape(weights, {1, 3}));
    EXPECT_TRUE(close(weights, expected)) << likely_if(
        right_with_an_ordinary_mask() && weights.at({0, 0}) == 0.0f,
        "the mask is applied after the softmax, and the rest divided by its sum: where a forbidden score is "
        "far above the others, they have underflowed to 0; put -inf into the scores before the softmax");
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
    EXPECT_EQ(attention_weights(x, x).shape(), (Shape{2, 3, 4, 4}));
    for (const Tensor& k : {Tensor::zeros({2, 3, 4, 6}), Tensor::zeros({2, 1, 4, 8}), none})
        EXPECT_THROW((void)attention_weights(x, k), ShapeError);
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
        ASSERT_TRUE(has_shape(expected, {1, 2, 70, 3}));
        const AttentionOutput result =
            scaled_dot_product_attention(again[0], again[1], again[2], mask, std::nullopt, Weights::none);
        EXPECT_TRUE(close(result.output, expected, {0, 0}));
        if (!recorded) continue;
        ASSERT_TRUE(send_back(expected, normal(expected.shape(), 15)));
        ASSERT_TRUE(send_back(result.output, normal(expected.shape(), 15)));
        for (std::size_t i = 0; i < 3; ++i) {
            if (!inputs[i].has_grad()) continue;
            EXPECT_TRUE(gradient_close(std::string(1, "qkv"[i]), again[i], Tensor(inputs[i].grad()), {0, 0}));
        }
    }
}

}  // namespace
}  // namespace tfs::test

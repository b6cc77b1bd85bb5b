// tests/01_attention/self_attention_test.cpp · step self_attention: PyTorch's values, properties, diagnosis
#include "tests/01_attention/checklist.hpp"

#include <fmt/format.h>

#include <cmath>
#include <string>

#include "tests/support/close.hpp"
#include "tests/support/golden.hpp"
#include "tests/support/inputs.hpp"

namespace tfs::test {
namespace {

SelfAttention golden_self_attention() {
    Rng none = Rng::zeros();
    SelfAttention layer(12, 8, 6, none);
    load(layer.w_q, "self_attention.w_q");
    load(layer.w_k, "self_attention.w_k");
    load(layer.w_v, "self_attention.w_v");
    return layer;
}

// Of x (2, 5, 12): what made the shapes disagree, where queries or keys of width 8 are projected again, or values of width
// 6 stand in another place.
std::string wrong_shapes(const std::string& message) {
    const auto says = [&](const std::string& part) { return message.find(part) != std::string::npos; };
    if (message.starts_with("linear:") && says("x (2, 5, 8)"))
        return "queries or keys are projected again: w_q, w_k and w_v each take x itself";
    if (!message.starts_with("attention:") || !says("v (2, 5, 8)")) return {};
    return fmt::format(
        "the values are passed as the {}: scaled_dot_product_attention takes q, k, v in this order",
        says("k (2, 5, 6)") ? "keys" : "queries");
}

TEST(self_attention, equals_pytorch) {
    const SelfAttention layer = golden_self_attention();
    const Tensor x = golden()["self_attention.x"];
    ASSERT_TRUE(shapes_fit([&] { layer(x); }, wrong_shapes));
    const AttentionOutput result = layer(x);
    const auto weights = [&](const Linear& a, const Linear& b, double divisor = std::sqrt(8.0)) {
        return reference_softmax(reference_scores(a(x), b(x), divisor));
    };
    const auto bare = [&](const Linear& a) { return linear(x, a.weight); };
    EXPECT_TRUE(close_named(
        "weights", result.weights, golden()["self_attention.weights"], {1e-5, 1e-6},
        {{"the bias is missing: this is x times the weight alone; w_q(x) adds the bias too",
          [&] {
              return reference_softmax(reference_scores(bare(layer.w_q), bare(layer.w_k), std::sqrt(8.0)));
          }},
         {"queries and keys use the same projection (w_q twice)",
          [&] { return weights(layer.w_q, layer.w_q); }},
         {"queries and keys use the same projection (w_k twice)",
          [&] { return weights(layer.w_k, layer.w_k); }},
         {"queries and keys are swapped: w_q makes the queries",
          [&] { return weights(layer.w_k, layer.w_q); }},
         {scaled_twice, [&] { return weights(layer.w_q, layer.w_k, 8.0); }},
         {causal_by_default,
          [&] { return causal_softmax(reference_scores(layer.w_q(x), layer.w_k(x), std::sqrt(8.0))); }}}));
    const Tensor map = golden()["self_attention.weights"];
    EXPECT_TRUE(close_named(
        "output", result.output, golden()["self_attention.output"], {1e-5, 1e-6},
        {{"the bias is missing: this is x times the weight alone; w_v(x) adds the bias too",
          [&] { return matmul(map, bare(layer.w_v)); }},
         {"the values are not projected: v must be w_v(x), not x", [&] { return matmul(map, x); }},
         {"the values are made by w_k; they have a projection of their own, w_v",
          [&] { return matmul(map, layer.w_k(x)); }}}));
}

TEST(self_attention, passes_the_mask_on) {
    const SelfAttention layer = golden_self_attention();
    const AttentionOutput result = layer(golden()["self_attention.x"], golden_mask("self_attention.mask"));
    EXPECT_TRUE(close(result.weights, golden()["self_attention.masked.weights"], {1e-5, 1e-6},
                      {{"the mask is not passed on to the attention",
                        [&] { return golden()["self_attention.weights"]; }}}));
}

TEST(self_attention, sends_the_gradients_of_pytorch_to_every_parameter) {
    const SelfAttention layer = golden_self_attention();
    const Tensor x = leaf("self_attention.x");
    ASSERT_TRUE(send_back(layer(x).output, golden()["self_attention.grad_weights"]));
    EXPECT_TRUE(gradients_close("self_attention.", {{"x", x}}, layer.parameters()));
}

TEST(self_attention, a_loss_on_the_weights_reaches_the_projections) {
    const SelfAttention layer = golden_self_attention(), same = golden_self_attention();
    const Tensor x = golden()["self_attention.x"];
    const Tensor expected = reference_softmax(reference_scores(same.w_q(x), same.w_k(x), std::sqrt(8.0)));
    EXPECT_TRUE(weights_send_gradients(layer(x).weights, layer.parameters(), expected, same.parameters()));
}

TEST(self_attention, permuted_positions_give_permuted_outputs) {
    Rng rng(12);
    const SelfAttention layer(6, 4, 5, rng);
    const Tensor x = normal({1, 4, 6}, 13);
    const auto permuted = [](const Tensor& t) {
        return concat({slice(t, 1, 2, 3), slice(t, 1, 0, 1), slice(t, 1, 3, 4), slice(t, 1, 1, 2)}, 1);
    };
    const Tensor output = layer(x).output;
    ASSERT_TRUE(has_shape(output, {1, 4, 5}));
    EXPECT_TRUE(close(layer(permuted(x)).output, permuted(output), {1e-4, 1e-5}));
}

TEST(self_attention, refuses_another_width) {
    Rng rng(0);
    const SelfAttention layer(12, 8, 6, rng);
    EXPECT_EQ(layer(Tensor::zeros({2, 5, 12})).output.shape(), (Shape{2, 5, 6}));
    EXPECT_THROW(layer(Tensor::zeros({2, 5, 10})), ShapeError);
    EXPECT_THROW(SelfAttention(12, 0, 6, rng), ValueError);
}

}  // namespace
}  // namespace tfs::test

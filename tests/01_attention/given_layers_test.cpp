// tests/01_attention/given_layers_test.cpp · one head, which is given, and what the constructor of several refuses
#include <fmt/format.h>

#include "tests/01_attention/checklist.hpp"
#include "tests/support/refusal.hpp"

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

TEST(given_layers, self_attention_equals_pytorch) {
    const SelfAttention layer = golden_self_attention();
    const AttentionOutput result = layer(golden()["self_attention.x"]);
    EXPECT_TRUE(close(result.weights, golden()["self_attention.weights"], {1e-5, 1e-6}));
    EXPECT_TRUE(close(result.output, golden()["self_attention.output"], {1e-5, 1e-6}));
    const AttentionOutput masked = layer(golden()["self_attention.x"], golden_mask("self_attention.mask"));
    EXPECT_TRUE(close(masked.weights, golden()["self_attention.masked.weights"], {1e-5, 1e-6}));
}

TEST(given_layers, self_attention_sends_the_gradients_of_pytorch_to_every_parameter) {
    const SelfAttention layer = golden_self_attention();
    const Tensor x = leaf("self_attention.x");
    ASSERT_TRUE(send_back(layer(x).output, golden()["self_attention.grad_weights"]));
    EXPECT_TRUE(gradients_close("self_attention.", {{"x", x}}, layer.parameters()));
}

TEST(given_layers, self_attention_refuses_another_width) {
    Rng rng(0);
    const SelfAttention layer(12, 8, 6, rng);
    EXPECT_EQ(layer(Tensor::zeros({2, 5, 12})).output.shape(), (Shape{2, 5, 6}));
    EXPECT_THROW(layer(Tensor::zeros({2, 5, 10})), ShapeError);
    EXPECT_THROW(SelfAttention(12, 0, 6, rng), ValueError);
}

TEST(given_layers, multi_head_attention_refuses_heads_that_do_not_divide_the_width) {
    Rng rng(0);
    EXPECT_NO_THROW(MultiHeadAttention(12, 4, rng));
    for (const std::size_t heads : {0u, 5u, 7u, 24u})
        EXPECT_TRUE(refuses<ValueError>([&] { MultiHeadAttention(12, heads, rng); },
                                        {std::to_string(heads), "12"},
                                        fmt::format("MultiHeadAttention of width 12 with {} heads", heads)));
}

}  // namespace
}  // namespace tfs::test

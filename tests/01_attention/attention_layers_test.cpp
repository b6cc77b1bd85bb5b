// tests/01_attention/attention_layers_test.cpp · step attention_layers, both layers: PyTorch's values, properties, refusals
#include <fmt/format.h>

#include <cmath>

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

MultiHeadAttention golden_multi_head() {
    Rng none = Rng::zeros();
    MultiHeadAttention layer(12, 3, none);
    load(layer.w_q, "mha.w_q");
    load(layer.w_k, "mha.w_k");
    load(layer.w_v, "mha.w_v");
    load(layer.w_o, "mha.w_o");
    return layer;
}

// Multi-head attention as a list of single heads, from the tensor layer alone.
AttentionOutput reference_multi_head(const MultiHeadAttention& layer, const Tensor& x, std::size_t d_v) {
    const Tensor q = layer.w_q(x), k = layer.w_k(x), v = layer.w_v(x);
    const std::size_t d_k = x.size(-1) / layer.num_heads;
    std::vector<Tensor> outputs, weights;
    for (std::size_t h = 0; h < layer.num_heads; ++h) {
        const auto columns = [&](const Tensor& t, std::size_t d) { return slice(t, -1, h * d, (h + 1) * d); };
        const Tensor scores =
            reference_scores(columns(q, d_k), columns(k, d_k), std::sqrt(static_cast<double>(d_k)));
        const Tensor of_head = reference_softmax(scores);
        weights.push_back(reshape(of_head, {x.size(0), 1, x.size(1), x.size(1)}));
        outputs.push_back(matmul(of_head, columns(v, d_v)));
    }
    return {layer.w_o(concat(outputs, -1)), concat(weights, 1)};
}

TEST(attention_layers, multi_head_attention_of_one_sequence_equals_pytorch) {
    const Tensor x = golden()["mha.self.x"];
    const AttentionOutput result = golden_multi_head()(x, x, x);
    EXPECT_TRUE(close_named("output", result.output, golden()["mha.self.output"], {1e-5, 1e-6}));
    EXPECT_TRUE(close_named("weights", result.weights, golden()["mha.self.weights"], {1e-5, 1e-6}));
}

TEST(attention_layers, multi_head_attention_of_three_sources_equals_pytorch) {
    const Tensor output = golden_multi_head()(golden()["mha.apart.query"], golden()["mha.apart.key"],
                                              golden()["mha.apart.value"])
                              .output;
    EXPECT_TRUE(close(output, golden()["mha.apart.output"], {1e-5, 1e-6}));
}

TEST(attention_layers, multi_head_attention_under_masks_equals_pytorch) {
    const MultiHeadAttention layer = golden_multi_head();
    const Tensor x = golden()["mha.self.x"], query = golden()["mha.cross.query"],
                 key = golden()["mha.cross.key"];
    EXPECT_TRUE(close_named("weights", layer(x, x, x, golden_mask("mha.self.mask")).weights,
                            golden()["mha.self.masked.weights"], {1e-5, 1e-6}));
    EXPECT_TRUE(close_named("output for two sources, without a mask", layer(query, key, key).output,
                            golden()["mha.cross.output"], {1e-5, 1e-6}));
    EXPECT_TRUE(close_named("output for two sources",
                            layer(query, key, key, golden_mask("mha.cross.mask")).output,
                            golden()["mha.cross.masked.output"], {1e-5, 1e-6}));
}

TEST(attention_layers, multi_head_attention_sends_the_gradients_of_pytorch_to_every_parameter) {
    const MultiHeadAttention layer = golden_multi_head();
    const Tensor query = leaf("mha.apart.query"), key = leaf("mha.apart.key"),
                 value = leaf("mha.apart.value");
    const Tensor output = layer(query, key, value, golden_mask("mha.apart.mask")).output;
    ASSERT_TRUE(send_back(output, golden()["mha.apart.masked.grad_weights"]));
    EXPECT_TRUE(gradients_close("mha.apart.masked.", {{"query", query}, {"key", key}, {"value", value}},
                                layer.parameters()));
}

TEST(attention_layers, a_loss_on_the_weights_of_multi_head_attention_reaches_its_projections) {
    const MultiHeadAttention layer = golden_multi_head(), same = golden_multi_head();
    const Tensor x = golden()["mha.self.x"], upstream = normal({2, 3, 5, 5}, 27);
    ASSERT_TRUE(send_back(reference_multi_head(same, x, 4).weights, upstream));
    ASSERT_TRUE(send_back(layer(x, x, x).weights, upstream));
    EXPECT_TRUE(gradient_close("w_q.weight", layer.w_q.weight, Tensor(same.w_q.weight.grad()), {1e-4, 1e-5}));
    EXPECT_TRUE(gradient_close("w_k.weight", layer.w_k.weight, Tensor(same.w_k.weight.grad()), {1e-4, 1e-5}));
}

// From one head, as wide as the model, to heads of width 1; the values as wide as the keys, wider and narrower.
TEST(attention_layers, multi_head_attention_equals_a_list_of_single_heads) {
    struct Case {
        std::size_t heads, d_v;
    };
    for (const auto& [heads, d_v] : {Case{2, 4}, Case{1, 8}, Case{8, 1}, Case{2, 3}, Case{4, 5}}) {
        Rng rng(15);
        const MultiHeadAttention layer(8, heads, rng, d_v);
        const Tensor x = normal({3, 5, 8}, 16);
        const AttentionOutput result = layer(x, x, x), expected = reference_multi_head(layer, x, d_v);
        const std::string of = fmt::format(" of {} heads with values of width {}", heads, d_v);
        EXPECT_TRUE(close_named("output" + of, result.output, expected.output, {1e-4, 1e-6}));
        EXPECT_TRUE(close_named("weights" + of, result.weights, expected.weights, {1e-4, 1e-6}));
    }
}

TEST(attention_layers, self_attention_equals_pytorch) {
    const SelfAttention layer = golden_self_attention();
    const AttentionOutput result = layer(golden()["self_attention.x"]);
    EXPECT_TRUE(close_named("weights", result.weights, golden()["self_attention.weights"], {1e-5, 1e-6}));
    EXPECT_TRUE(close_named("output", result.output, golden()["self_attention.output"], {1e-5, 1e-6}));
    const AttentionOutput masked = layer(golden()["self_attention.x"], golden_mask("self_attention.mask"));
    EXPECT_TRUE(close_named("weights under a mask", masked.weights, golden()["self_attention.masked.weights"],
                            {1e-5, 1e-6}));
}

TEST(attention_layers, self_attention_sends_the_gradients_of_pytorch_to_every_parameter) {
    const SelfAttention layer = golden_self_attention();
    const Tensor x = leaf("self_attention.x");
    ASSERT_TRUE(send_back(layer(x).output, golden()["self_attention.grad_weights"]));
    EXPECT_TRUE(gradients_close("self_attention.", {{"x", x}}, layer.parameters()));
}

TEST(attention_layers, self_attention_refuses_another_width) {
    Rng rng(0);
    const SelfAttention layer(12, 8, 6, rng);
    EXPECT_EQ(layer(Tensor::zeros({2, 5, 12})).output.shape(), (Shape{2, 5, 6}));
    EXPECT_THROW(layer(Tensor::zeros({2, 5, 10})), ShapeError);
    EXPECT_THROW(SelfAttention(12, 0, 6, rng), ValueError);
}

TEST(attention_layers, multi_head_attention_refuses_heads_that_do_not_divide_the_width) {
    Rng rng(0);
    EXPECT_NO_THROW(MultiHeadAttention(12, 4, rng));
    for (const std::size_t heads : {0u, 5u, 7u, 24u})
        EXPECT_TRUE(refuses<ValueError>([&] { MultiHeadAttention(12, heads, rng); },
                                        {std::to_string(heads), "12"},
                                        fmt::format("MultiHeadAttention of width 12 with {} heads", heads)));
}

TEST(attention_layers, parameters_are_those_of_every_projection) {
    const auto names_of = [](const auto& layer) {
        std::string names;
        for (const NamedTensor& p : layer.parameters()) names += p.name + ' ';
        return names;
    };
    const std::string single = "w_q.weight w_q.bias w_k.weight w_k.bias w_v.weight w_v.bias ";
    EXPECT_EQ(names_of(golden_self_attention()), single);
    EXPECT_EQ(names_of(golden_multi_head()), single + "w_o.weight w_o.bias ");
}

}  // namespace
}  // namespace tfs::test

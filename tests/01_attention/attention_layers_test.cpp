// tests/01_attention/attention_layers_test.cpp · step attention_layers: PyTorch's values, properties
#include <fmt/format.h>

#include <cmath>

#include "tests/01_attention/checklist.hpp"

namespace tfs::test {
namespace {

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

}  // namespace
}  // namespace tfs::test

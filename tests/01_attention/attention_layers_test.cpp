// tests/01_attention/attention_layers_test.cpp · step attention_layers: PyTorch's values, properties,
// diagnosis
#include "tests/01_attention/checklist.hpp"

#include <fmt/format.h>

#include <cmath>
#include <string>
#include <vector>

#include "tests/support/close.hpp"
#include "tests/support/golden.hpp"
#include "tests/support/inputs.hpp"

namespace tfs::test {
namespace {

const std::string same_weights =
    "queries and keys are projected by the same weights: w_q makes the queries, w_k the keys";
const std::string swapped = "queries and keys are swapped: w_q makes the queries";
const std::string values_of_keys = "the values are made by w_k; they have a projection of their own, w_v";
const std::string mask_dropped = "the mask is not passed on to the attention";
const std::string no_w_o = "the output projection w_o is missing; it belongs to every number of heads";

MultiHeadAttention golden_multi_head() {
    Rng none = Rng::zeros();
    MultiHeadAttention layer(12, 3, none);
    load(layer.w_q, "mha.w_q");
    load(layer.w_k, "mha.w_k");
    load(layer.w_v, "mha.w_v");
    load(layer.w_o, "mha.w_o");
    return layer;
}

// Multi-head attention from the tensor layer alone, with the parts that a mistake exchanges as arguments.
Tensor reference_heads(const Tensor& q, const Tensor& k, const Tensor& v, std::size_t heads) {
    std::vector<Tensor> outputs;
    const std::size_t d = q.size(-1) / heads;
    for (std::size_t h = 0; h < heads; ++h) {
        const auto columns = [&](const Tensor& t) { return slice(t, -1, h * d, (h + 1) * d); };
        const Tensor scores = reference_scores(columns(q), columns(k), std::sqrt(static_cast<double>(d)));
        outputs.push_back(matmul(reference_softmax(scores), columns(v)));
    }
    return concat(outputs, -1);
}

// The scores of the three heads of golden_multi_head().
Tensor scores_of_heads(const MultiHeadAttention& layer, const Tensor& x) {
    const auto heads = [](const Tensor& t) { return transpose(reshape(t, {2, 5, 3, 4}), 1, 2); };
    return reference_scores(heads(layer.w_q(x)), heads(layer.w_k(x)), 2.0);
}

// (batch, seq, heads * d) as (batch, heads, seq, d) and back by one reshape, which cuts the positions apart.
Tensor cut_apart(const Tensor& x, std::size_t heads) {
    return reshape(x, {x.size(0), heads, x.size(1), x.size(2) / heads});
}
Tensor put_together(const Tensor& x) { return reshape(x, {x.size(0), x.size(2), x.size(1) * x.size(3)}); }

// The heads (batch, heads, seq, d) of q, k and v in this form.
Tensor attended(const Tensor& q, const Tensor& k, const Tensor& v) {
    return matmul(reference_softmax(reference_scores(q, k, std::sqrt(static_cast<double>(q.size(-1))))), v);
}

const std::string by_reshape =
    "the projections are split by a reshape without the transpose; split_heads does both";

TEST(attention_layers, projections_of_multi_head_attention_see_the_whole_width) {
    const MultiHeadAttention layer = golden_multi_head();
    const Tensor x = golden()["mha.self.x"];
    const auto slice_of_a_head = [](const std::string& message) {
        return message.starts_with("linear:") && message.find(", 4)") != std::string::npos
                   ? "a projection is given one head's slice of the width: w_q, w_k and w_v come before "
                     "split_heads, and w_o after merge_heads"
                   : "";
    };
    ASSERT_TRUE(shapes_fit([&] { layer(x, x, x); }, slice_of_a_head));
    EXPECT_TRUE(has_shape(layer(x, x, x).output, x.shape()));
}

TEST(attention_layers, multi_head_attention_of_one_sequence_equals_pytorch) {
    const MultiHeadAttention layer = golden_multi_head();
    const Tensor x = golden()["mha.self.x"];
    const AttentionOutput result = layer(x, x, x);
    const Linear &w_q = layer.w_q, &w_k = layer.w_k, &w_v = layer.w_v, &w_o = layer.w_o;
    const auto bare = [&](const Linear& a) { return linear(x, a.weight); };
    const Tensor q = cut_apart(w_q(x), 3), k = cut_apart(w_k(x), 3), v = cut_apart(w_v(x), 3);
    EXPECT_TRUE(close_named(
        "output", result.output, golden()["mha.self.output"], {1e-5, 1e-6},
        {{no_w_o, [&] { return reference_heads(w_q(x), w_k(x), w_v(x), 3); }},
         {same_weights, [&] { return w_o(reference_heads(w_q(x), w_q(x), w_v(x), 3)); }},
         {same_weights, [&] { return w_o(reference_heads(w_k(x), w_k(x), w_v(x), 3)); }},
         {swapped, [&] { return w_o(reference_heads(w_k(x), w_q(x), w_v(x), 3)); }},
         {"the values are passed as the keys: scaled_dot_product_attention takes q, k, v in this order",
          [&] { return w_o(reference_heads(w_q(x), w_v(x), w_k(x), 3)); }},
         {"query is added to the result: the residual connection of chapter 06 is no part of this layer",
          [&] { return x + w_o(reference_heads(w_q(x), w_k(x), w_v(x), 3)); }},
         {"the bias is missing: this is the argument times the weight alone; w_q(query) adds the bias too",
          [&] { return w_o(reference_heads(bare(w_q), bare(w_k), bare(w_v), 3)); }},
         {"the values are not projected: v is made by w_v(value)",
          [&] { return w_o(reference_heads(w_q(x), w_k(x), x, 3)); }},
         {scaled_twice, [&] { return w_o(reference_heads(w_q(x) / 2.0f, w_k(x), w_v(x), 3)); }},
         {"the scores are divided by the root of d_model, the width of all heads; d_k is that of one head",
          [&] { return w_o(reference_heads(w_q(x) / std::sqrt(3.0f), w_k(x), w_v(x), 3)); }},
         {"x is projected several times in a row; w_q, w_k and w_v each take their own argument",
          [&] { return w_o(reference_heads(w_q(x), w_k(w_q(x)), w_v(w_k(w_q(x))), 3)); }},
         {"the whole width attends as one head: split the projections into heads first",
          [&] { return w_o(reference_heads(w_q(x), w_k(x), w_v(x), 1)); }},
         {values_of_keys, [&] { return w_o(reference_heads(w_q(x), w_k(x), w_k(x), 3)); }},
         {"the heads are merged by a reshape without the transpose; merge_heads does both",
          [&] {
              const Tensor merged = reference_heads(w_q(x), w_k(x), w_v(x), 3);  // (batch, seq, heads * d)
              const Tensor heads = transpose(reshape(merged, {2, 5, 3, 4}), 1, 2);
              return w_o(put_together(heads));
          }},
         {by_reshape,
          [&] {
              return w_o(reshape(transpose(attended(q, k, v), 1, 2), {2, 5, 12}));
          }},
         {by_reshape, [&] { return w_o(put_together(attended(q, k, v))); }}}));
    EXPECT_TRUE(
        close_named("weights", result.weights, golden()["mha.self.weights"], {1e-5, 1e-6},
                    {{"the weights are averaged over the heads; return one map for each head",
                      [&] { return mean(golden()["mha.self.weights"], 1); }},
                     {causal_by_default, [&] { return causal_softmax(scores_of_heads(layer, x)); }}}));
}

// Without a mask. Checked before a mask too, so that wrong sources are not reported as a mask that does not fit.
testing::AssertionResult output_equals_pytorch(const MultiHeadAttention& layer, const Tensor& query,
                                               const Tensor& key, const Tensor& value,
                                               const std::string& expected) {
    const Linear &w_q = layer.w_q, &w_k = layer.w_k, &w_v = layer.w_v, &w_o = layer.w_o;
    const auto from_query = [&](const std::string& message) -> std::string {
        const std::string heads = to_string(Shape{query.size(0), 3, query.size(1), 4});
        const auto as_long_as_query = [&](const std::string& name) {
            return query.size(1) != key.size(1) && message.find(name + heads) != std::string::npos;
        };
        if (as_long_as_query(" k ")) return "the keys are made from `query`; `key` makes them";
        return as_long_as_query(" v ") ? "the values are made from `query`; `value` makes them" : "";
    };
    const testing::AssertionResult fits = shapes_fit([&] { layer(query, key, value); }, from_query);
    if (!fits) return fits;
    return close(layer(query, key, value).output, golden()[expected], {1e-5, 1e-6},
                 {{"the values are taken from `key`; the third argument is `value`",
                   [&] { return w_o(reference_heads(w_q(query), w_k(key), w_v(key), 3)); }},
                  {"the keys are taken from `value`; the second argument is `key`",
                   [&] { return w_o(reference_heads(w_q(query), w_k(value), w_v(value), 3)); }},
                  {"keys and values are taken from `query`: that is self-attention, whatever is passed",
                   [&] { return w_o(reference_heads(w_q(query), w_k(query), w_v(query), 3)); }},
                  {"keys and values are exchanged",
                   [&] { return w_o(reference_heads(w_q(query), w_k(value), w_v(key), 3)); }}});
}

TEST(attention_layers, multi_head_attention_of_three_sources_equals_pytorch) {
    EXPECT_TRUE(output_equals_pytorch(golden_multi_head(), golden()["mha.apart.query"],
                                      golden()["mha.apart.key"], golden()["mha.apart.value"],
                                      "mha.apart.output"));
}

TEST(attention_layers, multi_head_attention_under_masks_equals_pytorch) {
    const MultiHeadAttention layer = golden_multi_head();
    const Tensor x = golden()["mha.self.x"];
    EXPECT_TRUE(close(layer(x, x, x, golden_mask("mha.self.mask")).weights,
                      golden()["mha.self.masked.weights"], {1e-5, 1e-6},
                      {{mask_dropped, [&] { return golden()["mha.self.weights"]; }}}));
    const Tensor query = golden()["mha.cross.query"], key = golden()["mha.cross.key"];
    ASSERT_TRUE(output_equals_pytorch(layer, query, key, key, "mha.cross.output"));
    EXPECT_TRUE(close(layer(query, key, key, golden_mask("mha.cross.mask")).output,
                      golden()["mha.cross.masked.output"], {1e-5, 1e-6}));
}

TEST(attention_layers, multi_head_attention_sends_the_gradients_of_pytorch_to_every_parameter) {
    const MultiHeadAttention layer = golden_multi_head();
    const Tensor query = leaf("mha.apart.query"), key = leaf("mha.apart.key"),
                 value = leaf("mha.apart.value");
    ASSERT_TRUE(output_equals_pytorch(layer, query, key, value, "mha.apart.output"));
    const AttentionOutput result = layer(query, key, value, golden_mask("mha.apart.mask"));
    ASSERT_TRUE(send_back(result.output, golden()["mha.apart.masked.grad_weights"]));
    EXPECT_TRUE(gradients_close("mha.apart.masked.", {{"query", query}, {"key", key}, {"value", value}},
                                layer.parameters()));
}

TEST(attention_layers, a_loss_on_the_weights_of_multi_head_attention_reaches_its_projections) {
    const MultiHeadAttention layer = golden_multi_head(), same = golden_multi_head();
    const Tensor x = golden()["mha.self.x"];
    const Tensor expected = reference_softmax(scores_of_heads(same, x));
    EXPECT_TRUE(
        weights_send_gradients(layer(x, x, x).weights, layer.parameters(), expected, same.parameters()));
}

// From one head, as wide as the model, to heads of width 1.
TEST(attention_layers, multi_head_attention_equals_a_list_of_single_heads) {
    for (const std::size_t heads : {2u, 1u, 8u}) {
        Rng rng(15);
        const MultiHeadAttention layer(8, heads, rng);
        const Tensor x = normal({3, 5, 8}, 16);
        const Tensor list = reference_heads(layer.w_q(x), layer.w_k(x), layer.w_v(x), heads);
        const AttentionOutput result = layer(x, x, x);
        const bool one = heads == 1;
        ASSERT_TRUE(close_named(fmt::format("output of {} {}", heads, one ? "head" : "heads"), result.output,
                                layer.w_o(list), {1e-4, 1e-6}, {{no_w_o, [&] { return list; }}}));
        ASSERT_TRUE(has_shape(result.weights, {3, heads, 5, 5})) << likely_if(
            one && result.weights.rank() == 3, "the weights of one head lack the axis of the heads");
    }
}

TEST(attention_layers, values_of_multi_head_attention_may_be_wider_or_narrower_than_keys) {
    const Tensor of_pytorch = golden()["mha.self.x"];
    ASSERT_TRUE(
        output_equals_pytorch(golden_multi_head(), of_pytorch, of_pytorch, of_pytorch, "mha.self.output"));
    Rng rng(17);
    const MultiHeadAttention layer(8, 2, rng, 3);
    const Tensor x = normal({5, 7, 8}, 18);
    const AttentionOutput result = layer(x, x, x);
    EXPECT_EQ(layer.w_v.weight.shape(), (Shape{6, 8}));
    EXPECT_EQ(result.output.shape(), x.shape());
    ASSERT_TRUE(has_shape(result.weights, {5, 2, 7, 7}));
    const Tensor weights = result.weights, v = layer.w_v(x);
    const auto head = [&](std::size_t h) {
        return matmul(reshape(slice(weights, 1, h, h + 1), {5, 7, 7}), slice(v, -1, h * 3, (h + 1) * 3));
    };
    EXPECT_TRUE(close(result.output, layer.w_o(concat({head(0), head(1)}, -1)), {1e-4, 1e-6}));
}

}  // namespace
}  // namespace tfs::test

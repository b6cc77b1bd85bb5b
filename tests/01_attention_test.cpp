// tests/01_attention_test.cpp · the checklist of chapter 01: each step by PyTorch's values, by properties, by diagnosis
//
// Run it on your steps with ./tutorial check 1. The golden values are made by tests/golden/make_golden.py.
#include "chapters/01_attention/attention.hpp"

#include <fmt/format.h>

#include <cmath>
#include <limits>

#include "tests/support/close.hpp"
#include "tests/support/golden.hpp"
#include "tests/support/gradient.hpp"

namespace tfs::test {
namespace {

constexpr float infinity = std::numeric_limits<float>::infinity();

const Golden& golden() {
    static const Golden file("01_attention.safetensors");
    return file;
}

Tensor leaf(const std::string& name) { return Tensor(golden()[name].array(), true); }

// The golden masks are stored as 0 and 1.
Mask golden_mask(const std::string& name) {
    const Tensor stored = golden()[name];
    return Mask::from(stored.shape(), std::vector<int>(stored.values().begin(), stored.values().end()));
}

Tensor normal(const Shape& shape, std::uint64_t seed) {
    Rng rng(seed);
    return Tensor(rng.normal_array(shape));
}

// Softmax and attention from the tested operations of the tensor layer, so that no check of one step needs another step.
Tensor reference_softmax(const Tensor& x, int axis = -1) {
    const Tensor e = exp(x - max(x, axis, KeepDims::yes));
    return e / sum(e, axis, KeepDims::yes);
}

Tensor reference_scores(const Tensor& q, const Tensor& k, double divisor) {
    return matmul(q, k, Transpose::b) / static_cast<float>(divisor);
}

void load(Linear& layer, const std::string& name) {
    layer.weight = leaf(name + ".weight");
    layer.bias = leaf(name + ".bias");
}

// --- 1.1 softmax ------------------------------------------------------------------------------------------------

TEST(Step_1_1_softmax, equals_pytorch_along_the_last_axis) {
    const Tensor x = golden()["softmax.x"];
    EXPECT_TRUE(close(softmax(x), golden()["softmax.last.output"], {1e-5, 1e-7},
                      {{"the sum runs over the wrong axis; `axis` says which one, and -1 is the last",
                        [&] { return reference_softmax(x, -2); }},
                       {"the sum runs over the wrong axis; `axis` says which one, and -1 is the last",
                        [&] { return reference_softmax(x, 0); }},
                       {"the exponentials are not divided by their sum",
                        [&] { return exp(x - max(x, -1, KeepDims::yes)); }},
                       {"the entries are divided by their sum, but not exponentiated",
                        [&] { return x / sum(x, -1, KeepDims::yes); }}}));
}

TEST(Step_1_1_softmax, equals_pytorch_along_another_axis) {
    const Tensor x = golden()["softmax.x"];
    EXPECT_TRUE(close(softmax(x, 1), golden()["softmax.axis1.output"], {1e-5, 1e-7},
                      {{"`axis` is ignored: this is the softmax along the last axis",
                        [&] { return reference_softmax(x); }}}));
}

TEST(Step_1_1_softmax, sends_the_gradient_of_pytorch) {
    for (const std::string where : {"softmax.last.", "softmax.axis1."}) {
        const Tensor x = leaf("softmax.x"), upstream = golden()[where + "grad_weights"];
        const Tensor y = softmax(x, where == "softmax.last." ? -1 : 1);
        ASSERT_TRUE(send_back(y, upstream));
        const bool right = close(y, golden()[where + "output"], {1e-5, 1e-7});
        EXPECT_TRUE(gradient_close("x", x, golden()[where + "grad_x"], {1e-5, 1e-6})) << likely_if(
            right, "the values are right, but not the gradient: only the maximum may be detached");
    }
}

TEST(Step_1_1_softmax, entries_of_ten_thousand_do_not_overflow) {
    const Tensor y = softmax(Tensor::from({1, 3}, {10000.0f, 9999.0f, 0.0f}));
    EXPECT_TRUE(close(y, Tensor::from({1, 3}, {0.7310586f, 0.2689414f, 0.0f}))) << likely_if(
        contains_nan(y),
        "the maximum is not subtracted before exp: exp(10000) is infinite, and infinity / infinity is NaN");
}

TEST(Step_1_1_softmax, rows_far_below_the_others_do_not_underflow) {
    const Tensor right = Tensor::from({1, 2}, {0.2689414f, 0.7310586f});
    const Tensor y = softmax(Tensor::from({2, 2}, {1000.0f, 1001.0f, -1001.0f, -1000.0f}));
    ASSERT_TRUE(has_shape(y, {2, 2}));
    const bool only_the_first = close(slice(y, 0, 0, 1), right) && !close(slice(y, 0, 1, 2), right);
    // Alone, the low row is its own largest: only a floor above it still spoils it.
    const bool alone = !only_the_first || close(softmax(Tensor::from({1, 2}, {-1001.0f, -1000.0f})), right);
    EXPECT_TRUE(close(y, concat({right, right}, 0)))
        << likely_if(only_the_first && alone,
                     "one maximum for the whole tensor: a row far below it underflows to 0 / 0; each row "
                     "needs its own")
        << likely_if(
               only_the_first && !alone,
               "the maximum is held above a floor that is too high: numeric_limits<float>::min() is the "
               "smallest positive float; lowest() is the most negative");
}

TEST(Step_1_1_softmax, an_entry_of_minus_infinity_gets_no_weight) {
    const Tensor x = leaf("softmax.extreme.x");
    const Tensor y = softmax(x);
    EXPECT_TRUE(close(y, golden()["softmax.extreme.output"], {1e-5, 1e-7}));
    ASSERT_TRUE(send_back(y, golden()["softmax.extreme.grad_weights"]));
    EXPECT_TRUE(gradient_close("x", x, golden()["softmax.extreme.grad_x"], {1e-5, 1e-6}));
}

TEST(Step_1_1_softmax, a_row_of_only_minus_infinity_gives_zeros) {
    const Tensor x = Tensor::from({2, 2}, {-infinity, -infinity, 0.0f, 0.0f}).set_requires_grad(true);
    const Tensor y = softmax(x);
    EXPECT_TRUE(close(y, Tensor::from({2, 2}, {0.0f, 0.0f, 0.5f, 0.5f})))
        << likely_if(contains_nan(y),
                     "a row of only -inf computes -inf - (-inf) or 0 / 0; a query that may attend to "
                     "nothing must get zeros, not NaN");
    ASSERT_TRUE(send_back(y, Tensor::from({2, 2}, {1.0f, 2.0f, 3.0f, 4.0f})));
    EXPECT_TRUE(gradient_close("x", x, Tensor::from({2, 2}, {0.0f, 0.0f, -0.25f, 0.25f})));
}

TEST(Step_1_1_softmax, rows_sum_to_one_and_a_shift_changes_nothing) {
    const Tensor x = normal({3, 7, 33}, 1);
    const Tensor y = softmax(x);
    ASSERT_TRUE(has_shape(y, x.shape()));
    EXPECT_TRUE(close_named("sums of the rows", sum(y, -1), Tensor::ones({3, 7}), {1e-5, 0}));
    EXPECT_TRUE(close_named("softmax(x + 5) against softmax(x)", softmax(x + 5.0f), y, {1e-4, 1e-6}));
}

TEST(Step_1_1_softmax, refuses_an_axis_that_is_not_there) {
    EXPECT_THROW(softmax(Tensor::zeros({2, 2}), 2), ShapeError);
    EXPECT_THROW(softmax(Tensor::zeros({}), -1), ShapeError);
    EXPECT_THROW(softmax(Tensor::zeros({2, 0})), ShapeError);
}

// --- 1.2 scaled_dot_product_attention ---------------------------------------------------------------------------

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

TEST(Step_1_2_scaled_dot_product_attention, weights_equal_pytorch) {
    const Tensor q = golden()["sdpa.q"], k = golden()["sdpa.k"], v = golden()["sdpa.v"];
    EXPECT_TRUE(close(scaled_dot_product_attention(q, k, v).weights, golden()["sdpa.weights"], {1e-5, 1e-6},
                      attention_suspects(q, k, v, true)));
}

TEST(Step_1_2_scaled_dot_product_attention, output_equals_pytorch) {
    const Tensor q = golden()["sdpa.q"], k = golden()["sdpa.k"], v = golden()["sdpa.v"];
    EXPECT_TRUE(close(scaled_dot_product_attention(q, k, v).output, golden()["sdpa.output"], {1e-5, 1e-6},
                      attention_suspects(q, k, v, false)));
}

TEST(Step_1_2_scaled_dot_product_attention, output_is_the_weighted_sum_of_the_values) {
    const Tensor q = normal({1, 2, 3, 4}, 2), k = normal({1, 2, 5, 4}, 3), v = normal({1, 2, 5, 4}, 4);
    const AttentionOutput result = scaled_dot_product_attention(q, k, v);
    ASSERT_TRUE(has_shape(result.weights, {1, 2, 3, 5}));
    EXPECT_TRUE(close(result.output, matmul(result.weights, v), {1e-5, 1e-6},
                      {{"the weighted sum is taken over the keys; it must be over the values",
                        [&] { return matmul(result.weights, k); }}}));
}

TEST(Step_1_2_scaled_dot_product_attention, equals_pytorch_with_a_mask) {
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

TEST(Step_1_2_scaled_dot_product_attention, sends_the_gradients_of_pytorch) {
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

TEST(Step_1_2_scaled_dot_product_attention, sends_a_gradient_through_the_weights_as_well) {
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
TEST(Step_1_2_scaled_dot_product_attention, many_queries_of_heads_with_their_own_masks) {
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

TEST(Step_1_2_scaled_dot_product_attention, a_query_that_may_attend_to_nothing_gets_zeros) {
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

TEST(Step_1_2_scaled_dot_product_attention, equal_keys_share_the_attention_equally) {
    const Tensor v = Tensor::from({3, 1}, {1.0f, 2.0f, 6.0f});
    const AttentionOutput result = scaled_dot_product_attention(normal({4, 8}, 11), Tensor::ones({3, 8}), v);
    EXPECT_TRUE(close(result.output, Tensor::full({4, 1}, 3.0f), {1e-5, 0}));
}

TEST(Step_1_2_scaled_dot_product_attention, refuses_shapes_that_disagree) {
    const Tensor x = Tensor::zeros({2, 3, 4, 8});
    EXPECT_EQ(scaled_dot_product_attention(x, x, x).output.shape(), x.shape());
    EXPECT_THROW(scaled_dot_product_attention(x, Tensor::zeros({2, 3, 4, 6}), x), ShapeError);
    EXPECT_THROW(scaled_dot_product_attention(x, x, Tensor::zeros({2, 3, 5, 8})), ShapeError);
    EXPECT_THROW(scaled_dot_product_attention(x, Tensor::zeros({2, 1, 4, 8}), x), ShapeError);
    const Tensor none = Tensor::zeros({2, 3, 0, 8});
    EXPECT_THROW(scaled_dot_product_attention(x, none, none), ShapeError);
    EXPECT_THROW(scaled_dot_product_attention(x, x, x, Mask::from({5}, {1, 1, 1, 1, 1})), ShapeError);
}

// The gradients of the inputs and of every parameter. One that is missing tells more than one that differs.
testing::AssertionResult gradients_close(const std::string& prefix, const Parameters& inputs,
                                         const Parameters& parameters) {
    Parameters all = inputs;
    all.insert(all.end(), parameters.begin(), parameters.end());
    for (const bool missing : {true, false}) {
        for (const NamedTensor& p : all) {
            if (missing && p.tensor.has_grad()) continue;
            const testing::AssertionResult result =
                gradient_close(p.name, p.tensor, golden()[prefix + "grad_" + p.name], {1e-4, 1e-5});
            if (!result) return result;
        }
    }
    return testing::AssertionSuccess();
}

// --- 1.3 self_attention -----------------------------------------------------------------------------------------

SelfAttention golden_self_attention() {
    Rng rng(0);
    SelfAttention layer(12, 8, 6, rng);
    load(layer.w_q, "self_attention.w_q");
    load(layer.w_k, "self_attention.w_k");
    load(layer.w_v, "self_attention.w_v");
    return layer;
}

TEST(Step_1_3_self_attention, equals_pytorch) {
    const SelfAttention layer = golden_self_attention();
    const Tensor x = golden()["self_attention.x"];
    const AttentionOutput result = layer(x);
    const auto weights = [&](const Linear& a, const Linear& b) {
        return reference_softmax(reference_scores(a(x), b(x), std::sqrt(8.0)));
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
          [&] { return weights(layer.w_k, layer.w_q); }}}));
    const Tensor map = golden()["self_attention.weights"];
    EXPECT_TRUE(close_named(
        "output", result.output, golden()["self_attention.output"], {1e-5, 1e-6},
        {{"the bias is missing: this is x times the weight alone; w_v(x) adds the bias too",
          [&] { return matmul(map, bare(layer.w_v)); }},
         {"the values are not projected: v must be w_v(x), not x", [&] { return matmul(map, x); }},
         {"the values are made by w_k; they have a projection of their own, w_v",
          [&] { return matmul(map, layer.w_k(x)); }}}));
}

TEST(Step_1_3_self_attention, passes_the_mask_on) {
    const SelfAttention layer = golden_self_attention();
    const AttentionOutput result = layer(golden()["self_attention.x"], golden_mask("self_attention.mask"));
    EXPECT_TRUE(close(result.weights, golden()["self_attention.masked.weights"], {1e-5, 1e-6},
                      {{"the mask is not passed on to the attention",
                        [&] { return golden()["self_attention.weights"]; }}}));
}

TEST(Step_1_3_self_attention, sends_the_gradients_of_pytorch_to_every_parameter) {
    const SelfAttention layer = golden_self_attention();
    const Tensor x = leaf("self_attention.x");
    ASSERT_TRUE(send_back(layer(x).output, golden()["self_attention.grad_weights"]));
    EXPECT_TRUE(gradients_close("self_attention.", {{"x", x}}, layer.parameters()));
}

TEST(Step_1_3_self_attention, permuted_positions_give_permuted_outputs) {
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

TEST(Step_1_3_self_attention, refuses_another_width) {
    Rng rng(0);
    const SelfAttention layer(12, 8, 6, rng);
    EXPECT_EQ(layer(Tensor::zeros({2, 5, 12})).output.shape(), (Shape{2, 5, 6}));
    EXPECT_THROW(layer(Tensor::zeros({2, 5, 10})), ShapeError);
    EXPECT_THROW(SelfAttention(12, 0, 6, rng), ValueError);
}

// --- 1.4 split_heads --------------------------------------------------------------------------------------------

TEST(Step_1_4_split_heads, equals_pytorch) {
    const Tensor x = golden()["heads.x"];
    const Tensor split = split_heads(x, 3);
    EXPECT_TRUE(close(
        split, golden()["heads.split"], {0, 0},
        {{"looks like the heads were reshaped without the transpose: reshape(x, (batch, heads, seq, d)) cuts "
          "the positions apart",
          [&] {
              return reshape(x, {2, 3, 5, 4});
          }},
         {"the width is viewed as (d, heads): head h gets every heads-th column instead of a slice of "
          "neighbours",
          [&] {
              return transpose(transpose(reshape(x, {2, 5, 4, 3}), 2, 3), 1, 2);
          }},
         {"transposed before the width was cut into (heads, d): reshape first, then swap axes 1 and 2",
          [&] {
              return reshape(transpose(x, 1, 2), {2, 3, 5, 4});
          }},
         {"transposed before the width was cut into (heads, d): reshape first, then swap axes 1 and 2",
          [&] {
              return reshape(transpose(x, 1, 2), {2, 3, 4, 5});
          }},
         {"the wrong axes are swapped: not 2 and 3, but 1 and 2 of (batch, seq, heads, d)",
          [&] {
              return transpose(reshape(x, {2, 5, 3, 4}), 2, 3);
          }},
         {"the heads still stand behind the positions: swap axes 1 and 2", [&] {
              return reshape(x, {2, 5, 3, 4});
          }}}));
}

TEST(Step_1_4_split_heads, a_head_is_a_slice_of_neighbouring_columns) {
    const Tensor x = normal({2, 4, 6}, 14);
    const Tensor split = split_heads(x, 2);
    ASSERT_TRUE(has_shape(split, {2, 2, 4, 3}));
    const Tensor second = reshape(slice(split, 1, 1, 2), {2, 4, 3});
    EXPECT_TRUE(close(second, slice(x, 2, 3, 6), {0, 0}));
}

TEST(Step_1_4_split_heads, sends_the_gradient_back_to_its_place) {
    const Tensor x = leaf("heads.x");
    ASSERT_TRUE(send_back(split_heads(x, 3), golden()["heads.split.grad_weights"]));
    EXPECT_TRUE(gradient_close("x", x, golden()["heads.split.grad_x"], {0, 0}));
}

TEST(Step_1_4_split_heads, refuses_what_it_cannot_split) {
    EXPECT_EQ(split_heads(Tensor::zeros({2, 5, 12}), 6).shape(), (Shape{2, 6, 5, 2}));
    EXPECT_THROW(split_heads(Tensor::zeros({2, 5, 12}), 5), ShapeError);
    EXPECT_THROW(split_heads(Tensor::zeros({2, 5, 12}), 0), ShapeError);
    EXPECT_THROW(split_heads(Tensor::zeros({5, 12}), 3), ShapeError);
}

// --- 1.5 merge_heads --------------------------------------------------------------------------------------------

TEST(Step_1_5_merge_heads, equals_pytorch) {
    const Tensor split = golden()["heads.split"];  // (2, 3, 5, 4)
    EXPECT_TRUE(close(
        merge_heads(split), golden()["heads.merged"], {0, 0},
        {{"looks like the heads were merged without the transpose: each row then mixes positions",
          [&] {
              return reshape(split, {2, 5, 12});
          }},
         {"the wrong axes are swapped: not 2 and 3, but 1 and 2 of (batch, heads, seq, d)",
          [&] {
              return reshape(transpose(split, 2, 3), {2, 5, 12});
          }},
         {"the columns of the heads are interleaved: the heads must lie side by side, (heads, d) and not "
          "(d, heads)",
          [&] {
              return reshape(transpose(transpose(split, 1, 2), 2, 3), {2, 5, 12});
          }}}));
}

TEST(Step_1_5_merge_heads, sends_the_gradient_back_to_its_place) {
    const Tensor x = leaf("heads.split");
    ASSERT_TRUE(send_back(merge_heads(x), golden()["heads.merge.grad_weights"]));
    EXPECT_TRUE(gradient_close("x", x, golden()["heads.merge.grad_x"], {0, 0}));
}

TEST(Step_1_5_merge_heads, heads_may_be_as_wide_as_they_like) {
    EXPECT_EQ(merge_heads(Tensor::zeros({1, 2, 5, 7})).shape(), (Shape{1, 5, 14}));
    EXPECT_THROW(merge_heads(Tensor::zeros({2, 5, 7})), ShapeError);
}

// --- 1.6 multi_head_attention -----------------------------------------------------------------------------------

MultiHeadAttention golden_multi_head() {
    Rng rng(0);
    MultiHeadAttention layer(12, 3, rng);
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

const std::string same_weights = "queries and keys are projected by the same weights";

TEST(Step_1_6_multi_head_attention, projections_see_the_whole_width) {
    const MultiHeadAttention layer = golden_multi_head();
    const Tensor x = golden()["mha.self.x"];
    try {
        EXPECT_TRUE(has_shape(layer(x, x, x).output, x.shape()));
    } catch (const ShapeError& error) {
        const std::string message = error.what();
        const bool slice_of_a_head =
            message.rfind("linear:", 0) == 0 && message.find(", 4)") != std::string::npos;
        FAIL() << message
               << likely_if(
                      slice_of_a_head,
                      "a projection is given one head's slice of the width: w_q, w_k and w_v come before "
                      "split_heads, and w_o after merge_heads");
    }
}

TEST(Step_1_6_multi_head_attention, self_attention_equals_pytorch) {
    const MultiHeadAttention layer = golden_multi_head();
    const Tensor x = golden()["mha.self.x"];
    const AttentionOutput result = layer(x, x, x);
    const Linear &w_q = layer.w_q, &w_k = layer.w_k, &w_v = layer.w_v, &w_o = layer.w_o;
    EXPECT_TRUE(close(
        result.output, golden()["mha.self.output"], {1e-5, 1e-6},
        {{"the output projection w_o is missing", [&] { return reference_heads(w_q(x), w_k(x), w_v(x), 3); }},
         {same_weights + ": w_q makes the queries, w_k the keys",
          [&] { return w_o(reference_heads(w_q(x), w_q(x), w_v(x), 3)); }},
         {same_weights + ": w_q makes the queries, w_k the keys",
          [&] { return w_o(reference_heads(w_k(x), w_k(x), w_v(x), 3)); }},
         {"the whole width attends as one head: split the projections into heads first",
          [&] { return w_o(reference_heads(w_q(x), w_k(x), w_v(x), 1)); }},
         {"the values are made by w_k; they have a projection of their own, w_v",
          [&] { return w_o(reference_heads(w_q(x), w_k(x), w_k(x), 3)); }}}));
    EXPECT_TRUE(close(result.weights, golden()["mha.self.weights"], {1e-5, 1e-6}));
}

TEST(Step_1_6_multi_head_attention, queries_keys_and_values_from_three_sources_equal_pytorch) {
    const MultiHeadAttention layer = golden_multi_head();
    const Tensor query = golden()["mha.apart.query"], key = golden()["mha.apart.key"],
                 value = golden()["mha.apart.value"];
    const Linear &w_q = layer.w_q, &w_k = layer.w_k, &w_v = layer.w_v, &w_o = layer.w_o;
    EXPECT_TRUE(close(layer(query, key, value).output, golden()["mha.apart.output"], {1e-5, 1e-6},
                      {{"the values are taken from `key`; the third argument is `value`",
                        [&] { return w_o(reference_heads(w_q(query), w_k(key), w_v(key), 3)); }},
                       {"keys and values are taken from `query`: that is self-attention, whatever is passed",
                        [&] { return w_o(reference_heads(w_q(query), w_k(query), w_v(query), 3)); }},
                       {"keys and values are exchanged",
                        [&] { return w_o(reference_heads(w_q(query), w_k(value), w_v(key), 3)); }}}));
}

TEST(Step_1_6_multi_head_attention, masks_equal_pytorch) {
    const MultiHeadAttention layer = golden_multi_head();
    const Tensor x = golden()["mha.self.x"];
    EXPECT_TRUE(close(
        layer(x, x, x, golden_mask("mha.self.mask")).weights, golden()["mha.self.masked.weights"],
        {1e-5, 1e-6},
        {{"the mask is not passed on to the attention", [&] { return golden()["mha.self.weights"]; }}}));
    const Tensor query = golden()["mha.cross.query"], key = golden()["mha.cross.key"];
    EXPECT_TRUE(close(layer(query, key, key, golden_mask("mha.cross.mask")).output,
                      golden()["mha.cross.masked.output"], {1e-5, 1e-6}));
}

TEST(Step_1_6_multi_head_attention, sends_the_gradients_of_pytorch_to_every_parameter) {
    const MultiHeadAttention layer = golden_multi_head();
    const Tensor query = leaf("mha.apart.query"), key = leaf("mha.apart.key"),
                 value = leaf("mha.apart.value");
    const AttentionOutput result = layer(query, key, value, golden_mask("mha.apart.mask"));
    ASSERT_TRUE(send_back(result.output, golden()["mha.apart.masked.grad_weights"]));
    EXPECT_TRUE(gradients_close("mha.apart.masked.", {{"query", query}, {"key", key}, {"value", value}},
                                layer.parameters()));
}

TEST(Step_1_6_multi_head_attention, equals_a_list_of_single_heads) {
    Rng rng(15);
    const MultiHeadAttention layer(8, 2, rng);
    const Tensor x = normal({2, 5, 8}, 16);
    const Tensor list = layer.w_o(reference_heads(layer.w_q(x), layer.w_k(x), layer.w_v(x), 2));
    EXPECT_TRUE(close(layer(x, x, x).output, list, {1e-4, 1e-6}));
}

TEST(Step_1_6_multi_head_attention, values_may_be_wider_or_narrower_than_keys) {
    Rng rng(17);
    const MultiHeadAttention layer(8, 2, rng, 3);
    const Tensor x = normal({2, 5, 8}, 18);
    const AttentionOutput result = layer(x, x, x);
    EXPECT_EQ(layer.w_v.weight.shape(), (Shape{6, 8}));
    EXPECT_EQ(result.output.shape(), x.shape());
    ASSERT_TRUE(has_shape(result.weights, {2, 2, 5, 5}));
    const Tensor weights = result.weights, v = layer.w_v(x);
    const auto head = [&](std::size_t h) {
        return matmul(reshape(slice(weights, 1, h, h + 1), {2, 5, 5}), slice(v, -1, h * 3, (h + 1) * 3));
    };
    EXPECT_TRUE(close(result.output, layer.w_o(concat({head(0), head(1)}, -1)), {1e-4, 1e-6}));
}

TEST(Step_1_6_multi_head_attention, refuses_heads_that_do_not_divide_the_width) {
    for (const std::size_t heads : {5u, 7u, 0u}) {
        const std::string call = fmt::format("MultiHeadAttention(12, {}): ", heads);
        Rng rng(0);
        try {
            const MultiHeadAttention layer(12, heads, rng);
            FAIL() << call << "no exception"
                   << likely_if(
                          true,
                          "heads that don't divide d_model are accepted silently; check d_model % heads "
                          "in the constructor and throw a ValueError");
        } catch (const ValueError& error) {
            const std::string message = error.what();
            const bool both = message.find(std::to_string(heads)) != std::string::npos &&
                              message.find("12") != std::string::npos;
            EXPECT_TRUE(both || heads == 0)  // where a size is 0, Linear may refuse it before
                << call << "the ValueError says \"" << message << "\""
                << likely_if(true, "the ValueError must name both numbers, the heads and d_model");
        } catch (const NotImplemented&) {
            throw;
        } catch (const std::exception& error) {
            FAIL() << call << "\"" << error.what() << "\""
                   << likely_if(true, "the contract says ValueError; another type was thrown");
        }
    }
    Rng rng(0);
    EXPECT_NO_THROW(MultiHeadAttention(12, 4, rng));
}

}  // namespace
}  // namespace tfs::test

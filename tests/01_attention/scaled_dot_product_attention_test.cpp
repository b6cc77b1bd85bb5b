// tests/01_attention/scaled_dot_product_attention_test.cpp · the step: PyTorch's values, extreme masks, properties
#include <fmt/format.h>

#include <cmath>
#include <optional>
#include <utility>

#include "tests/01_attention/checklist.hpp"

namespace tfs::test {
namespace {

// The arguments of PyTorch, and where its results stand. "bias." has a bias (heads, query, key), "sdpa." has none.
struct Arguments {
    Tensor q, k, v;
    std::optional<Mask> mask;
    std::optional<Tensor> bias;
    std::string results;

    Arguments(const std::string& inputs, bool masked)
        : q(leaf(inputs + "q")),
          k(leaf(inputs + "k")),
          v(leaf(inputs + "v")),
          results(masked ? inputs + "masked." : inputs) {
        if (masked) mask = golden_mask(inputs + "mask");
        if (inputs == "bias.") bias = leaf("bias.bias");
    }

    Tensor weights() const { return attention_weights(q, k, mask, bias); }
    AttentionOutput attention(Weights keep = Weights::keep) const {
        return scaled_dot_product_attention(q, k, v, mask, bias, keep);
    }
};

void expect_values_of_pytorch(const Arguments& x) {
    const Tensor weights = golden()[x.results + "weights"], output = golden()[x.results + "output"];
    EXPECT_TRUE(close_named(x.results + "weights of attention_weights", x.weights(), weights, {1e-5, 1e-6}));
    const AttentionOutput attention = x.attention();
    EXPECT_TRUE(close_named(x.results + "weights", attention.weights, weights, {1e-5, 1e-6}));
    EXPECT_TRUE(close_named(x.results + "output", attention.output, output, {1e-5, 1e-6}));
}

TEST(scaled_dot_product_attention, weights_equal_pytorch) {
    EXPECT_TRUE(close(Arguments("sdpa.", false).weights(), golden()["sdpa.weights"], {1e-5, 1e-6}));
}

TEST(scaled_dot_product_attention, output_equals_pytorch) {
    expect_values_of_pytorch(Arguments("sdpa.", false));
}

TEST(scaled_dot_product_attention, scales_by_the_width_of_a_query_and_transposes_the_keys) {
    using Shapes = std::pair<Shape, Shape>;
    const Shapes as_many_keys_as_d_k{{2, 4, 4}, {2, 4, 4}}, all_sizes_apart{{2, 3, 7, 20}, {2, 3, 11, 20}};
    for (const auto& [queries, keys] : {as_many_keys_as_d_k, all_sizes_apart}) {
        const Tensor q = normal(queries, 24), k = normal(keys, 25);
        const double d_k = static_cast<double>(q.size(-1));
        EXPECT_TRUE(close_named(fmt::format("weights of {} queries of width {}", q.size(-2), q.size(-1)),
                                attention_weights(q, k),
                                reference_softmax(reference_scores(q, k, std::sqrt(d_k))), {1e-4, 1e-6}));
    }
}

TEST(scaled_dot_product_attention, equals_pytorch_with_a_mask) {
    expect_values_of_pytorch(Arguments("sdpa.", true));
}

TEST(scaled_dot_product_attention, adds_a_bias_to_the_scores) {
    for (const bool masked : {false, true}) expect_values_of_pytorch(Arguments("bias.", masked));
}

TEST(scaled_dot_product_attention, sends_the_gradients_of_pytorch) {
    for (const std::string inputs : {"sdpa.", "bias."})
        for (const bool masked : {false, true}) {
            const Arguments x(inputs, masked);
            const Tensor output = x.attention(masked ? Weights::none : Weights::keep).output;
            ASSERT_TRUE(send_back(output, golden()[x.results + "grad_weights"]));
            Parameters leaves = {{"q", x.q}, {"k", x.k}, {"v", x.v}};
            if (x.bias) leaves.push_back({"bias", *x.bias});
            EXPECT_TRUE(gradients_close(x.results, leaves, {}));
        }
}

// More queries than fit into one block of a fast implementation, and for each head its own keys to see: the same numbers as
// from the operations of the tensor layer, and the same gradients through output and weights.
TEST(scaled_dot_product_attention, many_queries_of_heads_with_their_own_masks) {
    constexpr std::size_t query = 70, key = 80;
    std::vector<int> allowed;  // head 0 sees the past, head 1 a window of keys around each query
    for (std::size_t i = 0; i < 2 * query * key; ++i) {
        const std::size_t row = i / key % query, column = i % key;
        allowed.push_back(i < query * key ? column <= row : column + 20 >= row && column <= row + 5);
    }
    const Mask mask = Mask::from({1, 2, query, key}, allowed);
    const auto leaves = [&] {
        return std::vector{parameter(normal({3, 2, query, 8}, 4)), parameter(normal({3, 2, key, 8}, 5)),
                           parameter(normal({3, 2, key, 5}, 6))};
    };
    const std::vector<Tensor> x = leaves(), y = leaves(), alone = leaves();
    const auto [output, weights] = scaled_dot_product_attention(x[0], x[1], x[2], mask);
    const Tensor only_weights = attention_weights(alone[0], alone[1], mask);
    const Tensor expected_weights =
        reference_softmax(masked_fill(reference_scores(y[0], y[1], std::sqrt(8.0)), mask, -infinity));
    const Tensor expected = matmul(expected_weights, y[2]);
    EXPECT_TRUE(close_named("weights", weights, expected_weights, {1e-4, 1e-6}));
    EXPECT_TRUE(close_named("output", output, expected, {1e-4, 1e-5}));
    EXPECT_TRUE(close_named("weights of attention_weights", only_weights, expected_weights, {1e-4, 1e-6}));
    ASSERT_TRUE(has_shape(weights, expected_weights.shape()));
    ASSERT_TRUE(has_shape(output, expected.shape()));
    ASSERT_TRUE(has_shape(only_weights, expected_weights.shape()));
    const auto send = [](const Tensor& o, const Tensor& w) {
        (sum(o * normal(o.shape(), 7)) + sum(w * normal(w.shape(), 8))).backward();
    };
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
    const auto [output, weights] =
        scaled_dot_product_attention(q, k, v, Mask::from({2, 4}, {0, 0, 0, 0, 1, 1, 1, 1}));
    const Tensor seen = reference_softmax(reference_scores(slice(q, 1, 1, 2), k, std::sqrt(3.0)));
    EXPECT_TRUE(close_named("weights", weights, concat({Tensor::zeros({1, 1, 4}), seen}, 1)));
    EXPECT_TRUE(close_named("output", output, concat({Tensor::zeros({1, 1, 5}), matmul(seen, v)}, 1)));
}

TEST(scaled_dot_product_attention, a_forbidden_key_takes_no_weight_from_the_others_however_high_its_score) {
    const Tensor q = Tensor::from({1, 2}, {20.0f, 0.0f});
    const Tensor k = Tensor::from({3, 2}, {20.0f, 0.0f, 0.0f, 0.0f, 0.0f, 5.0f});
    EXPECT_TRUE(close(attention_weights(q, k, Mask::from({1, 3}, {0, 1, 1})),
                      Tensor::from({1, 3}, {0.0f, 0.5f, 0.5f})));
}

TEST(scaled_dot_product_attention, refuses_shapes_that_disagree) {
    const Tensor x = Tensor::zeros({2, 3, 4, 8}), none = Tensor::zeros({2, 3, 0, 8});
    EXPECT_EQ(scaled_dot_product_attention(x, x, x).output.shape(), x.shape());
    EXPECT_EQ(scaled_dot_product_attention(none, x, x).output.shape(), none.shape());
    for (const Tensor& k : {Tensor::zeros({2, 3, 4, 6}), Tensor::zeros({2, 1, 4, 8}), none}) {
        EXPECT_THROW(scaled_dot_product_attention(x, k, k), ShapeError);
        EXPECT_THROW((void)attention_weights(x, k), ShapeError);
    }
    EXPECT_THROW(scaled_dot_product_attention(x, x, Tensor::zeros({2, 3, 5, 8})), ShapeError);
    EXPECT_THROW(scaled_dot_product_attention(x, x, x, Mask::from({5}, {1, 1, 1, 1, 1})), ShapeError);
}

TEST(scaled_dot_product_attention, where_nobody_reads_the_weights_output_and_gradients_stay_the_same) {
    std::vector<int> spans,
        gaps;  // each query but the first sees the keys up to 20 behind its own position, or some of all
    for (std::size_t i = 0; i < 70; ++i)
        for (std::size_t j = 0; j < 90; ++j) {
            spans.push_back(j <= i + 20 && i > 0);
            gaps.push_back((7 * i + 5 * j) % 11 < 4);
        }
    const Tensor bias = normal({2, 1, 90}, 11);
    struct Case {
        std::optional<Mask> mask;
        std::optional<Tensor> bias;
        bool recorded;
    };
    for (const auto& [mask, added, recorded] : {Case{Mask::from({70, 90}, spans), {}, false},
                                                {Mask::from({70, 90}, spans), {}, true},
                                                {Mask::from({70, 90}, gaps), bias, true},
                                                {{}, bias, true},
                                                {{}, {}, true}}) {
        const auto inputs = [&, needs = recorded] {
            std::vector all = {normal({1, 2, 70, 4}, 12), normal({1, 2, 90, 4}, 13),
                               normal({1, 2, 90, 3}, 14)};
            for (Tensor& x : all) x.set_requires_grad(needs);
            return all;
        };
        const std::vector<Tensor> x = inputs(), y = inputs();
        const Tensor expected = scaled_dot_product_attention(x[0], x[1], x[2], mask, added).output,
                     output =
                         scaled_dot_product_attention(y[0], y[1], y[2], mask, added, Weights::none).output;
        EXPECT_TRUE(close(output, expected));  // the fast version adds in another order then
        if (!recorded) continue;
        const Tensor upstream = normal({1, 2, 70, 3}, 15);
        ASSERT_TRUE(send_back(expected, upstream));
        ASSERT_TRUE(send_back(output, upstream));
        for (const std::size_t i : {0u, 1u, 2u}) {
            if (!x[i].has_grad()) continue;
            EXPECT_TRUE(gradient_close(std::string(1, "qkv"[i]), y[i], Tensor(x[i].grad())));
        }
    }
}

}  // namespace
}  // namespace tfs::test

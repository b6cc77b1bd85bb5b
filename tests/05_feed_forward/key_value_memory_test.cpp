// tests/05_feed_forward/key_value_memory_test.cpp · step key_value_memory: a plain reference, properties
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>

#include "chapters/05_feed_forward/feed_forward.hpp"
#include "tests/support/close.hpp"
#include "tests/support/golden.hpp"
#include "tests/support/gradient.hpp"
#include "tests/support/refusal.hpp"

namespace tfs::test {
namespace {

// Three keys of different lengths that overlap a little, and their values.
const Tensor memory_keys = Tensor::from({3, 4}, {2, 0, 0, 0, 0, 1, 0.5f, 0, 0, 0, 1, 1});
const Tensor memory_values = Tensor::from({3, 4}, {1, 2, 3, 4, -1, 0, 5, 0, 0, -2, 0, 2});

// What the contract says, slot by slot.
Tensor reference_memory(const Tensor& x, const Tensor& keys, const Tensor& values, float threshold) {
    const Tensor squares = sum(keys * keys, -1, KeepDims::yes);  // (slots, 1)
    const Tensor over = matmul(x, keys, Transpose::b) - transpose(squares, 0, 1) * threshold;
    return matmul(maximum(over, 0.0f), values / (squares * (1.0f - threshold)));
}

TEST(key_value_memory, recalls_each_value_by_its_key) {
    EXPECT_TRUE(close(key_value_memory(memory_keys, memory_values)(memory_keys), memory_values));
}

// Where rows and columns can be exchanged without an error.
TEST(key_value_memory, recalls_as_many_values_as_there_are_features) {
    const Tensor keys = concat({memory_keys, Tensor::from({1, 4}, {0, -2, 0.5f, 0})}, 0).detach();
    const Tensor values = concat({memory_values, Tensor::from({1, 4}, {3, 0, 1, -1})}, 0).detach();
    EXPECT_TRUE(close(key_value_memory(keys, values)(keys), values));
}

// What resembles no key by half, yet none of them is at right angles to it.
TEST(key_value_memory, a_stranger_recalls_nothing) {
    const Tensor strangers = Tensor::from({2, 4}, {0.9f, 0.4f, 0.1f, 0, -2, -1, -1, -1});
    EXPECT_TRUE(
        close(key_value_memory(memory_keys, memory_values)(strangers), Tensor::zeros({2, 4}), {0, 0}));
}

TEST(key_value_memory, a_higher_threshold_wants_more_of_the_key) {
    const Tensor most = memory_keys * 0.8f;  // 80 % of each key
    EXPECT_TRUE(close_named("at threshold 0.9", key_value_memory(memory_keys, memory_values, 0.9f)(most),
                            Tensor::zeros({3, 4}), {0, 0}));
    EXPECT_TRUE(close_named("at threshold 0.6", key_value_memory(memory_keys, memory_values, 0.6f)(most),
                            memory_values * 0.5f, {1e-4, 1e-5}));
}

TEST(key_value_memory, gives_a_multiple_of_each_value_whose_slot_fires) {
    const Tensor x = normal({2, 5, 4}, 1, 0.5), keys = normal({6, 4}, 2), values = normal({6, 4}, 3);
    for (const float threshold : {0.0f, 0.25f, 0.7f})
        EXPECT_TRUE(close_named(fmt::format("threshold {}", threshold),
                                key_value_memory(keys, values, threshold)(x),
                                reference_memory(x, keys, values, threshold), {1e-4, 1e-5}));
}

TEST(key_value_memory, is_an_ordinary_network_with_relu_and_parameters) {
    const FeedForward memory = key_value_memory(memory_keys, memory_values);
    EXPECT_TRUE(close_named("up.weight", memory.up.weight, memory_keys, {0, 0}));
    EXPECT_EQ(memory.activation, Activation::relu);
    for (const NamedTensor& p : memory.parameters())
        EXPECT_EQ(p.tensor.requires_grad(), true) << p.name << " is no parameter that can be trained";
    ASSERT_TRUE(send_back(memory(memory_keys), Tensor::ones({3, 4})));
    EXPECT_TRUE(gradients_reach(memory.parameters()));
}

TEST(key_value_memory, training_it_leaves_the_keys_and_values_of_the_caller_alone) {
    const Tensor keys(memory_keys.array(), true), values(memory_values.array(), true);
    FeedForward memory = key_value_memory(keys, values);
    for (NamedTensor p : memory.parameters()) p.tensor.mutable_array().fill(7.0f);
    EXPECT_TRUE(close_named("keys after the weights changed", keys, memory_keys, {0, 0}));
    EXPECT_TRUE(close_named("values after the weights changed", values, memory_values, {0, 0}));
    ASSERT_TRUE(send_back(memory(memory_keys), Tensor::ones({3, 4})));
    EXPECT_EQ(keys.has_grad(), false) << "training the weights trains the keys of the caller";
    EXPECT_EQ(values.has_grad(), false) << "training the weights trains the values of the caller";
}

TEST(key_value_memory, refuses_what_is_no_memory) {
    const Tensor &keys = memory_keys, &values = memory_values;
    EXPECT_EQ(key_value_memory(keys, values).up.weight.size(0), 3u);
    const auto with = [](const Tensor& k, const Tensor& v, float threshold) {
        return [=] { (void)key_value_memory(k, v, threshold); };
    };
    EXPECT_TRUE(refuses<ShapeError>(with(keys, Tensor::zeros({2, 4}), 0.5f), {"(3, 4)", "(2, 4)"}));
    EXPECT_TRUE(refuses<ShapeError>(with(Tensor::zeros({4}), Tensor::zeros({4}), 0.5f), {"(4)"}));
    EXPECT_TRUE(refuses<ValueError>(with(Tensor::zeros({0, 4}), Tensor::zeros({0, 4}), 0.5f), {"(0, 4)"}));
    EXPECT_TRUE(refuses<ValueError>(with(keys, values, 1.0f), {"threshold 1"}));
    EXPECT_TRUE(refuses<ValueError>(with(keys, values, std::nanf("")), {"threshold"}));
    EXPECT_TRUE(refuses<ValueError>(with(Tensor::from({2, 2}, {1, 0, 0, 0}), Tensor::zeros({2, 2}), 0.5f),
                                    {"key 1"}));
}

}  // namespace
}  // namespace tfs::test

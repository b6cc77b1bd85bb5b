// tests/05_feed_forward/key_value_memory_test.cpp · step key_value_memory: properties, diagnosis
#include "chapters/05_feed_forward/feed_forward.hpp"

#include <cmath>

#include "tests/support/close.hpp"
#include "tests/support/refusal.hpp"

namespace tfs::test {
namespace {

// Three keys of different lengths that overlap a little, and their values.
const Tensor memory_keys = Tensor::from({3, 4}, {2, 0, 0, 0, 0, 1, 0.5f, 0, 0, 0, 1, 1});
const Tensor memory_values = Tensor::from({3, 4}, {1, 2, 3, 4, -1, 0, 5, 0, 0, -2, 0, 2});
// What resembles no key by half, yet none of them is at right angles to it.
const Tensor strangers = Tensor::from({2, 4}, {0.9f, 0.4f, 0.1f, 0, -2, -1, -1, -1});

// The memory with the parts that a mistake exchanges as arguments.
Tensor reference_memory(const Tensor& x, const Tensor& keys, const Tensor& values, float threshold) {
    const Tensor squares = sum(keys * keys, -1, KeepDims::yes);
    const Tensor scores = matmul(x, keys, Transpose::b) - transpose(squares, 0, 1) * threshold;
    return matmul(maximum(scores, 0.0f), values / (squares * (1.0f - threshold)));
}

TEST(key_value_memory, recalls_each_value_by_its_key) {
    const FeedForward memory = key_value_memory(memory_keys, memory_values);
    const Tensor squares = sum(memory_keys * memory_keys, -1, KeepDims::yes);
    ASSERT_TRUE(has_shape(memory(memory_keys), memory_values.shape()));
    EXPECT_TRUE(close(
        memory(memory_keys), memory_values, {1e-5, 1e-6},
        {{"keys and values are exchanged: keys are the rows of up, values the columns of down",
          [&] { return reference_memory(memory_keys, memory_values, memory_keys, 0.5f); }},
         {"keys and values are exchanged: keys are the rows of up, values the columns of down",
          [&] {
              const Tensor fires = maximum(
                  matmul(memory_keys, memory_values, Transpose::b) - transpose(squares, 0, 1) * 0.5f, 0.0f);
              return matmul(fires, memory_keys / (squares * 0.5f));
          }},
         {"the thresholds have the wrong sign: the bias of up must be -threshold |k|^2",
          [&] { return reference_memory(memory_keys, memory_keys, memory_values * 3.0f, -0.5f); }},
         {"the thresholds are missing: the bias of up must be -threshold |k|^2",
          [&] {
              const Tensor fires = maximum(matmul(memory_keys, memory_keys, Transpose::b), 0.0f);
              return matmul(fires, memory_values / (squares * 0.5f));
          }},
         {"the thresholds are missing: the bias of up must be -threshold |k|^2",
          [&] { return reference_memory(memory_keys, memory_keys, memory_values, 0.0f); }},
         {"the values are not divided by what their slot gives for its own key, (1 - threshold) |k|^2",
          [&] { return reference_memory(memory_keys, memory_keys, memory_values * squares * 0.5f, 0.5f); }},
         {"one |k|^2 over all keys; each slot has its own, summed along the last axis alone",
          [&] {
              const Tensor total = sum(memory_keys * memory_keys);
              const Tensor scores = matmul(memory_keys, memory_keys, Transpose::b) - total * 0.5f;
              return matmul(maximum(scores, 0.0f), memory_values / (total * 0.5f));
          }},
         {"the values are reshaped, not transposed: value i must become column i of down.weight",
          [&] {
              const Tensor fires = maximum(
                  matmul(memory_keys, memory_keys, Transpose::b) - transpose(squares, 0, 1) * 0.5f, 0.0f);
              return linear(fires, reshape(memory_values / (squares * 0.5f), {4, 3}));
          }},
         {"the values are divided by |k|^2, but not by 1 - threshold",
          [&] { return reference_memory(memory_keys, memory_keys, memory_values * 0.5f, 0.5f); }}}));
}

TEST(key_value_memory, a_stranger_recalls_nothing) {
    const FeedForward memory = key_value_memory(memory_keys, memory_values);
    const Tensor nothing = memory(strangers);
    const bool recalls = close(memory(memory_keys), memory_values, {1e-5, 1e-6});
    EXPECT_TRUE(close(nothing, Tensor::zeros({2, 4}), {0, 0})) << likely_if(
        !recalls && sum(maximum(nothing, 0.0f)).item() > 0.0f,
        "a slot fires for what is no key: the bias of up must be -threshold |k|^2, the bias of down 0");
}

TEST(key_value_memory, a_higher_threshold_wants_more_of_the_key) {
    const Tensor most = memory_keys * 0.8f;  // 80 % of each key
    EXPECT_TRUE(close_named("at threshold 0.9", key_value_memory(memory_keys, memory_values, 0.9f)(most),
                            Tensor::zeros({3, 4}), {0, 0},
                            {{"`threshold` is not used: this is what 0.5 gives",
                              [&] { return reference_memory(most, memory_keys, memory_values, 0.5f); }}}));
    EXPECT_TRUE(close_named("at threshold 0.6", key_value_memory(memory_keys, memory_values, 0.6f)(most),
                            memory_values * 0.5f, {1e-4, 1e-5}));
}

TEST(key_value_memory, is_an_ordinary_network_with_relu_and_parameters) {
    const FeedForward memory = key_value_memory(memory_keys, memory_values);
    const bool recalls = close(memory(memory_keys), memory_values, {1e-5, 1e-6});
    EXPECT_TRUE(close_named("up.weight", memory.up.weight, memory_keys, {0, 0})) << likely_if(
        recalls, "row i of up.weight must be k_i itself: what is divided is the value, in down.weight");
    EXPECT_EQ(memory.activation, Activation::relu);
    for (const NamedTensor& p : memory.parameters()) {
        EXPECT_TRUE(p.tensor.requires_grad())
            << p.name << " has no gradient"
            << likely_if(true,
                         "the weights must be parameters that can be trained: wrap them in parameter(…)");
    }
    ASSERT_TRUE(send_back(memory(memory_keys), Tensor::ones({3, 4})));
    for (const NamedTensor& p : memory.parameters()) EXPECT_TRUE(p.tensor.has_grad()) << p.name;
}

TEST(key_value_memory, training_it_leaves_the_keys_and_values_of_the_caller_alone) {
    const Tensor keys(memory_keys.array(), true), values(memory_values.array(), true);
    FeedForward memory = key_value_memory(keys, values);
    const std::string cause =
        "a weight must be a copy that can be trained by itself: wrap it in parameter(…)";
    for (NamedTensor p : memory.parameters()) {
        try {
            p.tensor.mutable_array().fill(7.0f);
        } catch (const ValueError& error) {
            ADD_FAILURE() << p.name << ": " << error.what() << likely_if(true, cause);
        }
    }
    EXPECT_TRUE(close_named("keys after the weights changed", keys, memory_keys, {0, 0}))
        << likely_if(true, cause);
    EXPECT_TRUE(close_named("values after the weights changed", values, memory_values, {0, 0}))
        << likely_if(true, cause);
}

TEST(key_value_memory, refuses_what_is_no_memory) {
    const Tensor keys = memory_keys, values = memory_values;
    EXPECT_EQ(key_value_memory(keys, values)(strangers).shape(), (Shape{2, 4}));
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

// tests/05_feed_forward/key_value_memory_test.cpp · step key_value_memory: properties, diagnosis
#include "chapters/05_feed_forward/feed_forward.hpp"

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "tests/support/close.hpp"
#include "tests/support/refusal.hpp"

namespace tfs::test {
namespace {

// Three keys of different lengths that overlap a little, and their values.
const Tensor memory_keys = Tensor::from({3, 4}, {2, 0, 0, 0, 0, 1, 0.5f, 0, 0, 0, 1, 1});
const Tensor memory_values = Tensor::from({3, 4}, {1, 2, 3, 4, -1, 0, 5, 0, 0, -2, 0, 2});
// What resembles no key by half, yet none of them is at right angles to it.
const Tensor strangers = Tensor::from({2, 4}, {0.9f, 0.4f, 0.1f, 0, -2, -1, -1, -1});

const std::string keys_in_columns =
    "the keys are the columns of up.weight; its rows are the slots, so key i is row i";
const std::string values_in_rows = "value i is row i of down.weight; it must be column i: transpose";

// What x recalls from a memory with these keys, values in its columns, thresholds (1, slots) and divisors (slots, 1).
Tensor recalled(const Tensor& x, const Tensor& keys, const Tensor& values, const Tensor& thresholds,
                const Tensor& divisors) {
    const Tensor scores = matmul(x, keys, Transpose::b) - thresholds;
    return matmul(maximum(scores, 0.0f), values / divisors);
}

Tensor squares_of(const Tensor& keys) { return sum(keys * keys, -1, KeepDims::yes); }  // (slots, 1)
Tensor in_a_row(const Tensor& column) { return transpose(column, 0, 1); }

Tensor reference_memory(const Tensor& x, float threshold) {
    const Tensor squares = squares_of(memory_keys);
    return recalled(x, memory_keys, memory_values, in_a_row(squares) * threshold,
                    squares * (1.0f - threshold));
}

// By what each wrong memory gives for its own keys, at the threshold of 1/2.
std::vector<Suspect> memory_suspects(const Tensor& k, const Tensor& v) {
    const std::size_t slots = k.size(0), d_model = k.size(1);
    const Tensor squares = squares_of(k), lengths = sqrt(squares);
    const Tensor half = squares * 0.5f, half_lengths = lengths * 0.5f, none = Tensor::zeros({1, slots});
    const Tensor total = Tensor::full({slots, 1}, sum(squares).item() * 0.5f), one = Tensor::ones({slots, 1});
    const Tensor average = total / static_cast<float>(slots), fraction = half / static_cast<float>(d_model);
    const std::string for_all =
        "one |k|^2 over all keys; each slot has its own, summed along the last axis alone";
    const std::string exchanged =
        "keys and values are exchanged: keys are the rows of up, values the columns of down";
    const std::string missing = "the thresholds are missing: the bias of up must be -threshold |k|^2";
    const auto gives = [=](const Tensor& keys, const Tensor& values, const Tensor& thresholds,
                           const Tensor& divisors) {
        return [=] { return recalled(k, keys, values, thresholds, divisors); };
    };
    const std::string not_turned =
        "the values are reshaped, not transposed: value i must become column i of down.weight";
    const auto columns = [=](const Tensor& rows) { return transpose(reshape(rows, {d_model, slots}), 0, 1); };
    std::vector<Suspect> suspects{
        {exchanged, gives(v, k, in_a_row(squares_of(v)) * 0.5f, squares_of(v) * 0.5f)},
        {exchanged, gives(v, k, in_a_row(half), half)},
        {"the thresholds have the wrong sign: the bias of up must be -threshold |k|^2",
         gives(k, v, -in_a_row(half), half)},
        {missing, gives(k, v, none, half)},
        {missing, gives(k, v, none, squares)},
        {"the bias of up is -threshold alone; it must be multiplied by the |k|^2 of its slot",
         gives(k, v, Tensor::full({1, slots}, 0.5f), half)},
        {"the values are not divided by what their slot gives for its own key, (1 - threshold) |k|^2",
         gives(k, v, in_a_row(half), one)},
        {for_all, gives(k, v, in_a_row(total), total)},
        {for_all, gives(k, v, in_a_row(average), average)},
        {"the squares of a key are averaged; |k|^2 is their sum", gives(k, v, in_a_row(fraction), fraction)},
        {"the values are divided by |k|^2 - threshold; the threshold is a share of |k|^2: (1 - threshold) "
         "|k|^2",
         gives(k, v, in_a_row(half), squares - 0.5f)},
        {"the values are divided by |k|^2, but not by 1 - threshold", gives(k, v, in_a_row(half), squares)},
        {"the values are divided by 1 - threshold, but not by |k|^2",
         gives(k, v, in_a_row(half), one * 0.5f)},
        {"the values are divided by |k|, the length of the key; it must be its square, |k|^2",
         gives(k, v, in_a_row(half), half_lengths)},
        {"the thresholds are those of |k|, the length of the key; it must be its square, |k|^2",
         gives(k, v, in_a_row(half_lengths), half)},
        {"|k|, the length of the key, is used in place of its square, |k|^2",
         gives(k, v, in_a_row(half_lengths), half_lengths)}};
    if (slots == d_model) return suspects;  // there, what is reshaped stays as it is
    suspects.push_back({not_turned, gives(k, columns(v / half), in_a_row(half), one)});
    suspects.push_back({not_turned, gives(k, columns(v), in_a_row(half), half)});
    return suspects;
}

// What a weight or a bias alone tells.
std::string cause_in(const FeedForward& memory, const Tensor& keys) {
    const Tensor squares = squares_of(keys), &found = memory.up.weight;
    if (close(found, keys / squares) || close(found, keys / sqrt(squares)))
        return "row i of up.weight must be k_i itself: what is divided is the value, in down.weight";
    const auto bias = memory.down.bias->values();
    if (std::any_of(bias.begin(), bias.end(), [](float b) { return b != 0.0f; }))
        return "the bias of down is added whatever fires, and must be 0; the thresholds are the bias of up";
    return "";
}

TEST(key_value_memory, recalls_each_value_by_its_key) {
    const FeedForward memory = key_value_memory(memory_keys, memory_values);
    ASSERT_TRUE(has_shape(memory.up.weight, {3, 4}))
        << likely_if(memory.up.weight.shape() == Shape{4, 3}, keys_in_columns);
    ASSERT_TRUE(has_shape(memory.down.weight, {4, 3}))
        << likely_if(memory.down.weight.shape() == Shape{3, 4}, values_in_rows);
    const std::vector<Suspect> suspects = memory_suspects(memory_keys, memory_values);
    const std::string cause = cause_in(memory, memory_keys);
    EXPECT_TRUE(close(memory(memory_keys), memory_values, {1e-5, 1e-6}, suspects))
        << likely_if(!cause.empty(), cause);
}

// Where rows and columns can be exchanged without an error.
TEST(key_value_memory, recalls_as_many_values_as_there_are_features) {
    const Tensor k = concat({memory_keys, Tensor::from({1, 4}, {0, -2, 0.5f, 0})}, 0).detach();
    const Tensor v = concat({memory_values, Tensor::from({1, 4}, {3, 0, 1, -1})}, 0).detach();
    const Tensor half = squares_of(k) * 0.5f, over_slots = sum(k * k, 0, KeepDims::yes) * 0.5f;
    const Tensor turned = transpose(k, 0, 1), scaled = transpose(v / half, 0, 1), one = Tensor::ones({4, 1});
    std::vector<Suspect> suspects = memory_suspects(k, v);
    suspects.push_back(
        {"the squares are summed along axis 0, over the slots; |k|^2 is summed along the last axis",
         [=] { return recalled(k, k, v, over_slots, transpose(over_slots, 0, 1)); }});
    suspects.push_back({keys_in_columns, [=] { return recalled(k, turned, v, in_a_row(half), half); }});
    suspects.push_back({values_in_rows, [=] { return recalled(k, k, scaled, in_a_row(half), one); }});
    EXPECT_TRUE(close(key_value_memory(k, v)(k), v, {1e-5, 1e-6}, suspects));
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
    EXPECT_TRUE(close_named(
        "at threshold 0.9", key_value_memory(memory_keys, memory_values, 0.9f)(most), Tensor::zeros({3, 4}),
        {0, 0},
        {{"`threshold` is not used: this is what 0.5 gives", [&] { return reference_memory(most, 0.5f); }}}));
    const Tensor squares = squares_of(memory_keys);
    const auto of_half = [&](float threshold, float divisor) {
        return [=, &most] {
            return recalled(most, memory_keys, memory_values, in_a_row(squares) * threshold,
                            squares * divisor);
        };
    };
    EXPECT_TRUE(close_named(
        "at threshold 0.6", key_value_memory(memory_keys, memory_values, 0.6f)(most), memory_values * 0.5f,
        {1e-4, 1e-5},
        {{"the values are divided by what a slot gives at the threshold 0.5; it is (1 - threshold) |k|^2",
          of_half(0.6f, 0.5f)},
         {"the values are divided by threshold |k|^2; it is (1 - threshold) |k|^2", of_half(0.6f, 0.6f)},
         {"the bias of up is that of the threshold 0.5; it is -threshold |k|^2", of_half(0.5f, 0.4f)}}));
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

// tests/05_feed_forward/feed_forward_networks_test.cpp · step feed_forward_networks, and what is given of it: PyTorch's values, properties
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

#include "chapters/05_feed_forward/feed_forward.hpp"
#include "tests/support/close.hpp"
#include "tests/support/golden.hpp"
#include "tests/support/refusal.hpp"

namespace tfs::test {
namespace {

constexpr Tolerance near_values{1e-5, 1e-6}, near_gradients{1e-4, 1e-5};

const std::vector<std::pair<std::string, Activation>> activations{{"relu", Activation::relu},
                                                                  {"gelu", Activation::gelu},
                                                                  {"gelu_tanh", Activation::gelu_tanh},
                                                                  {"gelu_sigmoid", Activation::gelu_sigmoid},
                                                                  {"silu", Activation::silu}};

void load(Linear& layer, const std::string& name) {
    layer.weight = leaf(name + ".weight");
    if (golden().contains(name + ".bias")) layer.bias = leaf(name + ".bias");
}

// The networks with the golden weights.
FeedForward golden_feed_forward(Activation activation) {
    Rng none = Rng::zeros();
    FeedForward layer(6, 10, none, activation);
    load(layer.up, "ffn.up");
    load(layer.down, "ffn.down");
    return layer;
}

SwiGLU golden_swiglu() {
    Rng none = Rng::zeros();
    SwiGLU layer(6, 9, none);
    load(layer.gate, "swiglu.gate");
    load(layer.up, "swiglu.up");
    load(layer.down, "swiglu.down");
    return layer;
}

void gradients_equal_pytorch(const std::string& prefix, const Tensor& x, const Parameters& parameters) {
    for (const NamedTensor& p : parameters)
        EXPECT_TRUE(gradient_close(p.name, p.tensor, golden()[prefix + "grad_" + p.name], near_gradients));
    EXPECT_TRUE(gradient_close("x", x, golden()[prefix + "grad_x"], near_gradients));
}

// (..., 6) to (..., d_ff) with any number of axes in front, also none or an empty one: the values are those of the rows.
template <class Layer>
void axes_in_front_stay(const Layer& layer, std::size_t d_ff) {
    const Tensor rows = normal({4, 6}, 7), hidden = layer.hidden(rows);
    ASSERT_TRUE(has_shape(hidden, {4, d_ff}));
    for (const Shape& front : {Shape{}, Shape{1}, Shape{2, 2}, Shape{2, 1, 2}, Shape{2, 0}}) {
        std::size_t count = 1;
        Shape of_x = front, of_hidden = front;
        for (const std::size_t size : front) count *= size;
        of_x.push_back(6);
        of_hidden.push_back(d_ff);
        EXPECT_TRUE(close_named("hidden of x " + to_string(of_x),
                                layer.hidden(reshape(slice(rows, 0, 0, count), of_x)),
                                reshape(slice(hidden, 0, 0, count), of_hidden), near_values));
    }
}

TEST(feed_forward_networks, feed_forward_hidden_layer_equals_pytorch_for_each_activation) {
    for (const auto& [name, activation] : activations)
        EXPECT_TRUE(close_named(name, golden_feed_forward(activation).hidden(golden()["ffn.x"]),
                                golden()["ffn." + name + ".hidden"], near_values));
}

TEST(feed_forward_networks, feed_forward_sends_the_gradients_of_pytorch_to_every_parameter) {
    for (const auto& [name, activation] : activations) {
        const FeedForward layer = golden_feed_forward(activation);
        const Tensor x = leaf("ffn.x");
        ASSERT_TRUE(send_back(layer(x), golden()["ffn.grad_weights"]));
        gradients_equal_pytorch("ffn." + name + ".", x, layer.parameters());
    }
}

TEST(feed_forward_networks, feed_forward_keeps_all_axes_in_front_of_the_width) {
    axes_in_front_stay(golden_feed_forward(Activation::gelu), 10);
}

TEST(feed_forward_networks, feed_forward_does_without_biases) {
    Rng rng(1);
    const FeedForward bare(6, 10, rng, Activation::relu, Bias::no);
    const Tensor x = normal({4, 6}, 2);
    EXPECT_TRUE(close(bare.hidden(x), maximum(matmul(x, bare.up.weight, Transpose::b), 0.0f), near_values));
}

TEST(feed_forward_networks, refuse_other_widths) {
    Rng rng(0);
    const FeedForward layer(6, 10, rng);
    const SwiGLU gated(6, 9, rng);
    const Tensor wide = Tensor::zeros({2, 3, 8});
    EXPECT_TRUE(refuses<ShapeError>([&] { (void)layer(wide); }, {"(2, 3, 8)", "(10, 6)"}));
    EXPECT_TRUE(refuses<ShapeError>([&] { (void)gated(wide); }, {"(2, 3, 8)", "(9, 6)"}));
}

// --- SwiGLU -------------------------------------------------------------------------------------------------------

// The hidden layer, from the tested operations of the tensor layer.
Tensor gated(const SwiGLU& layer, const Tensor& x) {
    const Tensor gate = layer.gate(x);
    return gate * sigmoid(gate) * layer.up(x);
}

TEST(feed_forward_networks, swiglu_hidden_layer_equals_pytorch) {
    EXPECT_TRUE(close(golden_swiglu().hidden(golden()["swiglu.x"]), golden()["swiglu.hidden"], near_values));
}

TEST(feed_forward_networks, swiglu_keeps_all_axes_in_front_of_the_width) {
    axes_in_front_stay(golden_swiglu(), 9);
}

TEST(feed_forward_networks, swiglu_sends_the_gradients_of_pytorch_to_every_parameter) {
    const SwiGLU layer = golden_swiglu();
    const Tensor x = leaf("swiglu.x");
    ASSERT_TRUE(send_back(layer(x), golden()["swiglu.grad_weights"]));
    gradients_equal_pytorch("swiglu.", x, layer.parameters());
}

TEST(feed_forward_networks, swiglu_gates_far_from_zero_neither_overflow_nor_lose_the_gradient) {
    const Tensor x((golden()["swiglu.x"] * 1000.0f).array(), true), same(x.array(), true);
    const SwiGLU layer = golden_swiglu();
    const Tensor upstream = Tensor::ones({2, 3, 9});
    const Tensor y = layer.hidden(x), expected = gated(layer, same);
    EXPECT_TRUE(close(y, expected, {1e-5, 1e-1}));
    ASSERT_TRUE(send_back(y, upstream));
    ASSERT_TRUE(send_back(expected, upstream));
    EXPECT_TRUE(gradient_close("x", x, Tensor(same.grad()), {1e-4, 1e-1}));
}

TEST(feed_forward_networks, swiglu_sends_gradients_where_only_one_branch_needs_one) {
    SwiGLU layer = golden_swiglu();
    layer.up.weight = golden()["swiglu.up.weight"];  // frozen
    ASSERT_TRUE(send_back(layer(golden()["swiglu.x"]), golden()["swiglu.grad_weights"]));
    EXPECT_TRUE(gradient_close("gate.weight", layer.gate.weight, golden()["swiglu.grad_gate.weight"],
                               near_gradients));
    EXPECT_EQ(layer.up.weight.has_grad(), false);
}

// As a library has them that leaves the biases of its linear layers on.
TEST(feed_forward_networks, swiglu_adds_the_biases_where_there_are_some) {
    Rng rng(3);
    SwiGLU layer(6, 9, rng, Bias::yes);
    for (Linear* part : {&layer.gate, &layer.up}) part->bias = Tensor(rng.normal_array({9}));
    const Tensor x(rng.normal_array({4, 6}));
    EXPECT_TRUE(close(layer.hidden(x), gated(layer, x), near_values));
}

// --- swiglu_hidden_size -------------------------------------------------------------------------------------------

struct HiddenSize {
    std::size_t d_ff, multiple_of, expected;
};

void hidden_sizes_are(const std::vector<HiddenSize>& cases) {
    for (const auto& [d_ff, multiple_of, expected] : cases)
        EXPECT_EQ(swiglu_hidden_size(d_ff, multiple_of), expected)
            << fmt::format("swiglu_hidden_size({}, {})", d_ff, multiple_of);
}

// The sizes of 7B (two thirds are 10922), 13B, 33B, 65B.
TEST(feed_forward_networks, swiglu_hidden_size_is_that_of_llama) {
    hidden_sizes_are(
        {{4 * 4096, 256, 11008}, {4 * 5120, 256, 13824}, {4 * 6656, 256, 17920}, {4 * 8192, 256, 22016}});
}

TEST(feed_forward_networks, swiglu_hidden_size_what_is_a_multiple_already_stays) {
    hidden_sizes_are({{3072, 256, 2048}, {3072, 1, 2048}, {96, 64, 64}, {3'000'000, 1, 2'000'000}});
}

// Two thirds of 4 are 2.67, cut off to 2, as LLaMA's int(2 * hidden_dim / 3). The last one needs more than the 24 bits of a float.
TEST(feed_forward_networks, swiglu_hidden_size_the_fraction_is_cut_off_and_a_small_size_is_rounded_up) {
    hidden_sizes_are({{16384, 1, 10922},
                      {20, 1, 13},
                      {2, 1, 1},
                      {4, 2, 2},
                      {16, 256, 256},
                      {16, 6, 12},
                      {100'000'001, 1, 66'666'667}});
}

// --- given ----------------------------------------------------------------------------------------------------------

TEST(given_networks, outputs_equal_pytorch) {
    const FeedForward layer = golden_feed_forward(Activation::gelu);
    const Tensor expected = golden()["ffn.gelu.output"];
    EXPECT_TRUE(close(layer.output(golden()["ffn.gelu.hidden"]), expected, near_values));
    EXPECT_TRUE(close(layer(golden()["ffn.x"]), expected, near_values));
    const SwiGLU gated = golden_swiglu();
    const Tensor of_swiglu = golden()["swiglu.output"];
    EXPECT_TRUE(close(gated.output(golden()["swiglu.hidden"]), of_swiglu, near_values));
    EXPECT_TRUE(close(gated(golden()["swiglu.x"]), of_swiglu, near_values));
}

TEST(given_networks, swiglu_output_adds_the_bias_of_down_if_there_is_one) {
    Rng rng(3);
    SwiGLU layer(6, 9, rng, Bias::yes);
    layer.down.bias = Tensor(rng.normal_array({6}));
    const Tensor hidden(rng.normal_array({4, 9}));
    const Tensor expected = matmul(hidden, layer.down.weight, Transpose::b) + *layer.down.bias;
    EXPECT_TRUE(close(layer.output(hidden), expected, near_values));
}

std::string names_of(const Parameters& parameters) {
    std::string names;
    for (const NamedTensor& p : parameters) names += p.name + " ";
    return names;
}

TEST(given_networks, have_the_parameters_of_their_layers) {
    Rng none = Rng::zeros();
    const FeedForward layer(512, 2048, none), bare(6, 10, none, Activation::relu, Bias::no);
    EXPECT_EQ(count_parameters(layer.parameters()), 2'099'712u);
    EXPECT_EQ(count_parameters(bare.parameters()), 120u);
    EXPECT_EQ(names_of(layer.parameters()), "up.weight up.bias down.weight down.bias ");
    EXPECT_EQ(names_of(SwiGLU(6, 9, none).parameters()), "gate.weight up.weight down.weight ");
    EXPECT_EQ(names_of(SwiGLU(6, 9, none, Bias::yes).parameters()),
              "gate.weight gate.bias up.weight up.bias down.weight down.bias ");
    EXPECT_EQ(count_parameters(SwiGLU(6, 9, none).parameters()), 3u * 6 * 9);
}

TEST(given_networks, refuse_widths_and_sizes_that_do_not_fit) {
    Rng rng(0);
    const FeedForward layer(6, 10, rng);
    const SwiGLU gated(6, 9, rng);
    const Tensor narrow = Tensor::zeros({2, 3, 6});
    EXPECT_TRUE(refuses<ShapeError>([&] { (void)layer.output(narrow); }, {"(2, 3, 6)", "(6, 10)"}));
    EXPECT_TRUE(refuses<ShapeError>([&] { (void)gated.output(narrow); }, {"(2, 3, 6)", "(6, 9)"}));
    EXPECT_TRUE(refuses<ValueError>([&] { (void)FeedForward(6, 0, rng); }, {"6, 0"}));
    EXPECT_TRUE(refuses<ValueError>([&] { (void)SwiGLU(0, 9, rng); }, {"0, 9"}));
    for (const auto& [d_ff, multiple_of] :
         std::vector<std::pair<std::size_t, std::size_t>>{{0, 256}, {1, 1}, {3072, 0}})
        EXPECT_TRUE(refuses<ValueError>([&, d = d_ff, m = multiple_of] { (void)swiglu_hidden_size(d, m); },
                                        {std::to_string(d_ff), std::to_string(multiple_of)}));
}

}  // namespace
}  // namespace tfs::test

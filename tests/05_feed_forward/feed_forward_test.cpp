// tests/05_feed_forward/feed_forward_test.cpp · step feed_forward: PyTorch's values, properties, diagnosis
#include "tests/05_feed_forward/checklist.hpp"

#include <fmt/format.h>

#include <functional>
#include <optional>

#include "tests/support/golden.hpp"
#include "tests/support/inputs.hpp"
#include "tests/support/refusal.hpp"

namespace tfs::test {
namespace {

const std::vector<std::pair<std::string, Activation>> activations{{"relu", Activation::relu},
                                                                  {"gelu", Activation::gelu},
                                                                  {"gelu_tanh", Activation::gelu_tanh},
                                                                  {"gelu_sigmoid", Activation::gelu_sigmoid},
                                                                  {"silu", Activation::silu}};

Tensor reference_activation(Activation activation, const Tensor& x) {
    switch (activation) {
        case Activation::relu:
            return reference_relu(x);
        case Activation::gelu:
            return reference_gelu(x);
        case Activation::gelu_tanh:
            return reference_gelu_tanh(x);
        case Activation::gelu_sigmoid:
            return reference_silu(x, 1.702f);
        case Activation::silu:
            return reference_silu(x);
    }
    return x;
}

FeedForward golden_feed_forward(Activation activation) {
    Rng none = Rng::zeros();
    FeedForward layer(6, 10, none, activation);
    load(layer.up, "ffn.up");
    load(layer.down, "ffn.down");
    return layer;
}

TEST(feed_forward, expands_to_d_ff_and_contracts_to_d_model) {
    Rng rng(0);
    widths_fit(FeedForward(6, 10, rng), 10,
               "up and down are swapped: up goes from d_model to d_ff, down from d_ff to d_model");
}

// What each activation but the right one would give.
void suspect_other_activations(std::vector<Suspect>& suspects, Activation right,
                               const std::function<Tensor(Activation)>& with) {
    const auto name_of = [](Activation activation) {
        for (const auto& [name, each] : activations)
            if (each == activation) return name;
        return std::string();
    };
    for (const auto& [other, wrong] : activations) {
        if (wrong == right) continue;
        suspects.push_back({fmt::format("`activation` is {}, but {} is applied", name_of(right), other),
                            [=, w = wrong] { return with(w); }});
    }
}

TEST(feed_forward, hidden_layer_equals_pytorch_for_each_activation) {
    const Tensor x = golden()["ffn.x"];
    for (const auto& [name, activation] : activations) {
        const FeedForward layer = golden_feed_forward(activation);
        std::vector<Suspect> suspects{
            {"the activation is missing: two linear layers in a row are one linear layer",
             [&] { return layer.up(x); }},
            {"the activation comes before `up`; it belongs after it",
             [&, a = activation] { return layer.up(reference_activation(a, x)); }},
            {"the bias is missing: this is x times the weight alone; up(x) adds the bias too",
             [&, a = activation] { return reference_activation(a, linear(x, layer.up.weight)); }},
            {"the bias is added after the activation; up(x) adds it before",
             [&, a = activation] {
                 return reference_activation(a, linear(x, layer.up.weight)) + *layer.up.bias;
             }},
            {reshaped,
             [&, a = activation] { return reference_activation(a, with_reshaped_weight(layer.up, x)); }}};
        suspect_other_activations(suspects, activation,
                                  [&](Activation wrong) { return reference_activation(wrong, layer.up(x)); });
        EXPECT_TRUE(
            close_named(name, layer.hidden(x), golden()["ffn." + name + ".hidden"], {1e-5, 1e-6}, suspects));
    }
}

TEST(feed_forward, output_equals_pytorch_for_each_activation) {
    const Tensor x = golden()["ffn.x"];
    for (const auto& [name, activation] : activations) {
        const FeedForward layer = golden_feed_forward(activation);
        const Tensor expected = golden()["ffn." + name + ".output"],
                     hidden = golden()["ffn." + name + ".hidden"];
        const std::string second =
            "the activation is applied after the second layer too; nothing comes after down";
        std::vector<Suspect> suspects{
            {second, [&, a = activation] { return reference_activation(a, layer.down(hidden)); }},
            {"the activation comes after the second layer; it belongs between the two",
             [&, a = activation] { return reference_activation(a, layer.down(layer.up(x))); }},
            {"the activation is applied twice: `hidden` has it already",
             [&, a = activation] { return layer.down(reference_activation(a, hidden)); }},
            {"the activation is missing: two linear layers in a row are one linear layer",
             [&] { return layer.down(layer.up(x)); }},
            {"this multiplies by up.weight, as if down were `up` transposed; down has a weight of its own",
             [&] { return matmul(hidden, layer.up.weight) + *layer.down.bias; }},
            {"the bias of down is missing", [&] { return linear(hidden, layer.down.weight); }},
            {reshaped, [&] { return with_reshaped_weight(layer.down, hidden); }},
            {"x is added to the output: the residual connection is not part of the network (chapter 06)",
             [&] { return x + layer.down(hidden); }}};
        suspect_other_activations(suspects, activation, [&](Activation wrong) {
            return layer.down(reference_activation(wrong, layer.up(x)));
        });
        EXPECT_TRUE(close_named("output of " + name, layer.output(hidden), expected, {1e-5, 1e-6}, suspects));
        EXPECT_TRUE(close_named("all of " + name, layer(x), expected, {1e-5, 1e-6}, suspects));
    }
}

TEST(feed_forward, sends_the_gradients_of_pytorch_to_every_parameter) {
    for (const auto& [name, activation] : activations) {
        const FeedForward layer = golden_feed_forward(activation);
        const Tensor x = leaf("ffn.x");
        ASSERT_TRUE(send_back(layer(x), golden()["ffn.grad_weights"]));
        gradients_equal_pytorch("ffn." + name + ".", x, layer.parameters());
    }
}

TEST(feed_forward, each_position_is_computed_by_itself) {
    Rng rng(4);
    const FeedForward layer(6, 10, rng);
    const Tensor x = normal({1, 4, 6}, 5);
    ASSERT_TRUE(has_shape(layer(x), {1, 4, 6}));
    const Tensor changed = concat({slice(x, 1, 0, 2), normal({1, 1, 6}, 6), slice(x, 1, 3, 4)}, 1);
    EXPECT_TRUE(close_named("position 0 after position 2 changed", slice(layer(changed), 1, 0, 1),
                            slice(layer(x), 1, 0, 1), {0, 0}));
    EXPECT_FALSE(close(slice(layer(changed), 1, 2, 3), slice(layer(x), 1, 2, 3)));
}

TEST(feed_forward, keeps_all_axes_in_front_of_the_width) {
    axes_in_front_stay(golden_feed_forward(Activation::gelu), 10);
}

TEST(feed_forward, has_the_parameters_of_two_layers) {
    Rng none = Rng::zeros();
    const FeedForward layer(512, 2048, none), bare(6, 10, none, Activation::relu, Bias::no);
    try {
        EXPECT_EQ(bare(Tensor::zeros({1, 6})).shape(), (Shape{1, 6}));
    } catch (const std::bad_optional_access&) {
        ADD_FAILURE() << "a network made with Bias::no can't be called"
                      << likely_if(true,
                                   "`bias` is an optional, empty with Bias::no; up(x) and down(hidden) ask "
                                   "whether there is one");
    }
    EXPECT_EQ(count_parameters(layer.parameters()), 2'099'712u);
    EXPECT_EQ(count_parameters(bare.parameters()), 120u);
    EXPECT_EQ(layer.parameters().front().name, "up.weight");
}

TEST(feed_forward, takes_no_position_at_all_and_refuses_other_widths) {
    Rng rng(0);
    const FeedForward layer(6, 10, rng);
    no_positions_are_no_special_case(layer, 10);
    EXPECT_TRUE(refuses<ShapeError>(
        [&] {
            (void)layer(Tensor::zeros({2, 3, 8}));
        },
        {"(2, 3, 8)", "(10, 6)"}));
    EXPECT_TRUE(refuses<ShapeError>(
        [&] {
            (void)layer.output(Tensor::zeros({2, 3, 6}));
        },
        {"(2, 3, 6)", "(6, 10)"}));
    EXPECT_TRUE(refuses<ValueError>([&] { (void)FeedForward(6, 0, rng); }, {"6, 0"}));
}

}  // namespace
}  // namespace tfs::test

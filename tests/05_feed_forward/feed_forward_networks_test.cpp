// tests/05_feed_forward/feed_forward_networks_test.cpp · step feed_forward_networks: PyTorch's values, properties, diagnosis
#include "tests/05_feed_forward/checklist.hpp"
#include "tests/05_feed_forward/hidden_sizes.hpp"

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

TEST(feed_forward_networks, feed_forward_expands_to_d_ff) {
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

TEST(feed_forward_networks, feed_forward_hidden_layer_equals_pytorch_for_each_activation) {
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

TEST(feed_forward_networks, feed_forward_sends_the_gradients_of_pytorch_to_every_parameter) {
    for (const auto& [name, activation] : activations) {
        const FeedForward layer = golden_feed_forward(activation);
        const Tensor x = leaf("ffn.x");
        ASSERT_TRUE(send_back(layer(x), golden()["ffn.grad_weights"]));
        gradients_equal_pytorch("ffn." + name + ".", x, layer.parameters());
    }
}

TEST(feed_forward_networks, feed_forward_each_position_is_computed_by_itself) {
    Rng rng(4);
    const FeedForward layer(6, 10, rng);
    const Tensor x = normal({1, 4, 6}, 5);
    ASSERT_TRUE(has_shape(layer(x), {1, 4, 6}));
    const Tensor changed = concat({slice(x, 1, 0, 2), normal({1, 1, 6}, 6), slice(x, 1, 3, 4)}, 1);
    EXPECT_TRUE(close_named("position 0 after position 2 changed", slice(layer(changed), 1, 0, 1),
                            slice(layer(x), 1, 0, 1), {0, 0}));
    EXPECT_FALSE(close(slice(layer(changed), 1, 2, 3), slice(layer(x), 1, 2, 3)));
}

TEST(feed_forward_networks, feed_forward_keeps_all_axes_in_front_of_the_width) {
    axes_in_front_stay(golden_feed_forward(Activation::gelu), 10);
}

TEST(feed_forward_networks, feed_forward_does_without_biases) {
    Rng none = Rng::zeros();
    const FeedForward bare(6, 10, none, Activation::relu, Bias::no);
    try {
        EXPECT_EQ(bare(Tensor::zeros({1, 6})).shape(), (Shape{1, 6}));
    } catch (const std::bad_optional_access&) {
        ADD_FAILURE() << "a network made with Bias::no can't be called"
                      << likely_if(
                             true,
                             "`bias` is an optional, empty with Bias::no; up(x) asks whether there is one");
    }
}

TEST(feed_forward_networks, feed_forward_takes_no_position_at_all_and_refuses_other_widths) {
    Rng rng(0);
    const FeedForward layer(6, 10, rng);
    no_positions_are_no_special_case(layer, 10);
    EXPECT_TRUE(refuses<ShapeError>(
        [&] {
            (void)layer(Tensor::zeros({2, 3, 8}));
        },
        {"(2, 3, 8)", "(10, 6)"}));
}

// --- SwiGLU -------------------------------------------------------------------------------------------------------

// The hidden layer, from the tested operations of the tensor layer.
Tensor gated(const SwiGLU& layer, const Tensor& of_gate, const Tensor& of_up) {
    return reference_silu(layer.gate(of_gate)) * layer.up(of_up);
}

TEST(feed_forward_networks, swiglu_gate_and_up_expand) {
    Rng rng(0);
    widths_fit(SwiGLU(6, 9, rng), 9,
               "two of the three layers are swapped: gate and up go from d_model to d_ff, down from d_ff to "
               "d_model (w1, w3, w2 in LLaMA)");
}

TEST(feed_forward_networks, swiglu_hidden_layer_equals_pytorch) {
    const SwiGLU layer = golden_swiglu();
    const Tensor x = golden()["swiglu.x"], gate = layer.gate(x), up = layer.up(x);
    EXPECT_TRUE(close(
        layer.hidden(x), golden()["swiglu.hidden"], {1e-5, 1e-6},
        {{"gate and up are multiplied as matrices; operator* multiplies element by element",
          [&] { return matmul(reference_silu(gate), up, Transpose::b); }},
         {"silu is on the wrong branch: it belongs on gate(x), and up(x) passes as it is",
          [&] { return gate * reference_silu(up); }},
         {"silu is on both branches; up(x) passes as it is",
          [&] { return reference_silu(gate) * reference_silu(up); }},
         {"silu is applied to the product; it belongs on gate(x) alone",
          [&] { return reference_silu(gate * up); }},
         {"the branches are added; they must be multiplied", [&] { return reference_silu(gate) + up; }},
         {"1 is added to up(x); it passes as it is", [&] { return reference_silu(gate) * (up + 1.0f); }},
         {"silu is missing: gate(x) * up(x) is the bilinear form", [&] { return gate * up; }},
         {"the gate is sigmoid(gate(x)): that is GLU; SwiGLU takes silu", [&] { return sigmoid(gate) * up; }},
         {"the gate is gelu(gate(x)): that is GEGLU; SwiGLU takes silu",
          [&] { return reference_gelu(gate) * up; }},
         {"the gate is relu(gate(x)): that is ReGLU; SwiGLU takes silu",
          [&] { return reference_relu(gate) * up; }},
         {reshaped,
          [&] {
              return reference_silu(with_reshaped_weight(layer.gate, x)) * with_reshaped_weight(layer.up, x);
          }},
         {"`up` is not used", [&] { return reference_silu(gate); }},
         {"both branches are gate(x)", [&] { return reference_silu(gate) * gate; }},
         {"both branches are up(x)", [&] { return reference_silu(up) * up; }}}));
}

TEST(feed_forward_networks, swiglu_keeps_all_axes_in_front_of_the_width) {
    axes_in_front_stay(golden_swiglu(), 9);
}

TEST(feed_forward_networks, swiglu_sends_the_gradients_of_pytorch_to_every_parameter) {
    const SwiGLU layer = golden_swiglu();
    const Tensor x = leaf("swiglu.x");
    const Tensor upstream = golden()["swiglu.grad_weights"];
    ASSERT_TRUE(send_back(layer(x), upstream));
    const auto through = [&](bool gate, bool up) {
        const Tensor t(x.array(), true);
        const SwiGLU other = golden_swiglu();
        sum(other.down(gated(other, gate ? t : t.detach(), up ? t : t.detach())) * upstream).backward();
        return Tensor(t.grad());
    };
    const Tensor of_gate = through(true, false), of_up = through(false, true);
    gradients_equal_pytorch(
        "swiglu.", x, layer.parameters(),
        {{"the gate reads x detached; a gradient flows to x through both branches", [&] { return of_up; }},
         {"up reads x detached; a gradient flows to x through both branches", [&] { return of_gate; }}});
}

TEST(feed_forward_networks, swiglu_gates_far_from_zero_neither_overflow_nor_lose_the_gradient) {
    const Tensor x((golden()["swiglu.x"] * 1000.0f).array(), true), same(x.array(), true);
    const SwiGLU layer = golden_swiglu();
    const Tensor upstream = Tensor::ones({2, 3, 9});
    const Tensor y = layer.hidden(x), z = gated(layer, same, same);
    ASSERT_TRUE(send_back(y, upstream));
    ASSERT_TRUE(send_back(z, upstream));
    const std::string cause =
        "exp overflows where a gate is far from 0, and NaN comes of it: use `silu`, or `sigmoid`";
    const bool lost = contains_nan(y) || (x.has_grad() && contains_nan(Tensor(x.grad())));
    EXPECT_TRUE(close(y, z, {1e-5, 1e-1})) << likely_if(lost, cause);
    EXPECT_TRUE(gradient_close("x", x, Tensor(same.grad()), {1e-4, 1e-1})) << likely_if(lost, cause);
}

TEST(feed_forward_networks, swiglu_sends_gradients_where_only_one_branch_needs_one) {
    SwiGLU layer = golden_swiglu();
    layer.up.weight = golden()["swiglu.up.weight"];  // frozen
    ASSERT_TRUE(send_back(layer(golden()["swiglu.x"]), golden()["swiglu.grad_weights"]));
    EXPECT_TRUE(
        gradient_close("gate.weight", layer.gate.weight, golden()["swiglu.grad_gate.weight"], {1e-4, 1e-5}));
    EXPECT_FALSE(layer.up.weight.has_grad());
}

// As a library has them that leaves the biases of its linear layers on.
TEST(feed_forward_networks, swiglu_adds_the_biases_where_there_are_some) {
    Rng rng(3);
    SwiGLU layer(6, 9, rng, Bias::yes);
    for (Linear* part : {&layer.gate, &layer.up}) part->bias = Tensor(rng.normal_array({9}));
    const Tensor x(rng.normal_array({4, 6}));
    const auto without = [&](const Linear& part) { return matmul(x, part.weight, Transpose::b); };
    EXPECT_TRUE(close_named("hidden", layer.hidden(x), gated(layer, x, x), {1e-5, 1e-6},
                            {{"the biases are not used: call gate(x) and up(x), which add them",
                              [&] { return reference_silu(without(layer.gate)) * without(layer.up); }}}));
}

TEST(feed_forward_networks, swiglu_takes_no_position_at_all_and_refuses_other_widths) {
    Rng rng(0);
    const SwiGLU layer(6, 9, rng);
    no_positions_are_no_special_case(layer, 9);
    EXPECT_TRUE(refuses<ShapeError>([&] { (void)layer(Tensor::zeros({2, 3, 8})); }, {"(2, 3, 8)", "(9, 6)"}));
}

// --- swiglu_hidden_size -------------------------------------------------------------------------------------------

TEST(feed_forward_networks, swiglu_hidden_size_is_that_of_llama) { hidden_sizes_are(llama); }

TEST(feed_forward_networks, swiglu_hidden_size_what_is_a_multiple_already_stays) {
    hidden_sizes_are(multiples_already);
}

TEST(feed_forward_networks, swiglu_hidden_size_the_fraction_is_cut_off_and_a_small_size_is_rounded_up) {
    hidden_sizes_are(with_a_fraction);
}

}  // namespace
}  // namespace tfs::test

// tests/05_feed_forward_test.cpp · the checklist of chapter 05: each step by PyTorch's values, by properties, by diagnosis
//
// Run it on your steps with ./tutorial check 5. The golden values are made by tests/golden/make_golden.py.
#include "chapters/05_feed_forward/feed_forward.hpp"

#include <fmt/format.h>

#include <cmath>
#include <functional>
#include <limits>

#include "tests/support/close.hpp"
#include "tests/support/golden.hpp"
#include "tests/support/gradient.hpp"
#include "tests/support/refusal.hpp"

namespace tfs::test {
namespace {

constexpr float infinity = std::numeric_limits<float>::infinity();
constexpr float root_of_two = 1.41421356f, root_of_two_over_pi = 0.797884561f;

const Golden& golden() {
    static const Golden file("05_feed_forward.safetensors");
    return file;
}

Tensor leaf(const std::string& name) { return Tensor(golden()[name].array(), true); }

Tensor normal(const Shape& shape, std::uint64_t seed) {
    Rng rng(seed);
    return Tensor(rng.normal_array(shape));
}

// The activations from the tested operations of the tensor layer, so that no check of one step needs another step.
Tensor reference_relu(const Tensor& x) { return maximum(x, 0.0f); }
Tensor reference_gelu(const Tensor& x) { return x * (erf(x / root_of_two) + 1.0f) * 0.5f; }
Tensor reference_gelu_tanh(const Tensor& x, float cubic = 0.044715f, float scale = root_of_two_over_pi) {
    return x * (tanh((x + x * x * x * cubic) * scale) + 1.0f) * 0.5f;
}
Tensor reference_silu(const Tensor& x, float steepness = 1.0f) { return x * sigmoid(x * steepness); }

// --- what every activation must do ------------------------------------------------------------------------------

using Function = Tensor (*)(const Tensor&);

void values_equal_pytorch(const std::string& name, Function f, const std::vector<Suspect>& suspects) {
    const Tensor y = f(golden()["activation.x"]);
    EXPECT_TRUE(close_named(name, y, golden()["activation." + name + ".output"], {1e-5, 1e-6}, suspects))
        << likely_if(contains_nan(y), "exp(x) overflows for x = 100, and infinity / infinity is NaN");
}

const std::string gate_detached =
    "the values are right, but not the gradient: x occurs more than once, and none may be detached";

// Right values with another gradient: the likely cause is `otherwise` (empty: none), unless it is NaN.
void gradient_equals_pytorch(const std::string& name, Function f,
                             const std::string& otherwise = gate_detached) {
    const std::string of_nan =
        "exp(-x) overflows for x = -100 and the gradient becomes infinity times 0: use `sigmoid` of "
        "common/tensor/ops.hpp, or `tanh`";
    const Tensor x = leaf("activation.x");
    const Tensor y = f(x);
    ASSERT_TRUE(send_back(y, golden()["activation.grad_weights"]));
    const bool right = close(y, golden()["activation." + name + ".output"], {1e-5, 1e-6});
    const std::string& cause = x.has_grad() && contains_nan(Tensor(x.grad())) ? of_nan : otherwise;
    EXPECT_TRUE(gradient_close("x", x, golden()["activation." + name + ".grad_x"], {1e-5, 2e-6}))
        << likely_if(right && !cause.empty(), cause);
}

// All of them are x g(x) with g(x) + g(-x) = 1. Big enough for several threads, and no multiple of a vector's length.
void differs_from_its_mirror_image_by_x(Function f) {
    const Tensor x = normal({9, 4099}, 1) * 3.0f;
    ASSERT_TRUE(has_shape(f(x), x.shape()));
    EXPECT_TRUE(close_named("f(x) - f(-x) against x", f(x) - f(-x), x, {1e-5, 1e-6}));
}

// At -infinity relu gives 0; for the others, -infinity times a gate of 0 is NaN.
void lets_large_entries_pass_or_stops_them(Function f, bool zero_at_minus_infinity = false) {
    const Tensor y = f(Tensor::from({6}, {1e4f, -1e4f, infinity, std::nanf(""), 0.0f, -infinity}));
    ASSERT_TRUE(has_shape(y, {6}));
    EXPECT_EQ(y.at({0}), 1e4f);
    EXPECT_EQ(y.at({1}), 0.0f);
    EXPECT_EQ(y.at({2}), infinity);
    EXPECT_TRUE(std::isnan(y.at({3})))
        << "NaN must stay NaN, but it became " << y.at({3})
        << likely_if(y.at({3}) == 0.0f, "NaN > 0 is false, and so NaN counts as negative: ask x < 0 instead");
    EXPECT_EQ(y.at({4}), 0.0f);
    EXPECT_TRUE(zero_at_minus_infinity ? y.at({5}) == 0.0f : std::isnan(y.at({5})))
        << "-infinity must become " << (zero_at_minus_infinity ? "0" : "NaN, as in PyTorch")
        << ", but it became " << y.at({5});
    EXPECT_EQ(f(Tensor::zeros({2, 0, 3})).shape(), (Shape{2, 0, 3})) << "a tensor without entries";
}

// --- 5.1 relu ---------------------------------------------------------------------------------------------------

TEST(Step_5_1_relu, equals_pytorch) {
    const Tensor x = golden()["activation.x"];
    values_equal_pytorch(
        "relu", relu,
        {{"negative entries lose their sign instead of becoming 0: that is |x|",
          [&] { return maximum(x, 0.0f) + maximum(-x, 0.0f); }},
         {"negative entries pass with a slope of 0.01: that is a leaky ReLU; they must become 0",
          [&] { return maximum(x, 0.0f) - maximum(-x, 0.0f) * 0.01f; }},
         {"the smaller of x and 0 is taken; it must be the larger", [&] { return -maximum(-x, 0.0f); }},
         {"this is the derivative of relu, not relu itself",
          [&] { return maximum(x, 0.0f) / maximum(maximum(x, 0.0f), 1e-9f); }},
         {"x is returned as it is", [&] { return x; }}});
}

TEST(Step_5_1_relu, sends_the_gradient_of_pytorch) { gradient_equals_pytorch("relu", relu, ""); }

TEST(Step_5_1_relu, at_zero_the_gradient_is_between_0_and_1) {
    const Tensor x = Tensor::zeros({3}).set_requires_grad(true);
    ASSERT_TRUE(send_back(relu(x), Tensor::ones({3})));
    ASSERT_TRUE(x.has_grad());
    for (const float slope : x.grad()) {
        EXPECT_TRUE(slope >= 0.0f && slope <= 1.0f)
            << slope
            << likely_if(std::isnan(slope), "sqrt is infinitely steep at 0, and infinity times 0 is NaN");
    }
}

TEST(Step_5_1_relu, differs_from_its_mirror_image_by_x) { differs_from_its_mirror_image_by_x(relu); }

TEST(Step_5_1_relu, takes_extremes_and_any_shape) { lets_large_entries_pass_or_stops_them(relu, true); }

// --- 5.2 gelu ---------------------------------------------------------------------------------------------------

TEST(Step_5_2_gelu, equals_pytorch) {
    const Tensor x = golden()["activation.x"];
    values_equal_pytorch(
        "gelu", gelu,
        {{"x is not divided by sqrt(2) before erf", [&] { return x * (erf(x) + 1.0f) * 0.5f; }},
         {"x is multiplied by sqrt(2) before erf, not divided",
          [&] { return x * (erf(x * root_of_two) + 1.0f) * 0.5f; }},
         {"erf(x) is divided by sqrt(2); x must be, before erf",
          [&] { return x * (erf(x) / root_of_two + 1.0f) * 0.5f; }},
         {"x is divided by 2 before erf, not by its square root",
          [&] { return x * (erf(x * 0.5f) + 1.0f) * 0.5f; }},
         {"the factor 1/2 is missing: Phi must go from 0 to 1, not from 0 to 2",
          [&] { return x * (erf(x / root_of_two) + 1.0f); }},
         {"1 / 2 of integers is 0: write 0.5f", [&] { return Tensor::zeros(x.shape()); }},
         {"this is Phi(x) alone; the factor x is missing",
          [&] { return (erf(x / root_of_two) + 1.0f) * 0.5f; }},
         {"the 1 inside the bracket is missing: 1 + erf goes from 0 to 2, erf alone from -1 to 1",
          [&] { return x * erf(x / root_of_two) * 0.5f; }},
         {"the logistic sigmoid stands where the normal distribution belongs: x sigmoid(x) is silu",
          [&] { return reference_silu(x); }},
         {"this is the sigmoid approximation of step 5.3; 5.2 is the exact formula, by erf",
          [&] { return reference_silu(x, 1.702f); }},
         {"this is the tanh approximation of step 5.3; 5.2 is the exact formula, by erf",
          [&] { return reference_gelu_tanh(x); }}});
}

TEST(Step_5_2_gelu, sends_the_gradient_of_pytorch) { gradient_equals_pytorch("gelu", gelu); }

TEST(Step_5_2_gelu, gradient_matches_finite_differences) {
    EXPECT_TRUE(
        gradients_match([](const std::vector<Tensor>& in) { return gelu(in[0]); }, {normal({3, 5}, 2)}));
}

TEST(Step_5_2_gelu, differs_from_its_mirror_image_by_x) { differs_from_its_mirror_image_by_x(gelu); }

TEST(Step_5_2_gelu, takes_extremes_and_any_shape) { lets_large_entries_pass_or_stops_them(gelu); }

// --- 5.3 gelu_approximations ------------------------------------------------------------------------------------

TEST(Step_5_3_gelu_approximations, gelu_tanh_equals_pytorch) {
    const Tensor x = golden()["activation.x"];
    values_equal_pytorch(
        "gelu_tanh", gelu_tanh,
        {{"the constant is 0.044715, not 0.44715", [&] { return reference_gelu_tanh(x, 0.44715f); }},
         {"the constant is 0.044715, not 0.0044715", [&] { return reference_gelu_tanh(x, 0.0044715f); }},
         {"the cubic term 0.044715 x^3 is missing", [&] { return reference_gelu_tanh(x, 0.0f); }},
         {"x is squared where x^3 belongs",
          [&] { return x * (tanh((x + x * x * 0.044715f) * root_of_two_over_pi) + 1.0f) * 0.5f; }},
         {"the factor is 2/pi; it must be its square root",
          [&] { return reference_gelu_tanh(x, 0.044715f, 0.636619772f); }},
         {"the factor is sqrt(pi/2); it must be sqrt(2/pi)",
          [&] { return reference_gelu_tanh(x, 0.044715f, 1.0f / root_of_two_over_pi); }},
         {"1 / 2 of integers is 0: write 0.5f", [&] { return Tensor::zeros(x.shape()); }},
         {"the factor sqrt(2/pi) before the bracket is missing",
          [&] { return reference_gelu_tanh(x, 0.044715f, 1.0f); }},
         {"the factor sqrt(2/pi) multiplies x alone; it belongs before the whole bracket",
          [&] { return reference_gelu_tanh(x, 0.044715f / root_of_two_over_pi); }},
         {"the factor 1/2 is missing", [&] { return reference_gelu_tanh(x) * 2.0f; }},
         {"this is the exact gelu of step 5.2", [&] { return reference_gelu(x); }}});
}

TEST(Step_5_3_gelu_approximations, gelu_sigmoid_equals_x_sigmoid_of_1702_x) {
    const Tensor x = golden()["activation.x"];
    values_equal_pytorch(
        "gelu_sigmoid", gelu_sigmoid,
        {{"the factor 1.702 is missing: x sigmoid(x) is silu", [&] { return reference_silu(x); }},
         {"the factor 1.702 stands before the sigmoid; it belongs inside",
          [&] { return x * sigmoid(x) * 1.702f; }},
         {"x is divided by 1.702, not multiplied", [&] { return reference_silu(x, 1.0f / 1.702f); }},
         {"the factor x before the sigmoid is missing", [&] { return sigmoid(x * 1.702f); }}});
}

TEST(Step_5_3_gelu_approximations, both_send_the_right_gradient) {
    gradient_equals_pytorch("gelu_tanh", gelu_tanh);
    gradient_equals_pytorch("gelu_sigmoid", gelu_sigmoid);
}

TEST(Step_5_3_gelu_approximations, both_stay_near_the_exact_function) {
    std::vector<float> grid(2001);
    for (std::size_t i = 0; i < grid.size(); ++i) grid[i] = -10.0f + 0.01f * static_cast<float>(i);
    const Tensor x = Tensor::from({grid.size()}, grid);
    EXPECT_TRUE(close_named("gelu_tanh against gelu", gelu_tanh(x), reference_gelu(x), {0, 5e-4}));
    EXPECT_TRUE(close_named("gelu_sigmoid against gelu", gelu_sigmoid(x), reference_gelu(x), {0, 0.021}));
}

TEST(Step_5_3_gelu_approximations, differ_from_their_mirror_images_by_x) {
    differs_from_its_mirror_image_by_x(gelu_tanh);
    differs_from_its_mirror_image_by_x(gelu_sigmoid);
}

TEST(Step_5_3_gelu_approximations, take_extremes_and_any_shape) {
    lets_large_entries_pass_or_stops_them(gelu_tanh);
    lets_large_entries_pass_or_stops_them(gelu_sigmoid);
}

// --- 5.4 silu ---------------------------------------------------------------------------------------------------

TEST(Step_5_4_silu, equals_pytorch) {
    const Tensor x = golden()["activation.x"];
    values_equal_pytorch(
        "silu", silu,
        {{"this is sigmoid(x) alone; the factor x is missing", [&] { return sigmoid(x); }},
         {"sigmoid(-x) is used: negative entries pass, positive ones don't", [&] { return x * sigmoid(-x); }},
         {"the factor 1.702 belongs to gelu_sigmoid, not to silu", [&] { return reference_silu(x, 1.702f); }},
         {"tanh stands where sigmoid belongs", [&] { return x * tanh(x); }},
         {"relu stands where silu belongs", [&] { return reference_relu(x); }}});
}

TEST(Step_5_4_silu, sends_the_gradient_of_pytorch) { gradient_equals_pytorch("silu", silu); }

TEST(Step_5_4_silu, gradient_matches_finite_differences) {
    EXPECT_TRUE(
        gradients_match([](const std::vector<Tensor>& in) { return silu(in[0]); }, {normal({3, 5}, 3)}));
}

TEST(Step_5_4_silu, differs_from_its_mirror_image_by_x) { differs_from_its_mirror_image_by_x(silu); }

TEST(Step_5_4_silu, takes_extremes_and_any_shape) { lets_large_entries_pass_or_stops_them(silu); }

// --- 5.5 feed_forward -------------------------------------------------------------------------------------------

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

void load(Linear& layer, const std::string& name) {
    layer.weight = leaf(name + ".weight");
    if (golden().contains(name + ".bias")) layer.bias = leaf(name + ".bias");
}

FeedForward golden_feed_forward(Activation activation) {
    Rng rng(0);
    FeedForward layer(6, 10, rng, activation);
    load(layer.up, "ffn.up");
    load(layer.down, "ffn.down");
    return layer;
}

// (2, 3, 6) to (2, 3, d_ff) and back. Where two widths don't meet, the wrong layer was probably taken.
template <class Layer>
void widths_fit(const Layer& layer, std::size_t d_ff, const std::string& cause) {
    const Tensor x = Tensor::zeros({2, 3, 6});
    try {
        ASSERT_TRUE(has_shape(layer.hidden(x), {2, 3, d_ff}));
        ASSERT_TRUE(has_shape(layer.output(Tensor::zeros({2, 3, d_ff})), x.shape()));
        ASSERT_TRUE(has_shape(layer(x), x.shape()));
    } catch (const ShapeError& error) {
        FAIL() << error.what() << likely_if(true, cause);
    }
}

TEST(Step_5_5_feed_forward, expands_to_d_ff_and_contracts_to_d_model) {
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

TEST(Step_5_5_feed_forward, hidden_layer_equals_pytorch_for_each_activation) {
    const Tensor x = golden()["ffn.x"];
    for (const auto& [name, activation] : activations) {
        const FeedForward layer = golden_feed_forward(activation);
        std::vector<Suspect> suspects{
            {"the activation is missing: two linear layers in a row are one linear layer",
             [&] { return layer.up(x); }},
            {"the activation stands before `up`; it belongs behind it",
             [&, a = activation] { return layer.up(reference_activation(a, x)); }},
            {"the bias is missing: this is x times the weight alone; up(x) adds the bias too",
             [&, a = activation] { return reference_activation(a, linear(x, layer.up.weight)); }}};
        suspect_other_activations(suspects, activation,
                                  [&](Activation wrong) { return reference_activation(wrong, layer.up(x)); });
        EXPECT_TRUE(
            close_named(name, layer.hidden(x), golden()["ffn." + name + ".hidden"], {1e-5, 1e-6}, suspects));
    }
}

TEST(Step_5_5_feed_forward, output_equals_pytorch_for_each_activation) {
    const Tensor x = golden()["ffn.x"];
    for (const auto& [name, activation] : activations) {
        const FeedForward layer = golden_feed_forward(activation);
        const Tensor expected = golden()["ffn." + name + ".output"],
                     hidden = golden()["ffn." + name + ".hidden"];
        const std::string second =
            "the activation is applied after the second layer too; nothing comes after down";
        std::vector<Suspect> suspects{
            {second, [&, a = activation] { return reference_activation(a, layer.down(hidden)); }},
            {"the activation stands behind the second layer; it belongs between the two",
             [&, a = activation] { return reference_activation(a, layer.down(layer.up(x))); }},
            {"the activation is applied twice: `hidden` has it already",
             [&, a = activation] { return layer.down(reference_activation(a, hidden)); }},
            {"the activation is missing: two linear layers in a row are one linear layer",
             [&] { return layer.down(layer.up(x)); }},
            {"the bias of down is missing", [&] { return linear(hidden, layer.down.weight); }},
            {"x is added to the output: the residual stands outside of the network (chapter 06)",
             [&] { return x + layer.down(hidden); }}};
        suspect_other_activations(suspects, activation, [&](Activation wrong) {
            return layer.down(reference_activation(wrong, layer.up(x)));
        });
        EXPECT_TRUE(close_named("output of " + name, layer.output(hidden), expected, {1e-5, 1e-6}, suspects));
        EXPECT_TRUE(close_named("all of " + name, layer(x), expected, {1e-5, 1e-6}, suspects));
    }
}

// The gradients of x and of every parameter.
void gradients_equal_pytorch(const std::string& prefix, const Tensor& x, Parameters parameters) {
    parameters.push_back({"x", x});
    for (const NamedTensor& p : parameters) {
        EXPECT_TRUE(gradient_close(p.name, p.tensor, golden()[prefix + "grad_" + p.name], {1e-4, 1e-5}));
    }
}

TEST(Step_5_5_feed_forward, sends_the_gradients_of_pytorch_to_every_parameter) {
    for (const auto& [name, activation] : activations) {
        const FeedForward layer = golden_feed_forward(activation);
        const Tensor x = leaf("ffn.x");
        ASSERT_TRUE(send_back(layer(x), golden()["ffn.grad_weights"]));
        gradients_equal_pytorch("ffn." + name + ".", x, layer.parameters());
    }
}

TEST(Step_5_5_feed_forward, each_position_is_computed_by_itself) {
    Rng rng(4);
    const FeedForward layer(6, 10, rng);
    const Tensor x = normal({1, 4, 6}, 5);
    ASSERT_TRUE(has_shape(layer(x), {1, 4, 6}));
    const Tensor changed = concat({slice(x, 1, 0, 2), normal({1, 1, 6}, 6), slice(x, 1, 3, 4)}, 1);
    EXPECT_TRUE(close_named("position 0 after position 2 changed", slice(layer(changed), 1, 0, 1),
                            slice(layer(x), 1, 0, 1), {0, 0}));
    EXPECT_FALSE(close(slice(layer(changed), 1, 2, 3), slice(layer(x), 1, 2, 3)));
}

TEST(Step_5_5_feed_forward, has_the_parameters_of_two_layers) {
    Rng rng(0);
    const FeedForward layer(512, 2048, rng), bare(6, 10, rng, Activation::relu, Bias::no);
    EXPECT_EQ(bare(Tensor::zeros({1, 6})).shape(), (Shape{1, 6}));
    EXPECT_EQ(count_parameters(layer.parameters()), 2'099'712u);
    EXPECT_EQ(count_parameters(bare.parameters()), 120u);
    EXPECT_EQ(layer.parameters().front().name, "up.weight");
}

TEST(Step_5_5_feed_forward, takes_no_position_at_all_and_refuses_other_widths) {
    Rng rng(0);
    const FeedForward layer(6, 10, rng);
    EXPECT_EQ(layer(Tensor::zeros({2, 0, 6})).shape(), (Shape{2, 0, 6}));
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

// --- 5.6 swiglu -------------------------------------------------------------------------------------------------

SwiGLU golden_swiglu() {
    Rng rng(0);
    SwiGLU layer(6, 9, rng);
    load(layer.gate, "swiglu.gate");
    load(layer.up, "swiglu.up");
    load(layer.down, "swiglu.down");
    return layer;
}

TEST(Step_5_6_swiglu, gate_and_up_expand_and_down_contracts) {
    Rng rng(0);
    widths_fit(SwiGLU(6, 9, rng), 9,
               "two of the three layers are swapped: gate and up go from d_model to d_ff, down from d_ff to "
               "d_model (w1, w3, w2 in LLaMA)");
}

TEST(Step_5_6_swiglu, hidden_layer_equals_pytorch) {
    const SwiGLU layer = golden_swiglu();
    const Tensor x = golden()["swiglu.x"], gate = layer.gate(x), up = layer.up(x);
    EXPECT_TRUE(close(
        layer.hidden(x), golden()["swiglu.hidden"], {1e-5, 1e-6},
        {{"gate and up are multiplied as matrices; operator* multiplies element by element",
          [&] { return matmul(reference_silu(gate), up, Transpose::b); }},
         {"silu stands on the wrong branch: it belongs on gate(x), and up(x) passes as it is",
          [&] { return gate * reference_silu(up); }},
         {"silu stands on both branches; up(x) passes as it is",
          [&] { return reference_silu(gate) * reference_silu(up); }},
         {"silu is applied to the product; it belongs on gate(x) alone",
          [&] { return reference_silu(gate * up); }},
         {"the branches are added; they must be multiplied", [&] { return reference_silu(gate) + up; }},
         {"silu is missing: gate(x) * up(x) is the bilinear form", [&] { return gate * up; }},
         {"the gate is sigmoid(gate(x)): that is GLU; SwiGLU takes silu", [&] { return sigmoid(gate) * up; }},
         {"the gate is gelu(gate(x)): that is GEGLU; SwiGLU takes silu",
          [&] { return reference_gelu(gate) * up; }},
         {"`up` is not used", [&] { return reference_silu(gate); }},
         {"both branches are gate(x)", [&] { return reference_silu(gate) * gate; }},
         {"both branches are up(x)", [&] { return reference_silu(up) * up; }}}));
}

TEST(Step_5_6_swiglu, output_equals_pytorch) {
    const SwiGLU layer = golden_swiglu();
    const Tensor hidden = golden()["swiglu.hidden"], expected = golden()["swiglu.output"];
    const bool twice = close(layer.hidden(golden()["swiglu.x"]), hidden, {1e-5, 1e-6});
    const std::vector<Suspect> suspects{
        {"the activation is applied after down too; nothing comes after down",
         [&] { return reference_silu(layer.down(hidden)); }},
        {twice ? "the activation is applied twice: `hidden` has it already"
               : "silu stands in `output`; it belongs in `hidden`, on gate(x)",
         [&] { return layer.down(reference_silu(hidden)); }}};
    EXPECT_TRUE(close_named("output", layer.output(hidden), expected, {1e-5, 1e-6}, suspects));
    EXPECT_TRUE(close_named("all", layer(golden()["swiglu.x"]), expected, {1e-5, 1e-6}, suspects));
}

TEST(Step_5_6_swiglu, sends_the_gradients_of_pytorch_to_every_parameter) {
    const SwiGLU layer = golden_swiglu();
    const Tensor x = leaf("swiglu.x");
    ASSERT_TRUE(send_back(layer(x), golden()["swiglu.grad_weights"]));
    gradients_equal_pytorch("swiglu.", x, layer.parameters());
}

TEST(Step_5_6_swiglu, sends_gradients_where_only_one_branch_needs_one) {
    SwiGLU layer = golden_swiglu();
    layer.up.weight = golden()["swiglu.up.weight"];  // frozen
    ASSERT_TRUE(send_back(layer(golden()["swiglu.x"]), golden()["swiglu.grad_weights"]));
    EXPECT_TRUE(
        gradient_close("gate.weight", layer.gate.weight, golden()["swiglu.grad_gate.weight"], {1e-4, 1e-5}));
    EXPECT_FALSE(layer.up.weight.has_grad());
}

TEST(Step_5_6_swiglu, has_three_weights_and_no_bias) {
    Rng rng(0);
    const SwiGLU layer(6, 9, rng);
    EXPECT_EQ(layer(Tensor::zeros({2, 0, 6})).shape(), (Shape{2, 0, 6}));
    std::string names;
    for (const NamedTensor& p : layer.parameters()) names += p.name + " ";
    EXPECT_EQ(names, "gate.weight up.weight down.weight ")
        << likely_if(names.find("bias") != std::string::npos,
                     "there is a bias: the layers of SwiGLU have none (Bias::no)");
    EXPECT_EQ(count_parameters(layer.parameters()), 3u * 6 * 9);
}

TEST(Step_5_6_swiglu, refuses_other_widths) {
    Rng rng(0);
    const SwiGLU layer(6, 9, rng);
    EXPECT_EQ(layer(Tensor::zeros({1, 6})).shape(), (Shape{1, 6}));
    EXPECT_TRUE(refuses<ShapeError>([&] { (void)layer(Tensor::zeros({2, 3, 8})); }, {"(2, 3, 8)", "(9, 6)"}));
    EXPECT_TRUE(refuses<ShapeError>(
        [&] {
            (void)layer.output(Tensor::zeros({2, 3, 6}));
        },
        {"(2, 3, 6)", "(6, 9)"}));
    EXPECT_TRUE(refuses<ValueError>([&] { (void)SwiGLU(0, 9, rng); }, {"0, 9"}));
}

// --- 5.7 swiglu_hidden_size -------------------------------------------------------------------------------------

constexpr std::size_t refused = std::numeric_limits<std::size_t>::max();

// What gives n for d_ff and the multiple m; the likeliest mistake first.
std::string likely_mistake(std::size_t n, std::size_t d_ff, std::size_t m) {
    const auto up = [m](std::size_t size) { return (size + m - 1) / m * m; };
    const std::size_t exact = 2 * d_ff / 3;
    if (n == 0 && d_ff == 2) return "";  // several mistakes give 0, and other sizes tell them apart
    if (n == 0)
        return exact < m ? "rounded down to 0" : "2 / 3 of integers is 0: multiply first, then divide";
    if (n == up(d_ff / 3 * 2))
        return "d_ff / 3 * 2 loses the remainder before it is doubled: multiply first, then divide";
    if (n == up((2 * d_ff + 2) / 3))
        return "two thirds were rounded up to a whole number; LLaMA cuts the fraction off";
    if (n == exact / m * m) return "rounded down to the multiple; it must be rounded up";
    if (n == (exact + m / 2) / m * m) return "rounded to the nearest multiple; it must be rounded up";
    if (n == (exact / m + 1) * m)
        return "a size that is a multiple already must stay as it is; one multiple too many was added";
    if (n == exact) return "two thirds, but not rounded up to a multiple";
    if (n == up(d_ff / 6))
        return "two thirds of d_model were taken; they must be of d_ff, which is 4 d_model";
    if (n == up(8 * d_ff / 3) || n == 8 * d_ff / 3)
        return "8/3 were taken, as of d_model; the function is given d_ff, 4 d_model, and takes 2/3 of that";
    if (n == up(d_ff)) return "d_ff is rounded up, but not reduced to two thirds";
    return n == up(3 * d_ff / 2) ? "3/2 of d_ff was taken, not 2/3" : "";
}

// swiglu_hidden_size of sizes that must not be refused.
std::size_t accepted_size(std::size_t d_ff, std::size_t multiple_of) {
    try {
        return swiglu_hidden_size(d_ff, multiple_of);
    } catch (const ValueError& error) {
        ADD_FAILURE() << fmt::format("swiglu_hidden_size({}, {}) threw: {}", d_ff, multiple_of, error.what())
                      << likely_if(d_ff == 2,
                                   "d_ff = 2 is allowed: two thirds are 1; only d_ff below 2 is refused");
        return refused;
    }
}

void hidden_size_is(std::size_t d_ff, std::size_t multiple_of, std::size_t expected) {
    const std::size_t n = accepted_size(d_ff, multiple_of);
    if (n == expected || n == refused) return;
    const std::string mistake = likely_mistake(n, d_ff, multiple_of);
    ADD_FAILURE() << fmt::format("swiglu_hidden_size({}, {}) is {}, expected {}", d_ff, multiple_of, n,
                                 expected)
                  << likely_if(!mistake.empty(), mistake);
}

TEST(Step_5_7_swiglu_hidden_size, is_that_of_llama) {
    hidden_size_is(4 * 4096, 256, 11008);  // 7B: two thirds are 10922
    hidden_size_is(4 * 5120, 256, 13824);  // 13B
    hidden_size_is(4 * 6656, 256, 17920);  // 33B
    hidden_size_is(4 * 8192, 256, 22016);  // 65B
}

TEST(Step_5_7_swiglu_hidden_size, what_is_a_multiple_already_stays) {
    hidden_size_is(3072, 256, 2048);
    hidden_size_is(3072, 1, 2048);
    hidden_size_is(96, 64, 64);
}

TEST(Step_5_7_swiglu_hidden_size, the_fraction_is_cut_off_and_a_small_size_is_rounded_up) {
    hidden_size_is(16384, 1, 10922);
    hidden_size_is(20, 1, 13);
    hidden_size_is(2, 1, 1);
    hidden_size_is(4, 2, 2);  // two thirds are 2.67, cut off to 2, as LLaMA's int(2 * hidden_dim / 3)
    hidden_size_is(16, 256, 256);
}

void size_is_refused(std::size_t d_ff, std::size_t multiple_of) {
    EXPECT_TRUE(refuses<ValueError>([&] { (void)swiglu_hidden_size(d_ff, multiple_of); },
                                    {std::to_string(d_ff), std::to_string(multiple_of)},
                                    fmt::format("swiglu_hidden_size({}, {})", d_ff, multiple_of)));
}

TEST(Step_5_7_swiglu_hidden_size, refuses_zeros) {
    ASSERT_EQ(swiglu_hidden_size(3, 1), 2u);
    size_is_refused(0, 256);
    size_is_refused(1, 1);
    size_is_refused(3072, 0);
}

// --- 5.8 key_value_memory ---------------------------------------------------------------------------------------

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

TEST(Step_5_8_key_value_memory, recalls_each_value_by_its_key) {
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

TEST(Step_5_8_key_value_memory, a_stranger_recalls_nothing) {
    const FeedForward memory = key_value_memory(memory_keys, memory_values);
    const Tensor nothing = memory(strangers);
    const bool recalls = close(memory(memory_keys), memory_values, {1e-5, 1e-6});
    EXPECT_TRUE(close(nothing, Tensor::zeros({2, 4}), {0, 0})) << likely_if(
        !recalls && sum(maximum(nothing, 0.0f)).item() > 0.0f,
        "a slot fires for what is no key: the bias of up must be -threshold |k|^2, the bias of down 0");
}

TEST(Step_5_8_key_value_memory, a_higher_threshold_wants_more_of_the_key) {
    const Tensor most = memory_keys * 0.8f;  // 80 % of each key
    EXPECT_TRUE(close_named("at threshold 0.9", key_value_memory(memory_keys, memory_values, 0.9f)(most),
                            Tensor::zeros({3, 4}), {0, 0},
                            {{"`threshold` is not used: this is what 0.5 gives",
                              [&] { return reference_memory(most, memory_keys, memory_values, 0.5f); }}}));
    EXPECT_TRUE(close_named("at threshold 0.6", key_value_memory(memory_keys, memory_values, 0.6f)(most),
                            memory_values * 0.5f, {1e-4, 1e-5}));
}

TEST(Step_5_8_key_value_memory, is_an_ordinary_network_with_relu_and_parameters) {
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

TEST(Step_5_8_key_value_memory, training_it_leaves_the_keys_and_values_of_the_caller_alone) {
    const Tensor keys(memory_keys.array(), true), values(memory_values.array(), true);
    const FeedForward memory = key_value_memory(keys, values);
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

TEST(Step_5_8_key_value_memory, refuses_what_is_no_memory) {
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

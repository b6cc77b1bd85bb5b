// tests/05_feed_forward/swiglu_test.cpp · step swiglu: PyTorch's values, properties, diagnosis
#include "tests/05_feed_forward/checklist.hpp"

#include "tests/support/golden.hpp"
#include "tests/support/refusal.hpp"

namespace tfs::test {
namespace {

SwiGLU golden_swiglu() {
    Rng none = Rng::zeros();
    SwiGLU layer(6, 9, none);
    load(layer.gate, "swiglu.gate");
    load(layer.up, "swiglu.up");
    load(layer.down, "swiglu.down");
    return layer;
}

// The hidden layer, from the tested operations of the tensor layer.
Tensor gated(const SwiGLU& layer, const Tensor& of_gate, const Tensor& of_up) {
    return reference_silu(layer.gate(of_gate)) * layer.up(of_up);
}

TEST(swiglu, gate_and_up_expand_and_down_contracts) {
    Rng rng(0);
    widths_fit(SwiGLU(6, 9, rng), 9,
               "two of the three layers are swapped: gate and up go from d_model to d_ff, down from d_ff to "
               "d_model (w1, w3, w2 in LLaMA)");
}

TEST(swiglu, hidden_layer_equals_pytorch) {
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

TEST(swiglu, output_equals_pytorch) {
    const SwiGLU layer = golden_swiglu();
    const Tensor hidden = golden()["swiglu.hidden"], expected = golden()["swiglu.output"];
    const bool twice = close(layer.hidden(golden()["swiglu.x"]), hidden, {1e-5, 1e-6});
    const std::vector<Suspect> suspects{{"the activation is applied after down too; nothing comes after down",
                                         [&] { return reference_silu(layer.down(hidden)); }},
                                        {twice ? "the activation is applied twice: `hidden` has it already"
                                               : "silu is in `output`; it belongs in `hidden`, on gate(x)",
                                         [&] { return layer.down(reference_silu(hidden)); }},
                                        {reshaped, [&] { return with_reshaped_weight(layer.down, hidden); }}};
    EXPECT_TRUE(close_named("output", layer.output(hidden), expected, {1e-5, 1e-6}, suspects));
    EXPECT_TRUE(close_named("all", layer(golden()["swiglu.x"]), expected, {1e-5, 1e-6}, suspects));
}

TEST(swiglu, keeps_all_axes_in_front_of_the_width) { axes_in_front_stay(golden_swiglu(), 9); }

TEST(swiglu, sends_the_gradients_of_pytorch_to_every_parameter) {
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

TEST(swiglu, gates_far_from_zero_neither_overflow_nor_lose_the_gradient) {
    const Tensor x((golden()["swiglu.x"] * 1000.0f).array(), true), same(x.array(), true);
    const SwiGLU layer = golden_swiglu();
    const Tensor upstream = Tensor::ones({2, 3, 9});
    const Tensor y = layer.hidden(x), z = gated(layer, same, same);
    ASSERT_TRUE(send_back(y, upstream));
    ASSERT_TRUE(send_back(z, upstream));
    const std::string cause =
        "exp overflows where a gate is far from 0, and NaN comes of it: use `silu` of step 5.1, or `sigmoid`";
    const bool lost = contains_nan(y) || (x.has_grad() && contains_nan(Tensor(x.grad())));
    EXPECT_TRUE(close(y, z, {1e-5, 1e-1})) << likely_if(lost, cause);
    EXPECT_TRUE(gradient_close("x", x, Tensor(same.grad()), {1e-4, 1e-1})) << likely_if(lost, cause);
}

TEST(swiglu, sends_gradients_where_only_one_branch_needs_one) {
    SwiGLU layer = golden_swiglu();
    layer.up.weight = golden()["swiglu.up.weight"];  // frozen
    ASSERT_TRUE(send_back(layer(golden()["swiglu.x"]), golden()["swiglu.grad_weights"]));
    EXPECT_TRUE(
        gradient_close("gate.weight", layer.gate.weight, golden()["swiglu.grad_gate.weight"], {1e-4, 1e-5}));
    EXPECT_FALSE(layer.up.weight.has_grad());
}

// As a library has them that leaves the biases of its linear layers on.
TEST(swiglu, adds_the_biases_where_there_are_some) {
    Rng rng(3);
    SwiGLU layer(6, 9, rng, Bias::yes);
    std::string names;
    for (const NamedTensor& p : layer.parameters()) names += p.name + " ";
    ASSERT_EQ(names, "gate.weight gate.bias up.weight up.bias down.weight down.bias ")
        << likely_if(true, "the layers of a SwiGLU with Bias::yes have biases, all three of them");
    for (Linear* part : {&layer.gate, &layer.up, &layer.down})
        part->bias = Tensor(rng.normal_array({part->weight.size(0)}));
    const Tensor x(rng.normal_array({4, 6}));
    const auto without = [&](const Linear& part) { return matmul(x, part.weight, Transpose::b); };
    EXPECT_TRUE(close_named("hidden", layer.hidden(x), gated(layer, x, x), {1e-5, 1e-6},
                            {{"the biases are not used: call gate(x) and up(x), which add them",
                              [&] { return reference_silu(without(layer.gate)) * without(layer.up); }}}));
    const Tensor hidden = gated(layer, x, x);
    EXPECT_TRUE(close_named("output", layer.output(hidden), layer.down(hidden), {1e-5, 1e-6},
                            {{"the bias of down is not used: call down(hidden), which adds it",
                              [&] { return matmul(hidden, layer.down.weight, Transpose::b); }}}));
}

TEST(swiglu, has_three_weights_and_no_bias) {
    Rng rng(0);
    const SwiGLU layer(6, 9, rng);
    no_positions_are_no_special_case(layer, 9);
    std::string names;
    for (const NamedTensor& p : layer.parameters()) names += p.name + " ";
    EXPECT_EQ(names, "gate.weight up.weight down.weight ")
        << likely_if(names.find("bias") != std::string::npos,
                     "there is a bias: the layers of SwiGLU have none unless you ask for them (Bias::yes)");
    EXPECT_EQ(count_parameters(layer.parameters()), 3u * 6 * 9);
}

TEST(swiglu, refuses_other_widths) {
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

}  // namespace
}  // namespace tfs::test

// tests/05_feed_forward/given_networks_test.cpp · what is given of feed_forward_networks: outputs, parameters, refusals
#include "tests/05_feed_forward/checklist.hpp"

#include <string>
#include <utility>
#include <vector>

#include "tests/support/close.hpp"
#include "tests/support/golden.hpp"
#include "tests/support/refusal.hpp"

namespace tfs::test {
namespace {

TEST(given_networks, feed_forward_output_equals_pytorch) {
    const FeedForward layer = golden_feed_forward(Activation::gelu);
    const Tensor expected = golden()["ffn.gelu.output"];
    EXPECT_TRUE(close(layer.output(golden()["ffn.gelu.hidden"]), expected, {1e-5, 1e-6}));
    EXPECT_TRUE(close(layer(golden()["ffn.x"]), expected, {1e-5, 1e-6}));
}

TEST(given_networks, swiglu_output_equals_pytorch) {
    const SwiGLU layer = golden_swiglu();
    const Tensor expected = golden()["swiglu.output"];
    EXPECT_TRUE(close(layer.output(golden()["swiglu.hidden"]), expected, {1e-5, 1e-6}));
    EXPECT_TRUE(close(layer(golden()["swiglu.x"]), expected, {1e-5, 1e-6}));
}

TEST(given_networks, swiglu_output_adds_the_bias_of_down_if_there_is_one) {
    Rng rng(3);
    SwiGLU layer(6, 9, rng, Bias::yes);
    layer.down.bias = Tensor(rng.normal_array({6}));
    const Tensor hidden(rng.normal_array({4, 9}));
    const Tensor expected = matmul(hidden, layer.down.weight, Transpose::b) + *layer.down.bias;
    EXPECT_TRUE(close(layer.output(hidden), expected, {1e-5, 1e-6}));
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

TEST(given_networks, refuse_widths_that_do_not_fit) {
    Rng rng(0);
    const FeedForward layer(6, 10, rng);
    const SwiGLU gated(6, 9, rng);
    EXPECT_TRUE(refuses<ShapeError>(
        [&] {
            (void)layer.output(Tensor::zeros({2, 3, 6}));
        },
        {"(2, 3, 6)", "(6, 10)"}));
    EXPECT_TRUE(refuses<ShapeError>(
        [&] {
            (void)gated.output(Tensor::zeros({2, 3, 6}));
        },
        {"(2, 3, 6)", "(6, 9)"}));
    EXPECT_TRUE(refuses<ValueError>([&] { (void)FeedForward(6, 0, rng); }, {"6, 0"}));
    EXPECT_TRUE(refuses<ValueError>([&] { (void)SwiGLU(0, 9, rng); }, {"0, 9"}));
}

TEST(given_networks, swiglu_hidden_size_refuses_sizes_of_which_nothing_is_left) {
    for (const auto& [d_ff, multiple_of] :
         std::vector<std::pair<std::size_t, std::size_t>>{{0, 256}, {1, 1}, {3072, 0}})
        EXPECT_TRUE(refuses<ValueError>([&, d = d_ff, m = multiple_of] { (void)swiglu_hidden_size(d, m); },
                                        {std::to_string(d_ff), std::to_string(multiple_of)}));
}

}  // namespace
}  // namespace tfs::test

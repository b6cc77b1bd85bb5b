// tests/05_feed_forward/activations_test.cpp · step activations: PyTorch's values, properties, diagnosis
#include "tests/05_feed_forward/checklist.hpp"

#include <fmt/format.h>

#include <cmath>

#include "tests/support/golden.hpp"
#include "tests/support/gradient.hpp"
#include "tests/support/inputs.hpp"

namespace tfs::test {
namespace {

TEST(activations, relu_equals_pytorch) { values_equal_pytorch("relu", relu, {}); }

TEST(activations, relu_sends_the_gradient_of_pytorch) { gradient_equals_pytorch("relu", relu); }

TEST(activations, relu_has_a_gradient_between_0_and_1_at_zero) {
    const Tensor x = Tensor::zeros({3}).set_requires_grad(true);
    ASSERT_TRUE(send_back(relu(x), Tensor::ones({3})));
    ASSERT_TRUE(x.has_grad());
    for (const float slope : x.grad()) {
        EXPECT_TRUE(slope >= 0.0f && slope <= 1.0f)
            << slope
            << likely_if(std::isnan(slope), "sqrt is infinitely steep at 0, and infinity times 0 is NaN");
    }
}

TEST(activations, relu_differs_from_its_mirror_image_by_x) { differs_from_its_mirror_image_by_x(relu); }

TEST(activations, relu_takes_extremes_and_any_shape) { lets_large_entries_pass_or_stops_them(relu, true); }

TEST(activations, gelu_equals_pytorch) { values_equal_pytorch("gelu", gelu, {}); }

TEST(activations, gelu_sends_the_gradient_of_pytorch) { gradient_equals_pytorch("gelu", gelu); }

TEST(activations, gelu_gradient_matches_finite_differences) {
    EXPECT_TRUE(
        gradients_match([](const std::vector<Tensor>& in) { return gelu(in[0]); }, {normal({3, 5}, 2)}));
}

TEST(activations, gelu_differs_from_its_mirror_image_by_x) { differs_from_its_mirror_image_by_x(gelu); }

TEST(activations, gelu_takes_extremes_and_any_shape) { lets_large_entries_pass_or_stops_them(gelu); }

TEST(activations, gelu_tanh_equals_pytorch) {
    const Tensor x = golden()["activation.x"];
    values_equal_pytorch(
        "gelu_tanh", gelu_tanh,
        {{"the factor is 2/pi; it must be its square root",
          [&] { return reference_gelu_tanh(x, 0.044715f, 0.636619772f); }},
         {"the factor is sqrt(2)/pi; it must be sqrt(2/pi), the root of the whole quotient",
          [&] { return reference_gelu_tanh(x, 0.044715f, root_of_two_over_pi / root_of_pi); }},
         {"the factor is 2/sqrt(pi); it must be sqrt(2/pi), the root of the whole quotient",
          [&] { return reference_gelu_tanh(x, 0.044715f, 1.12837917f); }},
         {"the factor is sqrt(pi/2); it must be sqrt(2/pi)",
          [&] { return reference_gelu_tanh(x, 0.044715f, 1.0f / root_of_two_over_pi); }},
         {"the factor sqrt(2/pi) before the bracket is missing",
          [&] { return reference_gelu_tanh(x, 0.044715f, 1.0f); }},
         {"this is gelu, the exact function", [&] { return reference_gelu(x); }},
         {"this is gelu_sigmoid, the other approximation", [&] { return reference_silu(x, 1.702f); }}});
}

TEST(activations, gelu_tanh_sends_the_gradient_of_pytorch) {
    gradient_equals_pytorch("gelu_tanh", gelu_tanh);
}

TEST(activations, gelu_tanh_differs_from_its_mirror_image_by_x) {
    differs_from_its_mirror_image_by_x(gelu_tanh);
}

TEST(activations, gelu_tanh_takes_extremes_and_any_shape) {
    lets_large_entries_pass_or_stops_them(gelu_tanh);
}

TEST(activations, gelu_sigmoid_equals_x_sigmoid_of_1702_x) {
    const Tensor x = golden()["activation.x"];
    values_equal_pytorch(
        "gelu_sigmoid", gelu_sigmoid,
        {{"the factor 1.702 is missing: x sigmoid(x) is silu", [&] { return reference_silu(x); }},
         {"the factor 1.702 is outside of the sigmoid; it belongs inside",
          [&] { return x * sigmoid(x) * 1.702f; }},
         {"this is sigmoid(-1.702 x), which lets negative entries pass",
          [&] { return reference_silu(x, -1.702f); }},
         {"the factor x before the sigmoid is missing", [&] { return sigmoid(x * 1.702f); }}});
}

TEST(activations, gelu_sigmoid_sends_the_gradient_of_pytorch) {
    gradient_equals_pytorch("gelu_sigmoid", gelu_sigmoid);
}

TEST(activations, gelu_sigmoid_differs_from_its_mirror_image_by_x) {
    differs_from_its_mirror_image_by_x(gelu_sigmoid);
}

TEST(activations, gelu_sigmoid_takes_extremes_and_any_shape) {
    lets_large_entries_pass_or_stops_them(gelu_sigmoid);
}

TEST(activations, gelu_tanh_and_gelu_sigmoid_stay_near_gelu) {
    std::vector<float> grid(2001);
    for (std::size_t i = 0; i < grid.size(); ++i) grid[i] = -10.0f + 0.01f * static_cast<float>(i);
    const Tensor x = Tensor::from({grid.size()}, grid);
    EXPECT_TRUE(close_named("gelu_tanh against gelu", gelu_tanh(x), reference_gelu(x), {0, 5e-4}));
    EXPECT_TRUE(close_named("gelu_sigmoid against gelu", gelu_sigmoid(x), reference_gelu(x), {0, 0.021}));
}

TEST(activations, silu_equals_pytorch) {
    const Tensor x = golden()["activation.x"];
    values_equal_pytorch(
        "silu", silu,
        {{"this is sigmoid(x) alone; the factor x is missing", [&] { return sigmoid(x); }},
         {"sigmoid(-x) is used: negative entries pass, positive ones don't", [&] { return x * sigmoid(-x); }},
         {"(1 + tanh(x)) / 2 is sigmoid(2 x); sigmoid(x) is (1 + tanh(x / 2)) / 2",
          [&] { return reference_silu(x, 2.0f); }},
         {"tanh is used in place of sigmoid", [&] { return x * tanh(x); }}});
}

TEST(activations, silu_sends_the_gradient_of_pytorch) { gradient_equals_pytorch("silu", silu); }

TEST(activations, silu_gradient_matches_finite_differences) {
    EXPECT_TRUE(
        gradients_match([](const std::vector<Tensor>& in) { return silu(in[0]); }, {normal({3, 5}, 3)}));
}

TEST(activations, silu_differs_from_its_mirror_image_by_x) { differs_from_its_mirror_image_by_x(silu); }

TEST(activations, silu_takes_extremes_and_any_shape) { lets_large_entries_pass_or_stops_them(silu); }

}  // namespace
}  // namespace tfs::test

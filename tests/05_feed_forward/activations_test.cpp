// tests/05_feed_forward/activations_test.cpp · step activations: PyTorch's values, properties, diagnosis
#include "tests/05_feed_forward/checklist.hpp"

#include <fmt/format.h>

#include <cmath>

#include "tests/support/golden.hpp"
#include "tests/support/gradient.hpp"
#include "tests/support/inputs.hpp"

namespace tfs::test {
namespace {

TEST(activations, relu_equals_pytorch) {
    const Tensor x = golden()["activation.x"];
    const float floor = sum(relu(Tensor::full({1}, -3.0f))).item();
    values_equal_pytorch(
        "relu", relu,
        {{fmt::format("the larger of x and {} is taken; it must be that of x and 0", floor),
          [&] { return maximum(x, floor); }},
         {"negative entries lose their sign instead of becoming 0: that is |x|",
          [&] { return maximum(x, 0.0f) + maximum(-x, 0.0f); }},
         {"negative entries pass with a slope of 0.01: that is a leaky ReLU; they must become 0",
          [&] { return maximum(x, 0.0f) - maximum(-x, 0.0f) * 0.01f; }},
         {"the smaller of x and 0 is taken; it must be the larger", [&] { return -maximum(-x, 0.0f); }},
         {"entries above 6 are cut off: that is ReLU6; relu lets them pass",
          [&] { return maximum(x, 0.0f) - maximum(x - 6.0f, 0.0f); }},
         {"max(x, 0) is the largest entry along axis 0; maximum(x, 0.0f) is the larger of each entry and 0",
          [&] { return max(x, 0); }},
         {"this is the derivative of relu, not relu itself",
          [&] { return maximum(x, 0.0f) / maximum(maximum(x, 0.0f), 1e-9f); }},
         {"x is returned as it is", [&] { return x; }}});
}

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

TEST(activations, gelu_equals_pytorch) {
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
         {"this is the derivative of gelu, not gelu itself",
          [&] {
              return (erf(x / root_of_two) + 1.0f) * 0.5f +
                     x * exp(x * x * -0.5f) * (root_of_two_over_pi * 0.5f);
          }},
         {"the 1 inside the bracket is missing: 1 + erf goes from 0 to 2, erf alone from -1 to 1",
          [&] { return x * erf(x / root_of_two) * 0.5f; }},
         {"this is 1 - erf, the share above x; Phi is that below x, 1 + erf",
          [&] { return x * (1.0f - erf(x / root_of_two)) * 0.5f; }},
         {"the logistic sigmoid is used in place of the normal distribution: x sigmoid(x) is silu",
          [&] { return reference_silu(x); }},
         {"this is gelu_sigmoid, an approximation; gelu is the exact formula, by erf",
          [&] { return reference_silu(x, 1.702f); }},
         {"this is gelu_tanh, an approximation; gelu is the exact formula, by erf",
          [&] { return reference_gelu_tanh(x); }}});
}

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
        {{"the constant is 0.044715, not 0.44715", [&] { return reference_gelu_tanh(x, 0.44715f); }},
         {"the constant is 0.044715, not 0.0044715", [&] { return reference_gelu_tanh(x, 0.0044715f); }},
         {"0.044715 is cubed together with x; only x is",
          [&] { return reference_gelu_tanh(x, 8.94055e-5f); }},
         {"the cubic term 0.044715 x^3 is missing", [&] { return reference_gelu_tanh(x, 0.0f); }},
         {"x is squared where x^3 belongs",
          [&] { return x * (tanh((x + x * x * 0.044715f) * root_of_two_over_pi) + 1.0f) * 0.5f; }},
         {"the factor is 2/pi; it must be its square root",
          [&] { return reference_gelu_tanh(x, 0.044715f, 0.636619772f); }},
         {"the factor is sqrt(2)/pi; it must be sqrt(2/pi), the root of the whole quotient",
          [&] { return reference_gelu_tanh(x, 0.044715f, 0.450158158f); }},
         {"the factor is 2/sqrt(pi); it must be sqrt(2/pi), the root of the whole quotient",
          [&] { return reference_gelu_tanh(x, 0.044715f, 1.12837917f); }},
         {"this is 1 - tanh, which lets negative entries pass; it must be 1 + tanh",
          [&] { return x - reference_gelu_tanh(x); }},
         {"the factor is sqrt(pi/2); it must be sqrt(2/pi)",
          [&] { return reference_gelu_tanh(x, 0.044715f, 1.0f / root_of_two_over_pi); }},
         {"1 / 2 of integers is 0: write 0.5f", [&] { return Tensor::zeros(x.shape()); }},
         {"the factor sqrt(2/pi) before the bracket is missing",
          [&] { return reference_gelu_tanh(x, 0.044715f, 1.0f); }},
         {"the factor sqrt(2/pi) multiplies x alone; it belongs before the whole bracket",
          [&] { return reference_gelu_tanh(x, 0.044715f / root_of_two_over_pi); }},
         {"the factor 1/2 is missing", [&] { return reference_gelu_tanh(x) * 2.0f; }},
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
         {"the factor is 2 sqrt(2/pi), as in gelu_tanh without its cubic term; it must be 1.702",
          [&] { return reference_silu(x, 2.0f * root_of_two_over_pi); }},
         {"the factor is 1.7; it must be 1.702", [&] { return reference_silu(x, 1.7f); }},
         {"this is sigmoid(-1.702 x), which lets negative entries pass",
          [&] { return reference_silu(x, -1.702f); }},
         {"(1 + tanh(1.702 x)) / 2 is sigmoid(3.404 x); sigmoid(z) is (1 + tanh(z / 2)) / 2",
          [&] { return reference_silu(x, 3.404f); }},
         {"x is divided by 1.702, not multiplied", [&] { return reference_silu(x, 1.0f / 1.702f); }},
         {"the factor x before the sigmoid is missing", [&] { return sigmoid(x * 1.702f); }},
         {"this is gelu, the exact function", [&] { return reference_gelu(x); }},
         {"this is gelu_tanh, the other approximation", [&] { return reference_gelu_tanh(x); }}});
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
         {"this is the derivative of silu, not silu itself",
          [&] { return sigmoid(x) * (x * sigmoid(-x) + 1.0f); }},
         {"sigmoid(-x) is used: negative entries pass, positive ones don't", [&] { return x * sigmoid(-x); }},
         {"the factor 1.702 belongs to gelu_sigmoid, not to silu", [&] { return reference_silu(x, 1.702f); }},
         {"(1 + tanh(x)) / 2 is sigmoid(2 x); sigmoid(x) is (1 + tanh(x / 2)) / 2",
          [&] { return reference_silu(x, 2.0f); }},
         {"tanh is used in place of sigmoid", [&] { return x * tanh(x); }},
         {"this is relu, not silu", [&] { return reference_relu(x); }}});
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

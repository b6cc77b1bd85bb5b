// tests/05_feed_forward/gelu_approximations_test.cpp · step gelu_approximations: PyTorch's values, properties, diagnosis
#include "tests/05_feed_forward/checklist.hpp"

#include "tests/support/golden.hpp"

namespace tfs::test {
namespace {

TEST(gelu_approximations, gelu_tanh_equals_pytorch) {
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
         {"this is the exact function of step gelu", [&] { return reference_gelu(x); }}});
}

TEST(gelu_approximations, gelu_sigmoid_equals_x_sigmoid_of_1702_x) {
    const Tensor x = golden()["activation.x"];
    values_equal_pytorch(
        "gelu_sigmoid", gelu_sigmoid,
        {{"the factor 1.702 is missing: x sigmoid(x) is silu", [&] { return reference_silu(x); }},
         {"the factor 1.702 stands before the sigmoid; it belongs inside",
          [&] { return x * sigmoid(x) * 1.702f; }},
         {"x is divided by 1.702, not multiplied", [&] { return reference_silu(x, 1.0f / 1.702f); }},
         {"the factor x before the sigmoid is missing", [&] { return sigmoid(x * 1.702f); }}});
}

TEST(gelu_approximations, both_send_the_right_gradient) {
    gradient_equals_pytorch("gelu_tanh", gelu_tanh);
    gradient_equals_pytorch("gelu_sigmoid", gelu_sigmoid);
}

TEST(gelu_approximations, both_stay_near_the_exact_function) {
    std::vector<float> grid(2001);
    for (std::size_t i = 0; i < grid.size(); ++i) grid[i] = -10.0f + 0.01f * static_cast<float>(i);
    const Tensor x = Tensor::from({grid.size()}, grid);
    EXPECT_TRUE(close_named("gelu_tanh against gelu", gelu_tanh(x), reference_gelu(x), {0, 5e-4}));
    EXPECT_TRUE(close_named("gelu_sigmoid against gelu", gelu_sigmoid(x), reference_gelu(x), {0, 0.021}));
}

TEST(gelu_approximations, differ_from_their_mirror_images_by_x) {
    differs_from_its_mirror_image_by_x(gelu_tanh);
    differs_from_its_mirror_image_by_x(gelu_sigmoid);
}

TEST(gelu_approximations, take_extremes_and_any_shape) {
    lets_large_entries_pass_or_stops_them(gelu_tanh);
    lets_large_entries_pass_or_stops_them(gelu_sigmoid);
}

}  // namespace
}  // namespace tfs::test

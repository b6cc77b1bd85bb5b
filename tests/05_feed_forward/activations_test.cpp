// tests/05_feed_forward/activations_test.cpp · step activations: PyTorch's values, properties
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <vector>

#include "chapters/05_feed_forward/feed_forward.hpp"
#include "tests/support/close.hpp"
#include "tests/support/golden.hpp"

namespace tfs::test {
namespace {

using Function = Tensor (*)(const Tensor&);

struct Named {
    std::string name;
    Function f;
};
const std::vector<Named> functions{
    {"relu", relu}, {"gelu", gelu}, {"gelu_tanh", gelu_tanh}, {"gelu_sigmoid", gelu_sigmoid}, {"silu", silu}};

void values_equal_pytorch(const std::string& name, Function f) {
    EXPECT_TRUE(close_named(name, f(golden()["activation.x"]), golden()["activation." + name + ".output"]));
}

void gradient_equals_pytorch(const std::string& name, Function f) {
    const Tensor x = leaf("activation.x");
    ASSERT_TRUE(send_back(f(x), golden()["activation.grad_weights"]));
    EXPECT_TRUE(gradient_close("x", x, golden()["activation." + name + ".grad_x"], {1e-5, 2e-6}));
}

TEST(activations, relu_equals_pytorch) { values_equal_pytorch("relu", relu); }
TEST(activations, gelu_equals_pytorch) { values_equal_pytorch("gelu", gelu); }
TEST(activations, gelu_tanh_equals_pytorch) { values_equal_pytorch("gelu_tanh", gelu_tanh); }
TEST(activations, gelu_sigmoid_equals_pytorch) { values_equal_pytorch("gelu_sigmoid", gelu_sigmoid); }
TEST(activations, silu_equals_pytorch) { values_equal_pytorch("silu", silu); }

TEST(activations, relu_sends_the_gradient_of_pytorch) { gradient_equals_pytorch("relu", relu); }
TEST(activations, gelu_sends_the_gradient_of_pytorch) { gradient_equals_pytorch("gelu", gelu); }
TEST(activations, gelu_tanh_sends_the_gradient_of_pytorch) {
    gradient_equals_pytorch("gelu_tanh", gelu_tanh);
}
TEST(activations, gelu_sigmoid_sends_the_gradient_of_pytorch) {
    gradient_equals_pytorch("gelu_sigmoid", gelu_sigmoid);
}
TEST(activations, silu_sends_the_gradient_of_pytorch) { gradient_equals_pytorch("silu", silu); }

TEST(activations, relu_has_a_gradient_between_0_and_1_at_zero) {
    const Tensor x = Tensor::zeros({3}).set_requires_grad(true);
    ASSERT_TRUE(send_back(relu(x), Tensor::ones({3})));
    EXPECT_TRUE(gradient_close("x", x, Tensor::full({3}, 0.5f), {0, 0.5}));
}

// All of them are x g(x) with g(x) + g(-x) = 1. Big enough for several threads, and no multiple of a vector's length.
TEST(activations, differ_from_their_mirror_image_by_x) {
    const Tensor x = normal({9, 4099}, 1) * 3.0f;
    for (const auto& [name, f] : functions) {
        const Tensor there = f(x), mirrored = f(-x);
        ASSERT_TRUE(has_shape(there, x.shape())) << name;
        EXPECT_TRUE(close_named(name + "(x) - " + name + "(-x) against x", there - mirrored, x));
    }
}

// For all but relu, -infinity times a gate of 0 is NaN.
TEST(activations, let_large_entries_pass_or_stop_them) {
    for (const auto& [name, f] : functions) {
        const Tensor y = f(Tensor::from({6}, {1e4f, -1e4f, infinity, nan, 0.0f, -infinity}));
        std::vector<std::string> found;
        for (const float each : y.values())
            found.push_back(std::isnan(each) ? "nan" : fmt::format("{}", each + 0.0f));
        EXPECT_EQ(fmt::format("{}", fmt::join(found, ", ")),
                  fmt::format("10000, 0, inf, nan, 0, {}", name == "relu" ? "0" : "nan"))
            << name << " of 10000, -10000, inf, nan, 0, -inf";
    }
}

TEST(activations, take_any_shape) {
    for (const auto& [name, f] : functions)
        for (const Shape& shape : {Shape{}, Shape{2, 0, 3}, Shape{1, 2, 1, 3, 1}})
            EXPECT_TRUE(has_shape(f(Tensor::zeros(shape)), shape)) << name;
}

}  // namespace
}  // namespace tfs::test

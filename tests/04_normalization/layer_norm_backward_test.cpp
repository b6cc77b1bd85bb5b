// tests/04_normalization/layer_norm_backward_test.cpp · step layer_norm_backward: PyTorch's values, the tape's, the lesson's, properties
#include <string>

#include "tests/04_normalization/checklist.hpp"
#include "tests/support/close.hpp"
#include "tests/support/golden.hpp"
#include "tests/support/refusal.hpp"

namespace tfs::test {
namespace {

// What comes in.
struct Case {
    Tensor x, gamma, dy;  // (tokens, d_model), (d_model), (tokens, d_model)

    [[nodiscard]] LayerNormGradients gradients() const {
        return layer_norm_backward(normalised_rows(x.array()), gamma.array(), dy.array());
    }
};

void expect_gradients(const Case& c, const Tensor& x, const Tensor& gamma, const Tensor& beta,
                      Tolerance tolerance) {
    const LayerNormGradients found = c.gradients();
    EXPECT_TRUE(close_named("gradient of x", Tensor(found.x), x, tolerance));
    EXPECT_TRUE(close_named("gradient of gamma", Tensor(found.gamma), gamma, tolerance));
    EXPECT_TRUE(close_named("gradient of beta", Tensor(found.beta), beta, tolerance));
}

void expect_gradients_of_pytorch(const std::string& rows, Tolerance tolerance) {
    const std::string prefix = "layer_norm." + rows + ".";
    const Shape all{6, 8};
    expect_gradients({reshape(golden()[rows + ".x"], all), golden()["gamma"],
                      reshape(golden()[prefix + "grad_weights"], all)},
                     reshape(golden()[prefix + "grad_x"], all), golden()[prefix + "grad_gamma"],
                     golden()[prefix + "grad_beta"], tolerance);
}

TEST(layer_norm_backward, equals_pytorch) { expect_gradients_of_pytorch("ordinary", {1e-5, 4e-6}); }

// There eps is as large as the variance, and entries of the gradient grow 300-fold on the way back.
TEST(layer_norm_backward, equals_pytorch_where_the_variance_is_as_small_as_eps) {
    expect_gradients_of_pytorch("small", {1e-5, 1e-3});
}

// On paper: x = (-1, 5, 5, 7), gamma 1, and 4 arrives at the last feature. x_hat = (-5, 1, 1, 3) / 3.
TEST(layer_norm_backward, of_the_row_of_the_lesson) {
    expect_gradients(
        {Tensor::from({1, 4}, {-1, 5, 5, 7}), Tensor::ones({4}), Tensor::from({1, 4}, {0, 0, 0, 4})},
        Tensor::from({1, 4}, {2, -4, -4, 6}) / 9.0f, Tensor::from({4}, {0, 0, 0, 4}),
        Tensor::from({4}, {0, 0, 0, 4}), {1e-4, 1e-5});
}

TEST(layer_norm_backward, equals_the_tape_for_many_rows) {
    const Case c{normal({67, 131}, 30, 2.0, 3.0), normal({131}, 31, 1.0), normal({67, 131}, 32)};
    const Tensor x(c.x.array(), true), gamma(c.gamma.array(), true), beta(normal({131}, 33).array(), true);
    ASSERT_TRUE(send_back(gamma * normalised(x) + beta, c.dy));
    expect_gradients(c, Tensor(x.grad()), Tensor(gamma.grad()), Tensor(beta.grad()), {1e-4, 1e-4});
}

TEST(layer_norm_backward, has_no_part_along_what_layer_norm_does_not_see) {
    const Case c{normal({5, 33}, 37, 1.0, 2.0), normal({33}, 38), normal({5, 33}, 39)};
    const Tensor x(c.gradients().x);
    ASSERT_TRUE(has_shape(x, {5, 33}));
    EXPECT_TRUE(close_named("sum of each row, along a shift", sum(x, -1), Tensor::zeros({5}), {0, 1e-4}));
    EXPECT_TRUE(close_named("sum of each row times x_hat, along a stretch", sum(x * normalised(c.x), -1),
                            Tensor::zeros({5}), {0, 1e-4}));
}

TEST(layer_norm_backward, refuses_what_does_not_fit) {
    const Case c{normal({2, 4}, 43), normal({4}, 44), normal({2, 4}, 45)};
    ASSERT_TRUE(has_shape(Tensor(c.gradients().x), {2, 4}));
    const NormalisedRows forward = normalised_rows(c.x.array());
    EXPECT_TRUE(refuses<ShapeError>(
        [&] { return layer_norm_backward(forward, normal({5}, 46).array(), c.dy.array()); },
        {"gamma (5)", "(2, 4)"}));
    EXPECT_TRUE(refuses<ShapeError>(
        [&] {
            return layer_norm_backward(forward, c.gamma.array(), normal({4, 2}, 46).array());
        },
        {"dy (4, 2)", "(2, 4)"}));
}

}  // namespace
}  // namespace tfs::test

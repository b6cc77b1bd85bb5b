// tests/04_normalization/norms_test.cpp · step norms: PyTorch's values, the formula, properties
#include <fmt/format.h>

#include <functional>
#include <string>
#include <vector>

#include "tests/04_normalization/checklist.hpp"
#include "tests/support/close.hpp"
#include "tests/support/golden.hpp"
#include "tests/support/gradient.hpp"
#include "tests/support/refusal.hpp"

namespace tfs::test {
namespace {

Tensor reference_layer_norm(const Tensor& x, const Tensor& gamma, const Tensor& beta, float eps = 1e-5f) {
    return gamma * normalised(x, eps) + beta;
}

Tensor reference_rms_norm(const Tensor& x, const Tensor& gamma, float eps = 1e-6f) {
    return gamma * (x / sqrt(mean(x * x, -1, KeepDims::yes) + eps));
}

// Of x, gamma and, for layer_norm, beta.
using Norm = std::function<Tensor(const std::vector<Tensor>&)>;
const Norm by_layer_norm = [](const auto& in) { return layer_norm(in[0], in[1], in[2]); };
const Norm by_rms_norm = [](const auto& in) { return rms_norm(in[0], in[1]); };
const Norm layer_norm_expected = [](const auto& in) { return reference_layer_norm(in[0], in[1], in[2]); };
const Norm rms_norm_expected = [](const auto& in) { return reference_rms_norm(in[0], in[1]); };

// Rows of variances, and of mean squares, far below 0.25, about as large, and above it.
Tensor small_to_large(std::uint64_t seed) {
    return normal({2, 3, 8}, seed) * Tensor::from({3, 1}, {0.03f, 0.5f, 2.0f});
}

// Any number of axes in front of the features, also none, and they stay.
void expect_axes_in_front_to_stay(const Norm& norm, const Norm& expected) {
    for (const Shape& shape : {Shape{2, 3, 8}, Shape{1, 2, 3, 8}, Shape{6, 8}, Shape{8}}) {
        const std::vector<Tensor> in = {normal(shape, 29), golden()["gamma"], golden()["beta"]};
        EXPECT_TRUE(close_named("of " + to_string(shape), norm(in), expected(in), {1e-5, 2e-6}));
    }
}

// Large enough for several threads and blocks of rows; a width that is no multiple of a vector's.
void expect_many_rows_to_equal(const Norm& norm, const Norm& expected) {
    std::vector<Tensor> x, y;
    for (std::vector<Tensor>* in : {&x, &y}) {
        *in = {normal({5, 67, 131}, 5, 2.0), normal({131}, 6), normal({131}, 7)};
        for (Tensor& t : *in) t.set_requires_grad(true);
    }
    const Tensor result = norm(x), wanted = expected(y), upstream = normal({5, 67, 131}, 4);
    EXPECT_TRUE(close(result, wanted, {1e-5, 1e-5}));
    ASSERT_TRUE(send_back(result, upstream));
    ASSERT_TRUE(send_back(wanted, upstream));
    for (const std::size_t i : {0u, 1u, 2u}) {
        if (!y[i].has_grad()) continue;
        EXPECT_TRUE(gradient_close(i == 0   ? "x"
                                   : i == 1 ? "gamma"
                                            : "beta",
                                   x[i], Tensor(y[i].grad()), {1e-4, i == 0 ? 1e-5 : 1e-4}));
    }
}

TEST(norms, layer_norm_equals_pytorch) {
    EXPECT_TRUE(close(layer_norm(golden()["ordinary.x"], golden()["gamma"], golden()["beta"], 1e-5f),
                      golden()["layer_norm.ordinary.output"], {1e-5, 2e-6}));
}

TEST(norms, layer_norm_equals_pytorch_where_the_variance_is_as_small_as_eps) {
    const Tensor x = small_to_large(11), gamma = golden()["gamma"], beta = golden()["beta"];
    EXPECT_TRUE(close(layer_norm(golden()["small.x"], gamma, beta, 1e-5f),
                      golden()["layer_norm.small.output"], {1e-5, 2e-6}));
    for (const float eps : {0.25f, 0.0f})
        EXPECT_TRUE(close_named(fmt::format("with eps {}", eps), layer_norm(x, gamma, beta, eps),
                                reference_layer_norm(x, gamma, beta, eps), {1e-5, 1e-5}));
}

TEST(norms, layer_norm_sends_the_gradient_of_pytorch) {
    for (const std::string rows : {"ordinary", "small"}) {
        const Tensor x = leaf(rows + ".x"), gamma = leaf("gamma"), beta = leaf("beta");
        const std::string prefix = "layer_norm." + rows + ".";
        ASSERT_TRUE(send_back(layer_norm(x, gamma, beta, 1e-5f), golden()[prefix + "grad_weights"]));
        // Entries of "small" grow 300-fold on the way back: the tolerance is relative to the largest of them.
        EXPECT_TRUE(
            gradient_close("x", x, golden()[prefix + "grad_x"], {1e-5, rows == "small" ? 1e-3 : 2e-6}));
        EXPECT_TRUE(gradient_close("gamma", gamma, golden()[prefix + "grad_gamma"], {1e-5, 4e-6}));
        EXPECT_TRUE(gradient_close("beta", beta, golden()[prefix + "grad_beta"], {1e-5, 2e-6}));
    }
}

// Entries near 10000 are rounded to 0.001, so their float mean may be wrong by that much: hence the tolerance.
TEST(norms, layer_norm_of_a_large_mean_does_not_cancel) {
    EXPECT_TRUE(close(layer_norm(golden()["large_mean.x"], Tensor::ones({64}), Tensor::zeros({64}), 1e-5f),
                      golden()["layer_norm.large_mean.output"], {1e-5, 3e-3}));
}

TEST(norms, layer_norm_of_a_row_without_variance_gives_beta) {
    const Tensor x = Tensor::from({2, 4}, {3, 3, 3, 3, 0, 0, 0, 0}).set_requires_grad(true);
    const Tensor upstream = normal({2, 4}, 1);
    const Tensor y = layer_norm(x, Tensor::ones({4}), Tensor::from({4}, {1, 2, 3, 4}), 1e-4f);
    EXPECT_TRUE(close(y, Tensor::from({2, 4}, {1, 2, 3, 4, 1, 2, 3, 4})));
    ASSERT_TRUE(send_back(y, upstream));
    EXPECT_TRUE(gradient_close("x", x, (upstream - mean(upstream, -1, KeepDims::yes)) * 100.0f,
                               {1e-4, 1e-3}));  // 1 / sqrt(eps)
}

TEST(norms, layer_norm_forgets_a_shift_and_a_stretch_of_a_row) {
    const Tensor x = normal({3, 5, 33}, 2), one = Tensor::ones({33}), zero = Tensor::zeros({33});
    EXPECT_TRUE(close_named("3 x + 5 against x", layer_norm(x * 3.0f + 5.0f, one, zero, 0.0f),
                            layer_norm(x, one, zero, 0.0f), {1e-4, 1e-5}));
}

TEST(norms, layer_norm_keeps_all_axes_in_front_of_the_features) {
    expect_axes_in_front_to_stay(by_layer_norm, layer_norm_expected);
}

TEST(norms, layer_norm_of_many_rows_equals_the_formula_in_value_and_gradient) {
    expect_many_rows_to_equal(by_layer_norm, layer_norm_expected);
}

TEST(norms, layer_norm_has_the_gradient_of_finite_differences_for_who_asks) {
    EXPECT_TRUE(gradients_match(by_layer_norm, {normal({3, 6}, 8), normal({6}, 9), normal({6}, 10)}));
    const Tensor x = normal({3, 6}, 8), gamma = normal({6}, 9), beta = Tensor(normal({6}, 10).array(), true);
    ASSERT_TRUE(send_back(layer_norm(x, gamma, beta), Tensor::ones({3, 6})));
    EXPECT_EQ(x.has_grad(), false);
    EXPECT_EQ(gamma.has_grad(), false);
    EXPECT_TRUE(gradient_close("beta", beta, Tensor::full({6}, 3.0f)));
}

TEST(norms, layer_norm_as_a_module_starts_as_plain_normalisation_and_learns_both) {
    const LayerNorm norm(8);
    EXPECT_FLOAT_EQ(norm.eps, 1e-5f);
    const Parameters parameters = norm.parameters();
    ASSERT_EQ(parameters.size(), 2u);
    EXPECT_EQ(parameters[0].name + " " + parameters[1].name, "gamma beta");
    EXPECT_EQ(norm.gamma.requires_grad(), true);
    EXPECT_EQ(norm.beta.requires_grad(), true);
    const Tensor x = small_to_large(12);
    EXPECT_TRUE(close(norm(x), normalised(x), {1e-5, 1e-5}));
    EXPECT_TRUE(close_named("with eps 0.25", LayerNorm(8, 0.25f)(x), normalised(x, 0.25f), {1e-5, 1e-5}));
}

TEST(norms, layer_norm_refuses_what_makes_no_sense) {
    const auto shaped = [](std::size_t width, std::size_t g, std::size_t b, float eps = 1e-5f) {
        return layer_norm(Tensor::zeros({2, width}), Tensor::ones({g}), Tensor::zeros({b}), eps);
    };
    ASSERT_TRUE(has_shape(shaped(4, 4, 4), {2, 4}));
    EXPECT_TRUE(refuses<ShapeError>([&] { return shaped(4, 5, 4); }, {"gamma (5)", "(2, 4)"}));
    EXPECT_TRUE(refuses<ShapeError>([&] { return shaped(4, 4, 1); }, {"beta (1)", "(2, 4)"}));
    EXPECT_TRUE(refuses<ShapeError>([&] { return shaped(0, 0, 0); }, {"(2, 0)"}));
    EXPECT_TRUE(refuses<ValueError>([&] { return shaped(1, 1, 1); }, {"(2, 1)", "width 1"}));
    EXPECT_TRUE(refuses<ValueError>([&] { return shaped(4, 4, 4, -1.0f); }, {"eps = -1"}));
    EXPECT_TRUE(refuses<ValueError>([&] { return LayerNorm(1); }, {"LayerNorm", "width of 1"}));
    EXPECT_TRUE(refuses<ValueError>([&] { return LayerNorm(4, infinity); }, {"LayerNorm", "eps = inf"}));
    EXPECT_TRUE(has_shape(layer_norm(Tensor::zeros({0, 4}), Tensor::ones({4}), Tensor::zeros({4})), {0, 4}));
}

TEST(norms, rms_norm_equals_pytorch) {
    const Tensor x = small_to_large(20), gamma = golden()["gamma"];
    for (const std::string rows : {"ordinary", "small"})  // small: a mean square of about eps
        EXPECT_TRUE(close(rms_norm(golden()[rows + ".x"], gamma, 1e-5f),
                          golden()["rms_norm." + rows + ".output"], {1e-5, 2e-6}));
    for (const float eps : {0.25f, 0.0f})
        EXPECT_TRUE(close_named(fmt::format("with eps {}", eps), rms_norm(x, gamma, eps),
                                reference_rms_norm(x, gamma, eps), {1e-5, 1e-6}));
}

TEST(norms, rms_norm_sends_the_gradient_of_pytorch) {
    for (const std::string rows : {"ordinary", "small"}) {
        const Tensor x = leaf(rows + ".x"), gamma = leaf("gamma");
        const std::string prefix = "rms_norm." + rows + ".";
        ASSERT_TRUE(send_back(rms_norm(x, gamma, 1e-5f), golden()[prefix + "grad_weights"]));
        EXPECT_TRUE(
            gradient_close("x", x, golden()[prefix + "grad_x"], {1e-5, rows == "small" ? 1e-3 : 2e-6}));
        EXPECT_TRUE(gradient_close("gamma", gamma, golden()[prefix + "grad_gamma"], {1e-5, 4e-6}));
    }
}

TEST(norms, rms_norm_forgets_a_stretch_of_a_row) {
    const Tensor x = normal({3, 5, 33}, 12), one = Tensor::ones({33});
    EXPECT_TRUE(
        close_named("3 x against x", rms_norm(x * 3.0f, one, 0.0f), rms_norm(x, one, 0.0f), {1e-5, 1e-6}));
}

TEST(norms, rms_norm_of_a_row_of_zeros_gives_zeros) {
    const Tensor x = Tensor::zeros({2, 4}).set_requires_grad(true);
    const Tensor y = rms_norm(x, Tensor::ones({4}), 1e-6f);
    EXPECT_TRUE(close(y, Tensor::zeros({2, 4})));
    ASSERT_TRUE(send_back(y, Tensor::ones({2, 4})));
    EXPECT_TRUE(gradient_close("x", x, Tensor::full({2, 4}, 1000.0f), {1e-4, 0}));  // 1 / sqrt(eps)
}

TEST(norms, rms_norm_keeps_all_axes_in_front_of_the_features) {
    expect_axes_in_front_to_stay(by_rms_norm, rms_norm_expected);
}

TEST(norms, rms_norm_of_many_rows_equals_the_formula_in_value_and_gradient) {
    expect_many_rows_to_equal(by_rms_norm, rms_norm_expected);
}

TEST(norms, rms_norm_has_the_gradient_of_finite_differences_for_who_asks) {
    EXPECT_TRUE(gradients_match(by_rms_norm, {normal({3, 6}, 16), normal({6}, 17)}));
    const Tensor x(normal({3, 6}, 18).array(), true), gamma = normal({6}, 19);
    ASSERT_TRUE(send_back(rms_norm(x, gamma), Tensor::ones({3, 6})));
    EXPECT_EQ(x.has_grad(), true);
    EXPECT_EQ(gamma.has_grad(), false);
}

TEST(norms, rms_norm_as_a_module_has_one_parameter_and_refuses_what_makes_no_sense) {
    const Tensor x = small_to_large(21);
    const RMSNorm norm(8);
    EXPECT_TRUE(close(norm(x), reference_rms_norm(x, norm.gamma), {1e-5, 1e-6}));
    EXPECT_TRUE(close_named("with eps 0.25", RMSNorm(8, 0.25f)(x), reference_rms_norm(x, norm.gamma, 0.25f),
                            {1e-5, 1e-6}));
    ASSERT_EQ(norm.parameters().size(), 1u);
    EXPECT_EQ(norm.parameters()[0].name, "gamma");
    EXPECT_EQ(norm.gamma.requires_grad(), true);
    EXPECT_TRUE(
        refuses<ShapeError>([&] { return rms_norm(x, Tensor::ones({7})); }, {"gamma (7)", "(2, 3, 8)"}));
    EXPECT_TRUE(refuses<ValueError>([&] { return rms_norm(x, Tensor::ones({8}), -1.0f); }, {"eps = -1"}));
    EXPECT_TRUE(refuses<ValueError>([&] { return RMSNorm(0); }, {"RMSNorm", "width of 0"}));
}

}  // namespace
}  // namespace tfs::test

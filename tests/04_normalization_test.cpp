// tests/04_normalization_test.cpp · the checklist of chapter 04: each step by PyTorch's values, by properties, by diagnosis
//
// Run it on your steps with ./tutorial check 4. The golden values are made by tests/golden/make_golden.py.
#include "chapters/04_normalization/normalization.hpp"

#include <fmt/format.h>

#include <bit>
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

const Golden& golden() {
    static const Golden file("04_normalization.safetensors");
    return file;
}

Tensor leaf(const std::string& name) { return Tensor(golden()[name].array(), true); }

Tensor normal(const Shape& shape, std::uint64_t seed, double mean = 0.0, double deviation = 1.0) {
    Rng rng(seed);
    return Tensor(rng.normal_array(shape, mean, deviation));
}

// References from the tested operations of the tensor layer, so that no check of one step needs another step.
Tensor mean_of(const Tensor& x, int axis = -1) { return mean(x, axis, KeepDims::yes); }
Tensor variance_of(const Tensor& x, int axis = -1) { return variance(x, axis, KeepDims::yes); }
Tensor deviation_of(const Tensor& x, float eps, int axis = -1) { return sqrt(variance_of(x, axis) + eps); }
Tensor rms_of(const Tensor& x, float eps, int axis = -1) { return sqrt(mean_of(x * x, axis) + eps); }
Tensor normalised(const Tensor& x, float eps, int axis = -1) {
    return (x - mean_of(x, axis)) / deviation_of(x, eps, axis);
}
float of_a_sample(double n) { return static_cast<float>(n / (n - 1.0)); }
float of_a_sample(const Tensor& x, int axis = -1) { return of_a_sample(static_cast<double>(x.size(axis))); }

// The gradient that x would get through `f`, to compare a learner's gradient with that of a mistake.
Tensor gradient_through(const std::function<Tensor(const Tensor&)>& f, const Tensor& x,
                        const Tensor& upstream) {
    const Tensor copy(x.array(), true);
    sum(f(copy) * upstream).backward();
    return Tensor(copy.grad());
}

Suspect known(const std::string& message, const Tensor& wrong) {
    return {message, [wrong] { return wrong; }};
}

// --- 4.1 layer_norm -----------------------------------------------------------------------------------------------

std::vector<Suspect> layer_norm_suspects(const Tensor& x, const Tensor& gamma, const Tensor& beta,
                                         float eps) {
    const auto scaled = [=](const Tensor& xhat) { return gamma * xhat + beta; };
    const auto row = [](const Tensor& parameter) { return slice(parameter, 0, 0, 1); };
    const Tensor centred = x - mean_of(x);
    return {
        {"the variance is divided by n - 1; the formula takes that of the population, divided by n",
         [=] { return scaled(centred / sqrt(variance_of(x) * of_a_sample(x) + eps)); }},
        {"eps is added outside the root; the formula has it inside: sqrt(variance + eps)",
         [=] { return scaled(centred / (sqrt(variance_of(x)) + eps)); }},
        {"n - 1 and eps outside the root: this is (x - mean) / (std + eps) of the source notes, not the "
         "formula",
         [=] { return scaled(centred / (sqrt(variance_of(x) * of_a_sample(x)) + eps)); }},
        {"mean and variance run over the sequence (axis -2); each token has its own, over its features (axis "
         "-1)",
         [=] { return scaled(normalised(x, eps, -2)); }},
        {"mean and variance run over the batch (axis 0); each token has its own, over its features (axis -1)",
         [=] { return scaled(normalised(x, eps, 0)); }},
        {"one mean and variance for the whole tensor; each token has its own",
         [=] { return scaled(reshape(normalised(reshape(x, {x.size()}), eps), x.shape())); }},
        {"gamma and beta are swapped: gamma multiplies, beta is added",
         [=] { return beta * normalised(x, eps) + gamma; }},
        {"only the first entry of gamma and beta is used; each feature has its own",
         [=] { return row(gamma) * normalised(x, eps) + row(beta); }},
        {"gamma and beta are applied before normalising, which undoes most of them; they come after it",
         [=] { return normalised(gamma * x + beta, eps); }},
        {"gamma also multiplies beta: gamma (xhat + beta); beta is added last",
         [=] { return gamma * (normalised(x, eps) + beta); }},
        {"gamma is not used", [=] { return normalised(x, eps) + beta; }},
        {"beta is not used", [=] { return gamma * normalised(x, eps); }},
        {"gamma and beta are not used", [=] { return normalised(x, eps); }},
        {"only the mean is divided by the deviation, not x: (x - mean) / deviation needs its brackets",
         [=] { return scaled(x - mean_of(x) / deviation_of(x, eps)); }},
        {"the mean is not subtracted", [=] { return scaled(x / deviation_of(x, eps)); }},
        {"the mean is subtracted but nothing is divided", [=] { return scaled(centred); }},
        {"the variance is divided by; it must be its root, the standard deviation",
         [=] { return scaled(centred / (variance_of(x) + eps)); }},
        {"eps is not used", [=] { return scaled(normalised(x, 0.0f)); }},
        {"this divides by the root mean square of x: that is RMSNorm",
         [=] { return scaled(x / rms_of(x, eps)); }}};
}

TEST(Step_4_1_layer_norm, equals_pytorch) {
    const Tensor x = golden()["ordinary.x"], gamma = golden()["gamma"], beta = golden()["beta"];
    EXPECT_TRUE(close(layer_norm(x, gamma, beta, 1e-5f), golden()["layer_norm.ordinary.output"], {1e-5, 2e-6},
                      layer_norm_suspects(x, gamma, beta, 1e-5f)));
}

// A variance of about 1e-5: where eps stands can be seen.
TEST(Step_4_1_layer_norm, equals_pytorch_where_the_variance_is_as_small_as_eps) {
    const Tensor x = golden()["small.x"], gamma = golden()["gamma"], beta = golden()["beta"];
    EXPECT_TRUE(close(layer_norm(x, gamma, beta, 1e-5f), golden()["layer_norm.small.output"], {1e-5, 2e-6},
                      layer_norm_suspects(x, gamma, beta, 1e-5f)));
}

TEST(Step_4_1_layer_norm, sends_the_gradient_of_pytorch) {
    for (const std::string rows : {"ordinary", "small"}) {
        const Tensor x = leaf(rows + ".x"), gamma = leaf("gamma"), beta = leaf("beta");
        const std::string prefix = "layer_norm." + rows + ".";
        const Tensor upstream = golden()[prefix + "grad_weights"];
        const auto without = [&](bool mean_too, bool deviation_too) {
            return gradient_through(
                [&](const Tensor& t) {
                    const Tensor m = mean_of(t), d = deviation_of(t, 1e-5f);
                    return gamma.detach() * (t - (mean_too ? m.detach() : m)) /
                           (deviation_too ? d.detach() : d);
                },
                x, upstream);
        };
        const std::vector<Suspect> suspects{
            known("the mean is detached: it depends on every entry of the row, and its gradient is part of "
                  "the result",
                  without(true, false)),
            known("the variance is detached: it depends on every entry of the row, and its gradient is part "
                  "of the "
                  "result",
                  without(false, true)),
            known("mean and variance are detached: they depend on every entry of the row",
                  without(true, true))};
        ASSERT_TRUE(send_back(layer_norm(x, gamma, beta, 1e-5f), upstream));
        // Entries of "small" grow 300-fold on the way back: the tolerance is relative to the largest of them.
        EXPECT_TRUE(gradient_close("x", x, golden()[prefix + "grad_x"], {1e-5, rows == "small" ? 1e-3 : 2e-6},
                                   suspects));
        EXPECT_TRUE(gradient_close("gamma", gamma, golden()[prefix + "grad_gamma"], {1e-5, 4e-6}));
        EXPECT_TRUE(gradient_close("beta", beta, golden()[prefix + "grad_beta"], {1e-5, 2e-6}));
    }
}

// Entries near 10000 are rounded to 0.001, so their float mean may be wrong by that much: hence the tolerance.
TEST(Step_4_1_layer_norm, a_large_mean_does_not_cancel) {
    const Tensor x = golden()["large_mean.x"], one = Tensor::ones({64}), zero = Tensor::zeros({64});
    const Tensor y = layer_norm(x, one, zero, 1e-5f), expected = golden()["layer_norm.large_mean.output"];
    const Tensor near_zero = x - 1e4f;  // exact: only the mean is gone
    const bool only_here = static_cast<bool>(
        close(layer_norm(near_zero, one, zero, 1e-5f), normalised(near_zero, 1e-5f), {1e-5, 1e-5}));
    EXPECT_TRUE(close(y, expected, {1e-5, 3e-3})) << likely_if(
        only_here,
        "the variance is computed as E[x^2] - E[x]^2: the mean of the squares is about 1e8, where floats "
        "are 8 apart, and the variance of 1 is lost; use `variance`, which subtracts the mean first");
}

TEST(Step_4_1_layer_norm, a_row_without_variance_gives_beta) {
    const Tensor x = Tensor::from({2, 4}, {3, 3, 3, 3, 0, 0, 0, 0}).set_requires_grad(true);
    const Tensor beta = Tensor::from({4}, {1, 2, 3, 4});
    const Tensor y = layer_norm(x, Tensor::ones({4}), beta, 1e-5f);
    EXPECT_TRUE(close(y, concat({reshape(beta, {1, 4}), reshape(beta, {1, 4})}, 0))) << likely_if(
        contains_nan(y), "eps is missing: a row of equal entries has the variance 0, and 0 / 0 is NaN");
    ASSERT_TRUE(send_back(y, normal({2, 4}, 1)));
    ASSERT_TRUE(x.has_grad());
    EXPECT_FALSE(contains_nan(Tensor(x.grad())))
        << likely_if(true, "eps must be added before the root is taken");
}

TEST(Step_4_1_layer_norm, a_shift_or_a_stretch_of_a_row_changes_nothing) {
    const Tensor x = normal({3, 5, 33}, 2), one = Tensor::ones({33}), zero = Tensor::zeros({33});
    const Tensor y = layer_norm(x, one, zero, 0.0f);
    ASSERT_TRUE(has_shape(y, x.shape()));
    EXPECT_TRUE(close_named("mean of each row", mean(y, -1), Tensor::zeros({3, 5}), {0, 1e-6}));
    EXPECT_TRUE(close_named("variance of each row", variance(y, -1), Tensor::ones({3, 5}), {1e-5, 0}));
    EXPECT_TRUE(
        close_named("3 x + 5 against x", layer_norm(x * 3.0f + 5.0f, one, zero, 0.0f), y, {1e-4, 1e-5}));
}

TEST(Step_4_1_layer_norm, a_token_does_not_depend_on_the_others) {
    const Tensor x = normal({2, 3, 8}, 3), gamma = golden()["gamma"], beta = golden()["beta"];
    const Tensor together = layer_norm(x, gamma, beta);
    ASSERT_TRUE(has_shape(together, x.shape()));
    for (std::size_t b = 0; b < 2; ++b) {
        const Tensor alone = layer_norm(slice(x, 0, b, b + 1), gamma, beta);
        EXPECT_TRUE(close_named("a sentence alone", alone, slice(together, 0, b, b + 1), {0, 0}));
    }
    EXPECT_TRUE(close_named("one row",
                            layer_norm(reshape(slice(reshape(x, {6, 8}), 0, 4, 5), {8}), gamma, beta),
                            reshape(slice(reshape(together, {6, 8}), 0, 4, 5), {8}), {0, 0}));
}

// Large enough for several threads and blocks of rows; a width that is no multiple of a vector's.
TEST(Step_4_1_layer_norm, many_rows_equal_the_formula_in_value_and_gradient) {
    const Shape shape{5, 67, 131};
    const Tensor upstream = normal(shape, 4);
    std::vector<Tensor> leaves, expected;
    for (std::vector<Tensor>* side : {&leaves, &expected}) {
        *side = {normal(shape, 5, 2.0), normal({131}, 6), normal({131}, 7)};
        for (Tensor& t : *side) t.set_requires_grad(true);
    }
    const Tensor y = layer_norm(leaves[0], leaves[1], leaves[2]);
    const Tensor z = expected[1] * normalised(expected[0], 1e-5f) + expected[2];
    EXPECT_TRUE(close(y, z, {1e-5, 1e-5}));
    ASSERT_TRUE(send_back(y, upstream));
    ASSERT_TRUE(send_back(z, upstream));
    EXPECT_TRUE(gradient_close("x", leaves[0], Tensor(expected[0].grad()), {1e-4, 1e-5}));
    EXPECT_TRUE(gradient_close("gamma", leaves[1], Tensor(expected[1].grad()), {1e-4, 1e-4}));
    EXPECT_TRUE(gradient_close("beta", leaves[2], Tensor(expected[2].grad()), {1e-4, 1e-4}));
}

TEST(Step_4_1_layer_norm, its_gradient_equals_finite_differences_and_reaches_only_who_asks) {
    EXPECT_TRUE(gradients_match([](const std::vector<Tensor>& in) { return layer_norm(in[0], in[1], in[2]); },
                                {normal({3, 6}, 8), normal({6}, 9), normal({6}, 10)}));
    const Tensor x = normal({3, 6}, 8), gamma = normal({6}, 9), beta = Tensor(normal({6}, 10).array(), true);
    ASSERT_TRUE(send_back(layer_norm(x, gamma, beta), Tensor::ones({3, 6})));
    EXPECT_FALSE(x.has_grad() || gamma.has_grad());
    EXPECT_TRUE(gradient_close("beta", beta, Tensor::full({6}, 3.0f)));
}

TEST(Step_4_1_layer_norm, the_module_starts_as_plain_normalisation_and_learns_both) {
    const LayerNorm norm(8);
    EXPECT_FLOAT_EQ(norm.eps, 1e-5f);
    const Parameters parameters = norm.parameters();
    ASSERT_EQ(parameters.size(), 2u);
    EXPECT_EQ(parameters[0].name + " " + parameters[1].name, "gamma beta");
    const bool scalars = norm.gamma.size() == 1 || norm.beta.size() == 1;
    const std::string hidden = " (or is it a new local variable in the constructor, which hides the member?)";
    EXPECT_TRUE(has_shape(norm.gamma, {8}))
        << likely_if(norm.gamma.size() == 1, "gamma must have one number for each feature" + hidden);
    EXPECT_TRUE(has_shape(norm.beta, {8}))
        << likely_if(norm.beta.size() == 1, "beta must have one number for each feature" + hidden);
    EXPECT_TRUE(norm.gamma.requires_grad() && norm.beta.requires_grad())
        << likely_if(!scalars, "gamma and beta are learned: set_requires_grad(true)");
    ASSERT_FALSE(scalars);
    EXPECT_TRUE(
        close(norm.gamma, Tensor::ones({8}), {0, 0},
              {known("gamma starts as zeros: the layer would give beta whatever x is", Tensor::zeros({8}))}));
    EXPECT_TRUE(close(norm.beta, Tensor::zeros({8}), {0, 0},
                      {known("beta starts as ones: it must shift nothing at first", Tensor::ones({8}))}));
    const Tensor x = normal({2, 3, 8}, 11);
    EXPECT_TRUE(close(norm(x), normalised(x, 1e-5f), {1e-5, 1e-5}));
    EXPECT_TRUE(close_named(
        "with eps 1", LayerNorm(8, 1.0f)(x), normalised(x, 1.0f), {1e-5, 1e-5},
        {known("eps is a number in the code: use the one that is passed in", normalised(x, 1e-5f))}));
}

TEST(Step_4_1_layer_norm, refuses_what_makes_no_sense) {
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

// --- 4.2 rms_norm -------------------------------------------------------------------------------------------------

std::vector<Suspect> rms_norm_suspects(const Tensor& x, const Tensor& gamma, float eps) {
    const Tensor centred = x - mean_of(x), squares = sum(x * x, -1, KeepDims::yes);
    const float n = static_cast<float>(x.size(-1));
    return {{"the mean is subtracted: that is LayerNorm without beta; RMSNorm subtracts nothing",
             [=] { return gamma * normalised(x, eps); }},
            {"x is divided by its standard deviation; RMSNorm divides by the root of the mean of x^2",
             [=] { return gamma * (x / deviation_of(x, eps)); }},
            {"the mean is subtracted above the line but not below it; RMSNorm subtracts nothing",
             [=] { return gamma * (centred / rms_of(x, eps)); }},
            {"the squares are summed, not averaged: the result is sqrt(d_model) times too small",
             [=] { return gamma * (x / sqrt(squares + eps)); }},
            {"eps is added outside the root; the formula has it inside: sqrt(mean of x^2 + eps)",
             [=] { return gamma * (x / (rms_of(x, 0.0f) + eps)); }},
            {"eps is not used", [=] { return gamma * (x / rms_of(x, 0.0f)); }},
            {"the root is missing: x is divided by the mean of its squares",
             [=] { return gamma * (x / (mean_of(x * x) + eps)); }},
            {"gamma is not used", [=] { return x / rms_of(x, eps); }},
            {"gamma is applied before normalising; it comes after it",
             [=] { return gamma * x / rms_of(gamma * x, eps); }},
            {"gamma stands below the line: x / (gamma rms); it multiplies",
             [=] { return x / (gamma * rms_of(x, eps)); }},
            {"the mean is squared; RMSNorm takes the mean of the squares",
             [=] { return gamma * (x / sqrt(mean_of(x) * mean_of(x) + eps)); }},
            {"the squares are divided by n - 1; their mean is their sum divided by n",
             [=] { return gamma * (x / sqrt(squares / (n - 1.0f) + eps)); }},
            {"one mean of the squares for the whole tensor; each token has its own",
             [=] {
                 return gamma *
                        reshape(reshape(x, {x.size()}) / rms_of(reshape(x, {x.size()}), eps), x.shape());
             }},
            {"the mean of the squares runs over the sequence (axis -2); each token has its own (axis -1)",
             [=] { return gamma * (x / rms_of(x, eps, -2)); }},
            {"the mean of the squares runs over the batch (axis 0); each token has its own (axis -1)",
             [=] { return gamma * (x / rms_of(x, eps, 0)); }}};
}

TEST(Step_4_2_rms_norm, equals_pytorch) {
    for (const std::string rows : {"ordinary", "small"}) {  // small: a mean square of about eps
        const Tensor x = golden()[rows + ".x"], gamma = golden()["gamma"];
        EXPECT_TRUE(close(rms_norm(x, gamma, 1e-5f), golden()["rms_norm." + rows + ".output"], {1e-5, 2e-6},
                          rms_norm_suspects(x, gamma, 1e-5f)));
    }
}

TEST(Step_4_2_rms_norm, sends_the_gradient_of_pytorch) {
    for (const std::string rows : {"ordinary", "small"}) {
        const Tensor x = leaf(rows + ".x"), gamma = leaf("gamma");
        const std::string prefix = "rms_norm." + rows + ".";
        const Tensor upstream = golden()[prefix + "grad_weights"];
        const Tensor cut = gradient_through(
            [&](const Tensor& t) { return gamma.detach() * (t / rms_of(t, 1e-5f).detach()); }, x, upstream);
        ASSERT_TRUE(send_back(rms_norm(x, gamma, 1e-5f), upstream));
        EXPECT_TRUE(gradient_close(
            "x", x, golden()[prefix + "grad_x"], {1e-5, rows == "small" ? 1e-3 : 2e-6},
            {known("the root mean square is detached: it depends on every entry of the row", cut)}));
        EXPECT_TRUE(gradient_close("gamma", gamma, golden()[prefix + "grad_gamma"], {1e-5, 4e-6}));
    }
}

TEST(Step_4_2_rms_norm, a_stretch_of_a_row_changes_nothing_but_a_shift_does) {
    const Tensor x = normal({3, 5, 33}, 12), one = Tensor::ones({33});
    const Tensor y = rms_norm(x, one, 0.0f);
    ASSERT_TRUE(has_shape(y, x.shape()));
    EXPECT_TRUE(close_named("mean of the squares", mean(y * y, -1), Tensor::ones({3, 5}), {1e-5, 0}));
    EXPECT_TRUE(close_named("3 x against x", rms_norm(x * 3.0f, one, 0.0f), y, {1e-5, 1e-6}));
    EXPECT_FALSE(close(rms_norm(x + 5.0f, one, 0.0f), y, {1e-2, 1e-2}))
        << likely_if(true, "the mean is subtracted; RMSNorm subtracts nothing");
}

TEST(Step_4_2_rms_norm, a_row_of_zeros_gives_zeros) {
    const Tensor x = Tensor::zeros({2, 4}).set_requires_grad(true);
    const Tensor y = rms_norm(x, Tensor::ones({4}), 1e-6f);
    EXPECT_TRUE(close(y, Tensor::zeros({2, 4})))
        << likely_if(contains_nan(y), "eps is missing: 0 / 0 is NaN in a row of zeros");
    ASSERT_TRUE(send_back(y, Tensor::ones({2, 4})));
    EXPECT_TRUE(gradient_close("x", x, Tensor::full({2, 4}, 1000.0f), {1e-4, 0}));  // 1 / sqrt(eps)
}

TEST(Step_4_2_rms_norm, many_rows_equal_the_formula_in_value_and_gradient) {
    const Shape shape{5, 67, 131};
    const Tensor upstream = normal(shape, 13);
    const Tensor x(normal(shape, 14, 2.0).array(), true), gamma(normal({131}, 15).array(), true);
    const Tensor same_x(x.array(), true), same_gamma(gamma.array(), true);
    const Tensor y = rms_norm(x, gamma), z = same_gamma * (same_x / rms_of(same_x, 1e-6f));
    EXPECT_TRUE(close(y, z, {1e-5, 1e-5}));
    ASSERT_TRUE(send_back(y, upstream));
    ASSERT_TRUE(send_back(z, upstream));
    EXPECT_TRUE(gradient_close("x", x, Tensor(same_x.grad()), {1e-4, 1e-5}));
    EXPECT_TRUE(gradient_close("gamma", gamma, Tensor(same_gamma.grad()), {1e-4, 1e-4}));
}

TEST(Step_4_2_rms_norm, its_gradient_equals_finite_differences_and_reaches_only_who_asks) {
    EXPECT_TRUE(gradients_match([](const std::vector<Tensor>& in) { return rms_norm(in[0], in[1]); },
                                {normal({3, 6}, 16), normal({6}, 17)}));
    const Tensor x(normal({3, 6}, 18).array(), true), gamma = normal({6}, 19);
    ASSERT_TRUE(send_back(rms_norm(x, gamma), Tensor::ones({3, 6})));
    EXPECT_TRUE(x.has_grad() && !gamma.has_grad());
}

TEST(Step_4_2_rms_norm, the_module_has_one_parameter_and_refuses_what_makes_no_sense) {
    const Tensor x = normal({2, 3, 8}, 20);
    const RMSNorm norm(8);
    EXPECT_TRUE(close(norm(x), x / rms_of(x, 1e-6f), {1e-5, 1e-6}));
    EXPECT_TRUE(close_named(
        "with eps 1", RMSNorm(8, 1.0f)(x), x / rms_of(x, 1.0f), {1e-5, 1e-6},
        {known("eps is a number in the code: use the one that is passed in", x / rms_of(x, 1e-6f))}));
    ASSERT_EQ(norm.parameters().size(), 1u);
    EXPECT_EQ(norm.parameters()[0].name, "gamma");
    EXPECT_TRUE(norm.gamma.requires_grad());
    EXPECT_TRUE(
        refuses<ShapeError>([&] { return rms_norm(x, Tensor::ones({7})); }, {"gamma (7)", "(2, 3, 8)"}));
    EXPECT_TRUE(refuses<ValueError>([&] { return rms_norm(x, Tensor::ones({8}), -1.0f); }, {"eps = -1"}));
    EXPECT_TRUE(refuses<ValueError>([&] { return RMSNorm(0); }, {"RMSNorm", "width of 0"}));
}

// --- 4.3 batch_statistics -----------------------------------------------------------------------------------------

TEST(Step_4_3_batch_statistics, equal_pytorch_over_batch_and_positions) {
    const Tensor x = golden()["statistics.x"];
    const auto [mean_found, variance_found] = batch_statistics(x);
    const bool per_token = mean_found.size() == 12;
    const bool per_position = mean_found.shape() == Shape{4, 5} || mean_found.shape() == Shape{1, 4, 5};
    const bool per_sentence = mean_found.shape() == Shape{3, 5} || mean_found.shape() == Shape{3, 1, 5};
    const bool kept = mean_found.shape() == Shape{1, 5};
    const Tensor rows = reshape(x, {12, 5}), mixed = reshape(x, {5, 12});
    const std::string mixes =
        "reshape to (features, rest) mixes the features up, since they are the last axis: reshape to (rest, "
        "features), and reduce over axis 0";
    const std::string swapped = "mean and variance are swapped: the result is {mean, variance}";
    EXPECT_TRUE(close_named("mean", mean_found, golden()["statistics.mean.output"], {},
                            {known(mixes, mean(mixed, 1)), known(swapped, variance(rows, 0))}))
        << likely_if(
               kept,
               "the axis is kept with size 1; without KeepDims::yes it is dropped, as the contract wants")
        << likely_if(
               per_token,
               "the mean runs over the features of a token, as in LayerNorm; here each feature has one, "
               "over batch and positions")
        << likely_if(per_position,
                     "the mean runs over the batch only: each position has its own; reshape to (batch * "
                     "seq, features) first")
        << likely_if(per_sentence,
                     "the mean runs over the positions only: each sentence has its own; reshape to (batch "
                     "* seq, features) first");
    EXPECT_TRUE(close_named(
        "variance", variance_found, golden()["statistics.variance.output"], {1e-5, 1e-6},
        {known(mixes, variance(mixed, 1)),
         known(swapped, mean(rows, 0)),
         {"the variance is divided by n - 1; in training the batch is normalised by that of the population",
          [=] { return variance(rows, 0) * of_a_sample(12); }},
         {"this is the mean of the sentences' variances: what lies between the sentences is missing",
          [=] { return mean(variance(x, 1), 0); }},
         {"this is the mean of the positions' variances: what lies between the positions is missing",
          [=] { return mean(variance(x, 0), 0); }},
         {"this is a variance of variances; all tokens together have one: reshape to (batch * seq, features) "
          "first",
          [=] { return variance(variance(x, 0), 0); }},
         {"this is a variance of variances; all tokens together have one: reshape to (batch * seq, features) "
          "first",
          [=] { return variance(variance(x, 1), 0); }},
         {"this is the standard deviation; the variance is its square",
          [=] { return sqrt(variance(rows, 0)); }},
         {"this is the mean of x^2: the mean is not subtracted", [=] { return mean(rows * rows, 0); }}}));
}

TEST(Step_4_3_batch_statistics, send_the_gradient_of_pytorch) {
    for (const std::string which : {"mean", "variance"}) {
        const Tensor x = leaf("statistics.x");
        const std::string prefix = "statistics." + which + ".";
        const FeatureStatistics found = batch_statistics(x);
        ASSERT_TRUE(
            send_back(which == "mean" ? found.mean : found.variance, golden()[prefix + "grad_weights"]));
        EXPECT_TRUE(gradient_close("x", x, golden()[prefix + "grad_x"], {1e-5, 1e-6}));
    }
}

// Entries near 10000 are rounded to 0.001, so their float mean may be wrong by that much: hence the tolerance.
TEST(Step_4_3_batch_statistics, a_large_mean_does_not_cancel) {
    const Tensor x = normal({4, 8, 5}, 26) + 1e4f, near_zero = x - 1e4f;  // exact: only the mean is gone
    const Tensor expected = variance(reshape(near_zero, {32, 5}), 0);
    const bool only_here = static_cast<bool>(close(batch_statistics(near_zero).variance, expected));
    EXPECT_TRUE(close_named("variance", batch_statistics(x).variance, expected, {1e-5, 3e-3})) << likely_if(
        only_here,
        "the variance is computed as E[x^2] - E[x]^2: the mean of the squares is about 1e8, where floats "
        "are 8 apart, and the variance of 1 is lost; use `variance`, which subtracts the mean first");
}

TEST(Step_4_3_batch_statistics, tokens_may_come_with_or_without_a_sequence_axis) {
    const Tensor x = normal({3, 4, 5}, 21);
    const FeatureStatistics a = batch_statistics(x), b = batch_statistics(reshape(x, {12, 5}));
    EXPECT_TRUE(close(a.mean, b.mean, {0, 1e-6}));
    EXPECT_TRUE(close(a.variance, b.variance, {0, 1e-6}));
}

TEST(Step_4_3_batch_statistics, refuse_an_empty_batch_and_a_single_value) {
    ASSERT_TRUE(has_shape(batch_statistics(Tensor::zeros({2, 3})).mean, {3}));
    EXPECT_TRUE(refuses<ValueError>(
        [] {
            return batch_statistics(Tensor::zeros({0, 3}));
        },
        {"(0, 3)", "empty"}));
    EXPECT_TRUE(refuses<ValueError>(
        [] {
            return batch_statistics(Tensor::zeros({1, 1, 3}));
        },
        {"(1, 1, 3)", "one value"}));
    EXPECT_TRUE(refuses<ShapeError>([] { return batch_statistics(Tensor::zeros({3})); }, {"(3)"}));
    EXPECT_TRUE(refuses<ShapeError>([] { return batch_statistics(Tensor::zeros({3, 0})); }, {"(3, 0)"}));
}

// --- 4.4 batch_norm -----------------------------------------------------------------------------------------------

BatchNorm golden_batch_norm() {
    BatchNorm norm(5);
    norm.gamma = leaf("batch_norm.gamma");
    norm.beta = leaf("batch_norm.beta");
    return norm;
}

Tensor columns(const Tensor& x) { return reshape(x, {x.size() / x.size(-1), x.size(-1)}); }

// Mean 0 and variance 1 for each feature.
Tensor normalised_by(const Tensor& x, const Tensor& centre, const Tensor& spread, const BatchNorm& norm,
                     float eps = 1e-5f) {
    return norm.gamma.detach() * ((x - centre) / sqrt(spread + eps)) + norm.beta.detach();
}

Suspect without_root(const Tensor& x, const Tensor& centre, const Tensor& spread, const BatchNorm& norm) {
    return {"the root is missing: the variance is divided by; it must be its root, the standard deviation",
            [=] { return norm.gamma * ((x - centre) / (spread + norm.eps)) + norm.beta; }};
}

TEST(Step_4_4_batch_norm, training_equals_pytorch_in_value_and_gradient) {
    BatchNorm norm = golden_batch_norm();
    const Tensor x = leaf("batch_norm.first.x"), rows = columns(x.detach());
    const Tensor centre = mean(rows, 0), spread = variance(rows, 0);
    const Tensor y = norm(x, NormMode::training);
    EXPECT_TRUE(close(
        y, golden()["batch_norm.first.output"], {1e-5, 2e-6},
        {{"the running statistics are used in training; there it must be those of the batch",
          [=] { return normalised_by(x, Tensor::zeros({5}), Tensor::ones({5}), norm); }},
         {"the running statistics are used in training, after their update; there it must be those of the "
          "batch",
          [=] { return normalised_by(x, centre * 0.1f, spread * (0.1f * of_a_sample(12)) + 0.9f, norm); }},
         {"the batch is normalised by the variance over n - 1; that one is for the running variance only",
          [=] { return normalised_by(x, centre, spread * of_a_sample(12), norm); }},
         without_root(x, centre, spread, norm),
         {"gamma and beta are swapped",
          [=] { return norm.beta * ((x - centre) / sqrt(spread + 1e-5f)) + norm.gamma; }},
         {"each token is normalised over its features: that is LayerNorm",
          [=] { return norm.gamma * normalised(x, 1e-5f) + norm.beta; }}}));
    const Tensor upstream = golden()["batch_norm.first.grad_weights"];
    const Tensor cut = gradient_through(
        [&](const Tensor& t) { return normalised_by(t, centre, spread, norm); }, x, upstream);
    ASSERT_TRUE(send_back(y, upstream));
    EXPECT_TRUE(
        gradient_close("x", x, golden()["batch_norm.first.grad_x"], {1e-5, 2e-6},
                       {known("the batch's statistics are detached; only the running ones are", cut)}));
    EXPECT_TRUE(gradient_close("gamma", norm.gamma, golden()["batch_norm.first.grad_gamma"], {1e-5, 4e-6}));
    EXPECT_TRUE(gradient_close("beta", norm.beta, golden()["batch_norm.first.grad_beta"], {1e-5, 2e-6}));
}

TEST(Step_4_4_batch_norm, running_statistics_move_as_in_pytorch) {
    BatchNorm norm = golden_batch_norm();
    Tensor old_mean = Tensor::zeros({5}), old_variance = Tensor::ones({5});
    for (const std::string batch : {"first", "second"}) {
        const Tensor x = golden()["batch_norm." + batch + ".x"];
        (void)norm(x, NormMode::training);
        const Tensor centre = mean(columns(x), 0), spread = variance(columns(x), 0);
        const Tensor sampled = spread * of_a_sample(12);
        const std::string never = "the running statistics are never updated; training must move them";
        const std::string round =
            "momentum the wrong way round: it is the share of the new batch, 1 - momentum that of "
            "the old value";
        const std::string kept =
            "the old value is not multiplied by 1 - momentum: nothing old is ever forgotten";
        EXPECT_TRUE(close_named("running mean", norm.running_mean,
                                golden()["batch_norm." + batch + ".running_mean"], {1e-5, 1e-6},
                                {known(never, old_mean), known(kept, old_mean + centre * 0.1f),
                                 known(round, old_mean * 0.1f + centre * 0.9f),
                                 known("the batch's mean replaces the running one", centre)}));
        EXPECT_TRUE(close_named(
            "running variance", norm.running_variance, golden()["batch_norm." + batch + ".running_variance"],
            {1e-5, 1e-6},
            {known(never, old_variance), known(kept, old_variance + sampled * 0.1f),
             known(round, old_variance * 0.1f + sampled * 0.9f),
             known("the running variance takes the batch's variance over n; it must be that of a "
                   "sample, n / (n - 1) times as large (in whole numbers n / (n - 1) is 1: make n a float)",
                   old_variance * 0.9f + spread * 0.1f),
             known(
                 "n is the number of sentences; it must be that of all their tokens, x.size() / gamma.size()",
                 old_variance * 0.9f + spread * (0.1f * of_a_sample(3))),
             known("the factor is upside down: a sample's variance is n / (n - 1) times that of the batch, "
                   "more and not less",
                   old_variance * 0.9f + spread * (0.1f / of_a_sample(12))),
             known("the batch's variance replaces the running one", sampled)}));
        old_mean = golden()["batch_norm." + batch + ".running_mean"];
        old_variance = golden()["batch_norm." + batch + ".running_variance"];
    }
}

TEST(Step_4_4_batch_norm, running_statistics_are_no_part_of_the_tape) {
    BatchNorm norm = golden_batch_norm();
    (void)norm(leaf("batch_norm.first.x"), NormMode::training);
    EXPECT_FALSE(norm.running_mean.requires_grad() || norm.running_variance.requires_grad()) << likely_if(
        true,
        "the running statistics remember the batch they came from: detach() what is stored, or the tape "
        "grows with every batch");
    ASSERT_EQ(norm.buffers().size(), 2u);
    EXPECT_EQ(norm.buffers()[0].name + " " + norm.buffers()[1].name, "running_mean running_variance");
    ASSERT_EQ(norm.parameters().size(), 2u);
}

TEST(Step_4_4_batch_norm, evaluation_equals_pytorch_and_changes_nothing) {
    BatchNorm norm = golden_batch_norm();
    const Tensor centre = golden()["batch_norm.second.running_mean"];
    const Tensor spread = golden()["batch_norm.second.running_variance"];
    norm.running_mean = centre.detach();
    norm.running_variance = spread.detach();
    const Tensor x = leaf("batch_norm.evaluation.x"), rows = columns(x.detach());
    const Tensor y = norm(x, NormMode::evaluation);
    EXPECT_TRUE(
        close(y, golden()["batch_norm.evaluation.output"], {1e-5, 2e-6},
              {{"the batch's own statistics are used in evaluation; there it must be the running ones",
                [=] { return normalised_by(x, mean(rows, 0), variance(rows, 0), norm); }},
               without_root(x, centre, spread, norm)}));
    ASSERT_TRUE(send_back(y, golden()["batch_norm.evaluation.grad_weights"]));
    EXPECT_TRUE(gradient_close("x", x, golden()["batch_norm.evaluation.grad_x"], {1e-5, 2e-6}));
    EXPECT_TRUE(
        gradient_close("gamma", norm.gamma, golden()["batch_norm.evaluation.grad_gamma"], {1e-5, 4e-6}));
    EXPECT_TRUE(close(norm.running_mean, centre, {0, 0}) && close(norm.running_variance, spread, {0, 0}))
        << likely_if(true, "evaluation changes the running statistics; only training may");
}

std::string eps_not_added(NormMode mode) {
    return mode == NormMode::evaluation ? "eps is not added in evaluation"
                                        : "eps is not added in training: a feature that is constant has the "
                                          "variance 0, and 0 / 0 is NaN";
}

// Features of deviations around the root of eps = 1, and far below it.
TEST(Step_4_4_batch_norm, eps_and_momentum_are_the_members_in_both_modes) {
    const Tensor x = normal({3, 4, 5}, 27) * Tensor::from({5}, {0.01f, 0.1f, 1, 3, 10});
    const Tensor centre = mean(columns(x), 0), spread = variance(columns(x), 0);
    for (const NormMode mode : {NormMode::training, NormMode::evaluation}) {
        BatchNorm norm(5, 0.25f, 1.0f);
        norm.running_mean = centre.detach();
        norm.running_variance = spread.detach();
        const std::string name = mode == NormMode::training ? "training" : "evaluation";
        EXPECT_TRUE(close_named(
            name + " with eps 1", norm(x, mode), normalised_by(x, centre, spread, norm, 1.0f), {1e-5, 1e-6},
            {known(eps_not_added(mode), normalised_by(x, centre, spread, norm, 0.0f)),
             known("eps is a number in the code: use the member eps", normalised_by(x, centre, spread, norm)),
             known("eps is outside the root; the formula has it inside: sqrt(variance + eps)",
                   (x - centre) / (sqrt(spread) + 1.0f))}));
    }
    BatchNorm norm(5, 0.25f);
    (void)norm(x + 3.0f, NormMode::training);
    EXPECT_TRUE(close_named(
        "running mean with momentum 0.25", norm.running_mean, (centre + 3.0f) * 0.25f, {1e-5, 1e-6},
        {known("momentum is a number in the code: use the member momentum", (centre + 3.0f) * 0.1f)}));
    EXPECT_TRUE(close_named("running variance with momentum 0.25", norm.running_variance,
                            spread * (0.25f * of_a_sample(12)) + 0.75f, {1e-5, 1e-6},
                            {known("momentum is a number in the code: use the member momentum",
                                   spread * (0.1f * of_a_sample(12)) + 0.9f)}));
}

TEST(Step_4_4_batch_norm, a_feature_without_variance_gives_beta_in_training) {
    BatchNorm norm(3);
    const Tensor y = norm(Tensor::full({4, 3}, 5.0f), NormMode::training);
    EXPECT_TRUE(close(y, Tensor::zeros({4, 3})))
        << likely_if(contains_nan(y), eps_not_added(NormMode::training));
}

TEST(Step_4_4_batch_norm, a_token_alone_is_normalised_in_evaluation_and_refused_in_training) {
    BatchNorm norm(3);
    EXPECT_TRUE(close(norm(Tensor::from({1, 3}, {1, 2, 3}), NormMode::evaluation),
                      Tensor::from({1, 3}, {1, 2, 3}) / std::sqrt(1.0f + 1e-5f)));
    EXPECT_TRUE(refuses<ValueError>(
        [&] {
            return norm(Tensor::zeros({1, 3}), NormMode::training);
        },
        {"(1, 3)", "one value"}));
    for (const NormMode mode : {NormMode::training, NormMode::evaluation})
        EXPECT_TRUE(refuses<ValueError>(
            [&] {
                return norm(Tensor::zeros({0, 3}), mode);
            },
            {"(0, 3)", "empty"}));
    EXPECT_TRUE(refuses<ShapeError>(
        [&] {
            return norm(Tensor::zeros({2, 4}), NormMode::training);
        },
        {"(2, 4)", "made for 3"}));
    EXPECT_TRUE(refuses<ValueError>([] { return BatchNorm(3, 1.5f); }, {"momentum = 1.5"}));
    EXPECT_TRUE(refuses<ValueError>([] { return BatchNorm(0); }, {"BatchNorm", "width of 0"}));
}

TEST(Step_4_4_batch_norm, a_feature_does_not_depend_on_the_others_but_a_sentence_does) {
    const Tensor x = normal({2, 4, 3}, 22);
    BatchNorm norm(3), of_one(1);
    const Tensor y = norm(x, NormMode::training);
    ASSERT_TRUE(has_shape(y, x.shape()));
    EXPECT_TRUE(close(of_one(slice(x, 2, 1, 2), NormMode::training), slice(y, 2, 1, 2), {1e-5, 1e-6}));
    const Tensor alone = norm(slice(x, 0, 0, 1), NormMode::training);
    EXPECT_FALSE(close(alone, slice(y, 0, 0, 1), {1e-2, 1e-2})) << likely_if(
        true, "a sentence is normalised by itself; BatchNorm takes its statistics from the whole batch");
}

// --- 4.5 round_to_bfloat16 ----------------------------------------------------------------------------------------

// Each value with its bits changed.
Tensor with_bits(const Tensor& x, const std::function<std::uint32_t(std::uint32_t)>& change) {
    std::vector<float> values;
    for (const float value : x.values())
        values.push_back(std::bit_cast<float>(change(std::bit_cast<std::uint32_t>(value))));
    return Tensor::from(x.shape(), values);
}

// Rounded to the nearest, ties to even, without its last `dropped` bits (here they are kept as they come out).
std::uint32_t carried(std::uint32_t bits, unsigned dropped) {
    return bits + ((1U << (dropped - 1U)) - 1U) + ((bits >> dropped) & 1U);
}

std::vector<Suspect> bfloat16_suspects(const Tensor& x) {
    const auto bits_suspect = [&](const std::string& message,
                                  const std::function<std::uint32_t(std::uint32_t)>& change) {
        return known(message, with_bits(x, change));
    };
    const std::string thirteen =
        "13 bits are dropped, which leaves the 10 fraction bits of float16; bfloat16 "
        "keeps 7: drop 16";
    return {
        bits_suspect("the lower half is cut off, which always rounds towards zero; the nearest is wanted",
                     [](std::uint32_t bits) { return bits & 0xFFFF0000U; }),
        bits_suspect(
            "a tie is rounded away from zero; of two equally near values the one whose last bit is 0 wins",
            [](std::uint32_t bits) { return (bits + 0x8000U) & 0xFFFF0000U; }),
        bits_suspect(
            "a tie is rounded towards zero; of two equally near values the one whose last bit is 0 wins",
            [](std::uint32_t bits) { return (bits + 0x7FFFU) & 0xFFFF0000U; }),
        bits_suspect("every value is rounded to the next one away from zero",
                     [](std::uint32_t bits) { return (bits + 0xFFFFU) & 0xFFFF0000U; }),
        bits_suspect(thirteen, [](std::uint32_t bits) { return carried(bits, 13) & 0xFFFFE000U; }),
        bits_suspect(thirteen, [](std::uint32_t bits) { return bits & 0xFFFFE000U; }),
        bits_suspect("subnormal numbers (below 1.2e-38) become 0; they are rounded like all others",
                     [](std::uint32_t bits) {
                         const bool subnormal = (bits & 0x7F800000U) == 0;
                         return subnormal ? bits & 0x80000000U : carried(bits, 16) & 0xFFFF0000U;
                     }),
        known("nothing is rounded", x)};
}

TEST(Step_4_5_round_to_bfloat16, equals_pytorch_bit_for_bit) {
    const Tensor x = golden()["bfloat16.x"];
    const float one = round_to_bfloat16(Tensor::from({1}, {1.0f})).item();
    const float pi = 3.14159265f, rounded = round_to_bfloat16(Tensor::from({1}, {pi})).item();
    // No suspect: an infinity would become NaN, which equals nothing.
    const bool left = std::bit_cast<std::uint32_t>(rounded) == carried(std::bit_cast<std::uint32_t>(pi), 16);
    EXPECT_TRUE(close(round_to_bfloat16(x), golden()["bfloat16.output"], {0, 0}, bfloat16_suspects(x)))
        << likely_if(left, "the lower 16 bits are not cleared: & 0xFFFF0000")
        << likely_if(!(one > 0.5f && one < 2.0f),
                     "the number is converted, not its bits: std::bit_cast gives the bits");
}

// As exact bits: a test of values would call 0 and -0 equal, and would see neither a lost tie nor a lost NaN.
TEST(Step_4_5_round_to_bfloat16, ties_go_to_the_even_neighbour_and_zeros_keep_their_sign) {
    const auto rounded = [](std::uint32_t bits) {
        const Tensor y = round_to_bfloat16(Tensor::from({1}, {std::bit_cast<float>(bits)}));
        return fmt::format("{:08x}", std::bit_cast<std::uint32_t>(y.item()));
    };
    const std::string down = rounded(0x3f808000U), up = rounded(0x3f818000U);
    EXPECT_EQ(down, "3f800000") << likely_if(down == "3f810000",
                                             "half way above an even value: it must go down");
    EXPECT_EQ(up, "3f820000") << likely_if(up == "3f810000", "half way above an odd value: it must go up");
    EXPECT_EQ(rounded(0xbf808000U), "bf800000");
    EXPECT_EQ(rounded(0x80000000U), "80000000") << likely_if(
        rounded(0x80000000U) == "00000000" && rounded(0x3f800000U) == "3f800000", "-0 loses its sign");
    const std::string largest = rounded(0x7f7fffffU);  // the largest float lies half a step beyond
    EXPECT_EQ(largest, "7f800000") << likely_if(
        largest == "7f7f0000",
        "the largest bfloat16 is given for what lies half a step or more beyond it; that must be infinity");
}

TEST(Step_4_5_round_to_bfloat16, nan_stays_nan) {
    bool whole = true;
    for (const std::uint32_t bits : {0x7FC00000U, 0x7F800001U, 0x7FFFFFFFU, 0xFF800001U, 0xFFFFFFFFU}) {
        const Tensor y = round_to_bfloat16(Tensor::from({1}, {std::bit_cast<float>(bits)}));
        EXPECT_TRUE(contains_nan(y)) << fmt::format("NaN with the bits {:08x} became {}", bits, y.item())
                                     << likely_if(
                                            true,
                                            "a carry, or the cut, turns NaN into infinity or zero: test for "
                                            "NaN first");
        whole = whole && (!contains_nan(y) || (std::bit_cast<std::uint32_t>(y.item()) & 0xFFFFU) == 0);
    }
    EXPECT_TRUE(whole) << "a NaN of the result is no bfloat16: its lower 16 bits are not 0"
                       << likely_if(true,
                                    "NaN is returned with its lower 16 bits: return "
                                    "std::numeric_limits<float>::quiet_NaN()");
    EXPECT_FALSE(contains_nan(round_to_bfloat16(Tensor::from({2}, {infinity, -infinity}))));
}

TEST(Step_4_5_round_to_bfloat16, the_error_is_at_most_half_a_step_and_twice_is_once) {
    const Tensor x = normal({40, 50}, 23, 0.0, 100.0);
    const Tensor y = round_to_bfloat16(x);
    EXPECT_TRUE(close(y, x, {std::pow(2.0, -8), 0}))
        << "8 significant bits: the relative error is at most 2^-8";
    EXPECT_TRUE(close(round_to_bfloat16(y), y, {0, 0}));
}

TEST(Step_4_5_round_to_bfloat16, the_gradient_passes_straight_through) {
    const Tensor x(normal({3, 4}, 24).array(), true), upstream = normal({3, 4}, 25);
    ASSERT_TRUE(send_back(round_to_bfloat16(x), upstream));
    EXPECT_TRUE(gradient_close("x", x, upstream, {0, 0}));
}

}  // namespace
}  // namespace tfs::test

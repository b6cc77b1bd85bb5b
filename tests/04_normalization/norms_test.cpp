// tests/04_normalization/norms_test.cpp · step norms: PyTorch's values, properties, diagnosis
#include "tests/04_normalization/checklist.hpp"

#include <cmath>
#include <string>
#include <vector>

#include "tests/support/close.hpp"
#include "tests/support/golden.hpp"
#include "tests/support/gradient.hpp"
#include "tests/support/inputs.hpp"
#include "tests/support/refusal.hpp"

namespace tfs::test {
namespace {

std::vector<Suspect> layer_norm_suspects(const Tensor& x, const Tensor& gamma, const Tensor& beta,
                                         float eps) {
    const auto scaled = [=](const Tensor& xhat) { return gamma * xhat + beta; };
    const auto row = [](const Tensor& parameter) { return slice(parameter, 0, 0, 1); };
    const Tensor centred = x - mean_of(x);
    const float sampled = of_a_sample(static_cast<double>(x.size(-1)));
    return {
        {"the variance is divided by n - 1; the formula divides by n",
         [=] { return scaled(centred / sqrt(variance_of(x) * sampled + eps)); }},
        {"mean and variance run over the sequence (axis -2); each token has its own, over its features (axis "
         "-1)",
         [=] { return scaled(normalised(x, eps, -2)); }},
        {"mean and variance run over the batch (axis 0); each token has its own, over its features (axis -1)",
         [=] { return scaled(normalised(x, eps, 0)); }},
        {"one mean and variance for the whole tensor; each token has its own",
         [=] { return scaled(reshape(normalised(reshape(x, {x.size()}), eps), x.shape())); }},
        {"one mean and variance for all tokens of a sentence; each token has its own",
         [=] {
             const Tensor sentences = reshape(x, {x.size(0), x.size() / x.size(0)});
             return scaled(reshape(normalised(sentences, eps), x.shape()));
         }},
        {"gamma and beta are swapped: gamma multiplies, beta is added",
         [=] { return beta * normalised(x, eps) + gamma; }},
        {"only the first entry of gamma and beta is used; each feature has its own",
         [=] { return row(gamma) * normalised(x, eps) + row(beta); }},
        {"gamma and beta are applied before normalising, which undoes most of them; they come after it",
         [=] { return normalised(gamma * x + beta, eps); }},
        {"gamma multiplies x before normalising, which undoes most of it; it comes after it",
         [=] { return normalised(gamma * x, eps) + beta; }},
        {"gamma multiplies x alone, not x - mean: gamma * (x - mean) needs its brackets",
         [=] { return (gamma * x - mean_of(x)) / deviation_of(x, eps) + beta; }},
        {"1 + gamma multiplies; it must be gamma itself, which starts as ones",
         [=] { return (1.0f + gamma) * normalised(x, eps) + beta; }},
        {"gamma also multiplies beta: gamma (xhat + beta); beta is added last",
         [=] { return gamma * (normalised(x, eps) + beta); }},
        {"gamma is not used", [=] { return normalised(x, eps) + beta; }},
        {"beta is not used", [=] { return gamma * normalised(x, eps); }},
        {"gamma and beta are not used", [=] { return normalised(x, eps); }},
        {"only the mean is divided by the deviation, not x: (x - mean) / deviation needs its brackets",
         [=] { return scaled(x - mean_of(x) / deviation_of(x, eps)); }},
        {"beta is divided by the deviation, too: it is added last",
         [=] { return (gamma * centred + beta) / deviation_of(x, eps); }},
        {"the mean is not subtracted", [=] { return scaled(x / deviation_of(x, eps)); }},
        {"the mean is subtracted but nothing is divided", [=] { return scaled(centred); }},
        {"this divides by the variance; divide by its root, the standard deviation",
         [=] { return scaled(centred / (variance_of(x) + eps)); }},
        {"the mean of x^2 is used in place of the variance, the mean of (x - mean)^2",
         [=] { return scaled(centred / rms_of(x, eps)); }},
        {"this divides by the root mean square of x: that is RMSNorm",
         [=] { return scaled(x / rms_of(x, eps)); }}};
}

// Those of eps can be told apart only where the variance is about as small as eps, and eps not as small as its square.
std::vector<Suspect> eps_suspects(const Tensor& x, const Tensor& gamma, const Tensor& beta, float eps) {
    const auto over = [=](const Tensor& deviation) { return gamma * ((x - mean_of(x)) / deviation) + beta; };
    const Tensor spread = variance_of(x);
    const float sampled = of_a_sample(static_cast<double>(x.size(-1)));
    return {{eps_outside_of_variance, [=] { return over(sqrt(spread) + eps); }},
            {"n - 1 and eps outside the root: this is (x - mean) / (std + eps), not the formula",
             [=] { return over(sqrt(spread * sampled) + eps); }},
            {eps_as_floor, [=] { return over(sqrt(maximum(spread, eps))); }},
            {eps_as_floor, [=] { return over(maximum(sqrt(spread), eps)); }},
            {eps_squared, [=] { return over(sqrt(spread + eps * eps)); }},
            {eps_fixed, [=] { return over(sqrt(spread + 1e-5f)); }},
            {"nothing is added to the variance: eps is not used, or added to x, where it changes no variance",
             [=] { return over(sqrt(spread)); }}};
}

TEST(norms, layer_norm_equals_pytorch) {
    const Tensor x = golden()["ordinary.x"], gamma = golden()["gamma"], beta = golden()["beta"];
    EXPECT_TRUE(close(layer_norm(x, gamma, beta, 1e-5f), golden()["layer_norm.ordinary.output"], {1e-5, 2e-6},
                      layer_norm_suspects(x, gamma, beta, 1e-5f)));
}

// Variances of about 1e-5, then from far below eps to above it.
TEST(norms, layer_norm_equals_pytorch_where_the_variance_is_as_small_as_eps) {
    const Tensor small = golden()["small.x"], gamma = golden()["gamma"], beta = golden()["beta"];
    EXPECT_TRUE(close(layer_norm(small, gamma, beta, 1e-5f), golden()["layer_norm.small.output"],
                      {1e-5, 2e-6}, layer_norm_suspects(small, gamma, beta, 1e-5f)));
    const Tensor x = normal({2, 3, 8}, 11) * Tensor::from({3, 1}, {0.03f, 0.5f, 2.0f});
    EXPECT_TRUE(close_named("with eps 0.25", layer_norm(x, gamma, beta, 0.25f),
                            gamma * normalised(x, 0.25f) + beta, {1e-5, 1e-5},
                            eps_suspects(x, gamma, beta, 0.25f)));
}

TEST(norms, layer_norm_sends_the_gradient_of_pytorch) {
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
        const Tensor grad_x = golden()[prefix + "grad_x"];
        const std::vector<Suspect> suspects{
            known(half_of_the_gradient, (grad_x + without(false, true)) * 0.5f),
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
        EXPECT_TRUE(gradient_close("x", x, grad_x, {1e-5, rows == "small" ? 1e-3 : 2e-6}, suspects));
        EXPECT_TRUE(gradient_close("gamma", gamma, golden()[prefix + "grad_gamma"], {1e-5, 4e-6}));
        EXPECT_TRUE(gradient_close("beta", beta, golden()[prefix + "grad_beta"], {1e-5, 2e-6}));
    }
}

// Entries near 10000 are rounded to 0.001, so their float mean may be wrong by that much: hence the tolerance.
TEST(norms, layer_norm_of_a_large_mean_does_not_cancel) {
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

TEST(norms, layer_norm_of_a_row_without_variance_gives_beta) {
    const Tensor x = Tensor::from({2, 4}, {3, 3, 3, 3, 0, 0, 0, 0}).set_requires_grad(true);
    const Tensor beta = Tensor::from({4}, {1, 2, 3, 4});
    const Tensor y = layer_norm(x, Tensor::ones({4}), beta, 1e-5f);
    EXPECT_TRUE(close(y, concat({reshape(beta, {1, 4}), reshape(beta, {1, 4})}, 0)))
        << likely_if(contains_nan(y),
                     "nothing is added to the variance: in a row of equal entries it is 0, and 0 / 0 is NaN");
    ASSERT_TRUE(send_back(y, normal({2, 4}, 1)));
    ASSERT_TRUE(x.has_grad());
    EXPECT_FALSE(contains_nan(Tensor(x.grad()))) << likely_if(
        !contains_nan(y), "eps must be added before the root is taken: at 0 its slope is infinite");
}

TEST(norms, layer_norm_forgets_a_shift_and_a_stretch_of_a_row) {
    const Tensor x = normal({3, 5, 33}, 2), one = Tensor::ones({33}), zero = Tensor::zeros({33});
    const Tensor y = layer_norm(x, one, zero, 0.0f);
    ASSERT_TRUE(has_shape(y, x.shape()));
    EXPECT_TRUE(close_named("mean of each row", mean(y, -1), Tensor::zeros({3, 5}), {0, 1e-6}));
    EXPECT_TRUE(close_named("variance of each row", variance(y, -1), Tensor::ones({3, 5}), {1e-5, 0}));
    EXPECT_TRUE(
        close_named("3 x + 5 against x", layer_norm(x * 3.0f + 5.0f, one, zero, 0.0f), y, {1e-4, 1e-5}));
}

TEST(norms, layer_norm_of_a_token_does_not_depend_on_the_others) {
    const Tensor x = normal({2, 3, 8}, 3), gamma = golden()["gamma"], beta = golden()["beta"];
    const Tensor together = layer_norm(x, gamma, beta);
    ASSERT_TRUE(has_shape(together, x.shape()));
    for (std::size_t b = 0; b < 2; ++b) {
        const Tensor alone = layer_norm(slice(x, 0, b, b + 1), gamma, beta);
        EXPECT_TRUE(close_named("a sentence alone", alone, slice(together, 0, b, b + 1), {0, 0}));
    }
}

TEST(norms, layer_norm_keeps_all_axes_in_front_of_the_features) {
    expect_axes_in_front_to_stay(
        [](const Tensor& x) { return layer_norm(x, golden()["gamma"], golden()["beta"]); });
}

// Large enough for several threads and blocks of rows; a width that is no multiple of a vector's.
TEST(norms, layer_norm_of_many_rows_equals_the_formula_in_value_and_gradient) {
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

TEST(norms, layer_norm_has_the_gradient_of_finite_differences_for_who_asks) {
    EXPECT_TRUE(gradients_match([](const std::vector<Tensor>& in) { return layer_norm(in[0], in[1], in[2]); },
                                {normal({3, 6}, 8), normal({6}, 9), normal({6}, 10)}));
    const Tensor x = normal({3, 6}, 8), gamma = normal({6}, 9), beta = Tensor(normal({6}, 10).array(), true);
    ASSERT_TRUE(send_back(layer_norm(x, gamma, beta), Tensor::ones({3, 6})));
    EXPECT_FALSE(x.has_grad() || gamma.has_grad());
    EXPECT_TRUE(gradient_close("beta", beta, Tensor::full({6}, 3.0f)));
}

TEST(norms, layer_norm_as_a_module_starts_as_plain_normalisation_and_learns_both) {
    const LayerNorm norm(8);
    EXPECT_FLOAT_EQ(norm.eps, 1e-5f);
    const Parameters parameters = norm.parameters();
    ASSERT_EQ(parameters.size(), 2u);
    EXPECT_EQ(parameters[0].name + " " + parameters[1].name, "gamma beta");
    EXPECT_TRUE(norm.gamma.requires_grad() && norm.beta.requires_grad());
    EXPECT_TRUE(close(norm.gamma, Tensor::ones({8}), {0, 0}));
    EXPECT_TRUE(close(norm.beta, Tensor::zeros({8}), {0, 0}));
    // Rows of variances near 1e-5, near 1, and above: what is done with eps can be seen.
    const Tensor x = normal({2, 3, 8}, 11) * Tensor::from({3, 1}, {0.003f, 0.5f, 2.0f});
    EXPECT_TRUE(close(norm(x), normalised(x, 1e-5f), {1e-5, 1e-5}));
    EXPECT_TRUE(close_named("with eps 0.25", LayerNorm(8, 0.25f)(x), normalised(x, 0.25f), {1e-5, 1e-5},
                            eps_suspects(x, norm.gamma, norm.beta, 0.25f)));
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
            {"the root is missing: x is divided by the mean of its squares",
             [=] { return gamma * (x / (mean_of(x * x) + eps)); }},
            {"gamma is not used", [=] { return x / rms_of(x, eps); }},
            {"1 + gamma multiplies, as in Gemma; here it is gamma itself, which starts as ones",
             [=] { return (1.0f + gamma) * (x / rms_of(x, eps)); }},
            {"gamma is applied before normalising; it comes after it",
             [=] { return gamma * x / rms_of(gamma * x, eps); }},
            {"gamma is below the line: x / (gamma rms); it multiplies",
             [=] { return x / (gamma * rms_of(x, eps)); }},
            {"the mean is squared; RMSNorm takes the mean of the squares",
             [=] { return gamma * (x / sqrt(mean_of(x) * mean_of(x) + eps)); }},
            {"the squares are divided by n - 1; their mean is their sum divided by n",
             [=] { return gamma * (x / sqrt(squares / (n - 1.0f) + eps)); }},
            {"the sum of the squares is divided by the number of positions, x.size(1); it must be d_model, "
             "x.size(-1)",
             [=] { return gamma * (x / sqrt(squares / static_cast<float>(x.size(1)) + eps)); }},
            {"the root is taken of each square, before their mean: this is the mean of |x|",
             [=] { return gamma * (x / mean_of(sqrt(x * x + eps))); }},
            {"one mean of the squares for all tokens of a sentence; each token has its own",
             [=] {
                 const Tensor sentences = reshape(x, {x.size(0), x.size() / x.size(0)});
                 return gamma * reshape(sentences / rms_of(sentences, eps), x.shape());
             }},
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

// Those of eps can be told apart only where the mean square is about as small as eps, and eps not as small as its
// square.
std::vector<Suspect> eps_suspects(const Tensor& x, const Tensor& gamma, float eps) {
    const auto over = [=](const Tensor& root) { return gamma * (x / root); };
    const Tensor mean_square = mean_of(x * x), length = sqrt(sum(x * x, -1, KeepDims::yes));
    const float root_n = std::sqrt(static_cast<float>(x.size(-1)));
    return {{"eps is added outside the root; the formula has it inside: sqrt(mean of x^2 + eps)",
             [=] { return over(sqrt(mean_square) + eps); }},
            {eps_as_floor, [=] { return over(sqrt(maximum(mean_square, eps))); }},
            {eps_as_floor, [=] { return over(maximum(sqrt(mean_square), eps)); }},
            {eps_as_floor, [=] { return over(maximum(length, eps) / root_n); }},
            {"eps is added to the sum of the squares, and so divided by d_model; it is added to their mean",
             [=] { return over(sqrt(length * length + eps) / root_n); }},
            {eps_squared, [=] { return over(sqrt(mean_square + eps * eps)); }},
            {eps_fixed, [=] { return over(sqrt(mean_square + 1e-6f)); }},
            {"eps is not used", [=] { return over(sqrt(mean_square)); }}};
}

TEST(norms, rms_norm_equals_pytorch) {
    for (const std::string rows : {"ordinary", "small"}) {  // small: a mean square of about eps
        const Tensor x = golden()[rows + ".x"], gamma = golden()["gamma"];
        EXPECT_TRUE(close(rms_norm(x, gamma, 1e-5f), golden()["rms_norm." + rows + ".output"], {1e-5, 2e-6},
                          rms_norm_suspects(x, gamma, 1e-5f)));
    }
    // Mean squares from far below eps to above it.
    const Tensor x = normal({2, 3, 8}, 20) * Tensor::from({3, 1}, {0.03f, 0.5f, 2.0f});
    const Tensor gamma = golden()["gamma"];
    EXPECT_TRUE(close_named("with eps 0.25", rms_norm(x, gamma, 0.25f), gamma * (x / rms_of(x, 0.25f)),
                            {1e-5, 1e-6}, eps_suspects(x, gamma, 0.25f)));
}

TEST(norms, rms_norm_sends_the_gradient_of_pytorch) {
    for (const std::string rows : {"ordinary", "small"}) {
        const Tensor x = leaf(rows + ".x"), gamma = leaf("gamma");
        const std::string prefix = "rms_norm." + rows + ".";
        const Tensor upstream = golden()[prefix + "grad_weights"];
        const Tensor grad_x = golden()[prefix + "grad_x"];
        const Tensor cut = gradient_through(
            [&](const Tensor& t) { return gamma.detach() * (t / rms_of(t, 1e-5f).detach()); }, x, upstream);
        ASSERT_TRUE(send_back(rms_norm(x, gamma, 1e-5f), upstream));
        EXPECT_TRUE(gradient_close(
            "x", x, grad_x, {1e-5, rows == "small" ? 1e-3 : 2e-6},
            {known(half_of_the_gradient, (grad_x + cut) * 0.5f),
             known("the root mean square is detached: it depends on every entry of the row", cut)}));
        EXPECT_TRUE(gradient_close("gamma", gamma, golden()[prefix + "grad_gamma"], {1e-5, 4e-6}));
    }
}

TEST(norms, rms_norm_forgets_a_stretch_of_a_row_and_not_a_shift) {
    const Tensor x = normal({3, 5, 33}, 12), one = Tensor::ones({33});
    const Tensor y = rms_norm(x, one, 0.0f);
    ASSERT_TRUE(has_shape(y, x.shape()));
    EXPECT_TRUE(close_named("mean of the squares", mean(y * y, -1), Tensor::ones({3, 5}), {1e-5, 0}));
    EXPECT_TRUE(close_named("3 x against x", rms_norm(x * 3.0f, one, 0.0f), y, {1e-5, 1e-6}));
    EXPECT_FALSE(close(rms_norm(x + 5.0f, one, 0.0f), y, {1e-2, 1e-2}))
        << likely_if(true, "the mean is subtracted; RMSNorm subtracts nothing");
}

TEST(norms, rms_norm_of_a_row_of_zeros_gives_zeros) {
    const Tensor x = Tensor::zeros({2, 4}).set_requires_grad(true);
    const Tensor y = rms_norm(x, Tensor::ones({4}), 1e-6f);
    EXPECT_TRUE(close(y, Tensor::zeros({2, 4})))
        << likely_if(contains_nan(y), "eps is missing: 0 / 0 is NaN in a row of zeros");
    ASSERT_TRUE(send_back(y, Tensor::ones({2, 4})));
    EXPECT_TRUE(gradient_close("x", x, Tensor::full({2, 4}, 1000.0f), {1e-4, 0}));  // 1 / sqrt(eps)
}

TEST(norms, rms_norm_keeps_all_axes_in_front_of_the_features) {
    expect_axes_in_front_to_stay([](const Tensor& x) { return rms_norm(x, golden()["gamma"]); });
}

TEST(norms, rms_norm_of_many_rows_equals_the_formula_in_value_and_gradient) {
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

TEST(norms, rms_norm_has_the_gradient_of_finite_differences_for_who_asks) {
    EXPECT_TRUE(gradients_match([](const std::vector<Tensor>& in) { return rms_norm(in[0], in[1]); },
                                {normal({3, 6}, 16), normal({6}, 17)}));
    const Tensor x(normal({3, 6}, 18).array(), true), gamma = normal({6}, 19);
    ASSERT_TRUE(send_back(rms_norm(x, gamma), Tensor::ones({3, 6})));
    EXPECT_TRUE(x.has_grad() && !gamma.has_grad());
}

TEST(norms, rms_norm_as_a_module_has_one_parameter_and_refuses_what_makes_no_sense) {
    // Rows of mean squares near 1e-6, near 1, and above: what is done with eps can be seen.
    const Tensor x = normal({2, 3, 8}, 20) * Tensor::from({3, 1}, {0.001f, 0.5f, 2.0f});
    const RMSNorm norm(8);
    EXPECT_TRUE(close(norm(x), x / rms_of(x, 1e-6f), {1e-5, 1e-6}));
    EXPECT_TRUE(close_named("with eps 0.25", RMSNorm(8, 0.25f)(x), x / rms_of(x, 0.25f), {1e-5, 1e-6},
                            eps_suspects(x, norm.gamma, 0.25f)));
    ASSERT_EQ(norm.parameters().size(), 1u);
    EXPECT_EQ(norm.parameters()[0].name, "gamma");
    EXPECT_TRUE(norm.gamma.requires_grad());
    EXPECT_TRUE(
        refuses<ShapeError>([&] { return rms_norm(x, Tensor::ones({7})); }, {"gamma (7)", "(2, 3, 8)"}));
    EXPECT_TRUE(refuses<ValueError>([&] { return rms_norm(x, Tensor::ones({8}), -1.0f); }, {"eps = -1"}));
    EXPECT_TRUE(refuses<ValueError>([&] { return RMSNorm(0); }, {"RMSNorm", "width of 0"}));
}

}  // namespace
}  // namespace tfs::test

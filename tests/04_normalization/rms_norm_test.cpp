// tests/04_normalization/rms_norm_test.cpp · step rms_norm: PyTorch's values, properties, diagnosis
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

TEST(rms_norm, equals_pytorch) {
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

TEST(rms_norm, sends_the_gradient_of_pytorch) {
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

TEST(rms_norm, a_stretch_of_a_row_changes_nothing_but_a_shift_does) {
    const Tensor x = normal({3, 5, 33}, 12), one = Tensor::ones({33});
    const Tensor y = rms_norm(x, one, 0.0f);
    ASSERT_TRUE(has_shape(y, x.shape()));
    EXPECT_TRUE(close_named("mean of the squares", mean(y * y, -1), Tensor::ones({3, 5}), {1e-5, 0}));
    EXPECT_TRUE(close_named("3 x against x", rms_norm(x * 3.0f, one, 0.0f), y, {1e-5, 1e-6}));
    EXPECT_FALSE(close(rms_norm(x + 5.0f, one, 0.0f), y, {1e-2, 1e-2}))
        << likely_if(true, "the mean is subtracted; RMSNorm subtracts nothing");
}

TEST(rms_norm, a_row_of_zeros_gives_zeros) {
    const Tensor x = Tensor::zeros({2, 4}).set_requires_grad(true);
    const Tensor y = rms_norm(x, Tensor::ones({4}), 1e-6f);
    EXPECT_TRUE(close(y, Tensor::zeros({2, 4})))
        << likely_if(contains_nan(y), "eps is missing: 0 / 0 is NaN in a row of zeros");
    ASSERT_TRUE(send_back(y, Tensor::ones({2, 4})));
    EXPECT_TRUE(gradient_close("x", x, Tensor::full({2, 4}, 1000.0f), {1e-4, 0}));  // 1 / sqrt(eps)
}

TEST(rms_norm, keeps_all_axes_in_front_of_the_features) {
    expect_axes_in_front_to_stay([](const Tensor& x) { return rms_norm(x, golden()["gamma"]); });
}

TEST(rms_norm, many_rows_equal_the_formula_in_value_and_gradient) {
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

TEST(rms_norm, its_gradient_equals_finite_differences_and_reaches_only_who_asks) {
    EXPECT_TRUE(gradients_match([](const std::vector<Tensor>& in) { return rms_norm(in[0], in[1]); },
                                {normal({3, 6}, 16), normal({6}, 17)}));
    const Tensor x(normal({3, 6}, 18).array(), true), gamma = normal({6}, 19);
    ASSERT_TRUE(send_back(rms_norm(x, gamma), Tensor::ones({3, 6})));
    EXPECT_TRUE(x.has_grad() && !gamma.has_grad());
}

TEST(rms_norm, the_module_has_one_parameter_and_refuses_what_makes_no_sense) {
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

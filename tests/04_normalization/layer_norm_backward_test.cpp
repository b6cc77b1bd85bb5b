// tests/04_normalization/layer_norm_backward_test.cpp · step layer_norm_backward: PyTorch's values, the tape's, finite differences, diagnosis
#include <cmath>
#include <functional>
#include <string>
#include <vector>

#include "tests/04_normalization/checklist.hpp"
#include "tests/support/close.hpp"
#include "tests/support/golden.hpp"
#include "tests/support/inputs.hpp"
#include "tests/support/refusal.hpp"

namespace tfs::test {
namespace {

constexpr float eps = 1e-5f;

// One case: what comes in, and the terms of which right and wrong answers are made.
struct Case {
    Tensor x, gamma, dy;             // (tokens, d_model), (d_model), (tokens, d_model)
    Tensor x_hat, rstd, g;           // g = gamma dy
    Tensor along_ones, along_x_hat;  // the means of g and of g x_hat over each row: (tokens, 1)

    Case(const Tensor& rows, const Tensor& scale, const Tensor& upstream)
        : x(rows), gamma(scale), dy(upstream) {
        x_hat = normalised(x, eps);
        rstd = 1.0f / deviation_of(x, eps);
        g = gamma * dy;
        along_ones = mean_of(g);
        along_x_hat = mean_of(g * x_hat);
    }
    [[nodiscard]] LayerNormGradients gradients() const {
        return layer_norm_backward(normalised_rows(x.array(), eps), gamma.array(), dy.array());
    }
    [[nodiscard]] Tensor right() const { return rstd * (g - along_ones - x_hat * along_x_hat); }
};

std::vector<Suspect> x_suspects(const Case& c) {
    const auto n = static_cast<float>(c.x.size(-1));
    const Tensor of_dy_ones = mean_of(c.dy), of_dy_x_hat = mean_of(c.dy * c.x_hat);
    return {
        {"the ways through the mean and through the deviation are missing: both depend on every entry of "
         "the row",
         [=] { return c.rstd * c.g; }},
        {"the way through the deviation is missing: the deviation depends on every entry of the row",
         [=] { return c.rstd * (c.g - c.along_ones); }},
        {"the way through the mean is missing: the mean depends on every entry of the row",
         [=] { return c.rstd * (c.g - c.x_hat * c.along_x_hat); }},
        {"what goes through the mean is added; a larger mean makes each output smaller",
         [=] { return c.rstd * (c.g + c.along_ones - c.x_hat * c.along_x_hat); }},
        {"what goes through the deviation is added; a larger deviation brings each output nearer to 0",
         [=] { return c.rstd * (c.g - c.along_ones + c.x_hat * c.along_x_hat); }},
        {"both ways are added: a larger mean makes each output smaller, and a larger deviation brings it "
         "nearer to 0",
         [=] { return c.rstd * (c.g + c.along_ones + c.x_hat * c.along_x_hat); }},
        {"the two means are divided by d_model once more",
         [=] { return c.rstd * (c.g - (c.along_ones + c.x_hat * c.along_x_hat) / n); }},
        {"the whole gradient of x is divided by d_model; only the two means must be divided by it, and the "
         "code that is given does that already",
         [=] { return c.right() / n; }},
        {"one of the two means is divided by d_model once more: that of g",
         [=] { return c.rstd * (c.g - c.along_ones / n - c.x_hat * c.along_x_hat); }},
        {"one of the two means is divided by d_model once more: that of g x_hat",
         [=] { return c.rstd * (c.g - c.along_ones - c.x_hat * c.along_x_hat / n); }},
        {"the way through the deviation divides by d_model - 1; it must divide by d_model, and mean_g_x_hat, "
         "which is given, is divided by it already",
         [=] { return c.rstd * (c.g - c.along_ones - c.x_hat * c.along_x_hat * n / (n - 1.0f)); }},
        {"gamma multiplies twice: g = gamma dy has it already", [=] { return c.gamma * c.right(); }},
        {"gamma multiplies the two means, too: they are of g = gamma dy, which has it already",
         [=] { return c.rstd * c.gamma * (c.dy - c.along_ones - c.x_hat * c.along_x_hat); }},
        {"each entry has its own g x_hat; it must be the mean of g x_hat over the row",
         [=] { return c.rstd * (c.g - c.along_ones - c.x_hat * c.x_hat * c.g); }},
        {"the mean of g x_hat is multiplied by g and by x_hat; x_hat alone must multiply it",
         [=] { return c.rstd * (c.g - c.along_ones - c.g * c.x_hat * c.along_x_hat); }},
        {"g stands where x_hat multiplies the second mean",
         [=] { return c.rstd * (c.g - c.along_ones - c.g * c.along_x_hat); }},
        {"the way through the deviation has rstd three times: that belongs to x - mean; x_hat is divided "
         "already",
         [=] { return c.rstd * (c.g - c.along_ones) - c.rstd * c.rstd * c.rstd * c.x_hat * c.along_x_hat; }},
        {"the sums over the row are not divided by d_model",
         [=] { return c.rstd * (c.g - c.along_ones * n - c.x_hat * (c.along_x_hat * n)); }},
        {"one sum over the row is not divided by d_model: that of g",
         [=] { return c.rstd * (c.g - c.along_ones * n - c.x_hat * c.along_x_hat); }},
        {"one sum over the row is not divided by d_model: that of g x_hat",
         [=] { return c.rstd * (c.g - c.along_ones - c.x_hat * (c.along_x_hat * n)); }},
        {"gamma is not used: the gradient at x_hat is gamma dy",
         [=] { return c.rstd * (c.dy - of_dy_ones - c.x_hat * of_dy_x_hat); }},
        {"gamma is missing in the direct way: it takes g = gamma dy, as the two means do",
         [=] { return c.rstd * (c.dy - c.along_ones - c.x_hat * c.along_x_hat); }},
        {"the two means are exchanged: x_hat multiplies that of g x_hat",
         [=] { return c.rstd * (c.g - c.x_hat * c.along_ones - c.along_x_hat); }},
        {"gamma is used for the direct way only: the two sums take gamma dy, too",
         [=] { return c.rstd * (c.g - of_dy_ones - c.x_hat * of_dy_x_hat); }},
        {"gamma multiplies at the end; it belongs to dy, before the two sums over the row",
         [=] { return c.gamma * (c.rstd * (c.dy - of_dy_ones - c.x_hat * of_dy_x_hat)); }},
        {"nothing is divided by the deviation: rstd is not used",
         [=] { return c.g - c.along_ones - c.x_hat * c.along_x_hat; }},
        {"rstd multiplies the direct way only: all three ways pass the division",
         [=] { return c.rstd * c.g - c.along_ones - c.x_hat * c.along_x_hat; }},
        {"rstd does not multiply the way through the deviation: all three ways pass the division",
         [=] { return c.rstd * (c.g - c.along_ones) - c.x_hat * c.along_x_hat; }},
        {"rstd does not multiply the way through the mean: all three ways pass the division",
         [=] { return c.rstd * (c.g - c.x_hat * c.along_x_hat) - c.along_ones; }},
        {"this multiplies by the deviation; rstd is its reciprocal already",
         [=] { return (c.g - c.along_ones - c.x_hat * c.along_x_hat) / c.rstd; }},
        {"the sum takes g times x; it takes g times x_hat",
         [=] { return c.rstd * (c.g - c.along_ones - c.x_hat * mean_of(c.g * c.x)); }},
        {"the sum of g x_hat is divided by the squares of x_hat; divide by d_model: eps makes them smaller",
         [=] {
             return c.rstd * (c.g - c.along_ones - c.x_hat * (c.along_x_hat / mean_of(c.x_hat * c.x_hat)));
         }},
        {"the way through the deviation counts twice: the 2 of the square and the 1/2 of the root cancel",
         [=] { return c.rstd * (c.g - c.along_ones - c.x_hat * (c.along_x_hat * 2.0f)); }},
        {"half of the way through the deviation is missing: the 2 of the square and the 1/2 of the root "
         "cancel",
         [=] { return c.rstd * (c.g - c.along_ones - c.x_hat * (c.along_x_hat * 0.5f)); }},
        {"the way through the deviation is divided by the deviation once too often: x_hat is divided already",
         [=] { return c.rstd * (c.g - c.along_ones - c.x_hat * (c.along_x_hat * c.rstd)); }},
        {"x_hat is used once only: it stands in the sum, and it also multiplies the sum",
         [=] { return c.rstd * (c.g - c.along_ones - c.along_x_hat); }}};
}

std::vector<Suspect> gamma_suspects(const Case& c) {
    const auto tokens = static_cast<float>(c.x.size(0));
    const std::size_t last = c.x.size(0) - 1;
    return {{"the gradient of gamma takes dy times x; y is gamma times x_hat",
             [=] { return sum(c.dy * c.x, 0); }},
            {"dy x_hat is multiplied by rstd; the gradient of gamma must take dy x_hat alone: x_hat is "
             "divided by the deviation already",
             [=] { return sum(c.dy * c.x_hat * c.rstd, 0); }},
            {"dy x_hat is divided by rstd; the gradient of gamma must take dy x_hat alone: y is gamma x_hat "
             "+ beta",
             [=] { return sum(c.dy * c.x_hat / c.rstd, 0); }},
            {"the gradient of gamma takes gamma dy; gamma is what it asks for, and does not count",
             [=] { return sum(c.g * c.x_hat, 0); }},
            {"only the last token's part is there: all tokens share gamma and beta, and their parts add up",
             [=] { return reshape(slice(c.dy * c.x_hat, 0, last, last + 1), {c.x.size(1)}); }},
            {"this is the mean over the tokens; what they send to gamma and beta adds up",
             [=] { return sum(c.dy * c.x_hat, 0) / tokens; }},
            {"the gradients of gamma and beta are exchanged", [=] { return sum(c.dy, 0); }},
            {"gamma has got no gradient", [=] { return Tensor::zeros({c.x.size(1)}); }}};
}

std::vector<Suspect> beta_suspects(const Case& c) {
    const auto tokens = static_cast<float>(c.x.size(0));
    const std::size_t last = c.x.size(0) - 1;
    return {{"the gradient of beta takes gamma dy; y is beta plus something without beta, so it is dy alone",
             [=] { return sum(c.g, 0); }},
            {"only the last token's part is there: all tokens share gamma and beta, and their parts add up",
             [=] { return reshape(slice(c.dy, 0, last, last + 1), {c.x.size(1)}); }},
            {"this is the mean over the tokens; what they send to gamma and beta adds up",
             [=] { return sum(c.dy, 0) / tokens; }},
            {"the gradients of gamma and beta are exchanged", [=] { return sum(c.dy * c.x_hat, 0); }},
            {"beta has got no gradient", [=] { return Tensor::zeros({c.x.size(1)}); }}};
}

void expect_gradients(const Case& c, const Tensor& x, const Tensor& gamma, const Tensor& beta,
                      Tolerance tolerance, const std::vector<Suspect>& of_x) {
    const LayerNormGradients found = c.gradients();
    EXPECT_TRUE(close_named("gradient of x", Tensor(found.x), x, tolerance, of_x));
    EXPECT_TRUE(close_named("gradient of gamma", Tensor(found.gamma), gamma, tolerance, gamma_suspects(c)));
    EXPECT_TRUE(close_named("gradient of beta", Tensor(found.beta), beta, tolerance, beta_suspects(c)));
}

void expect_gradients(const Case& c, const Tensor& x, const Tensor& gamma, const Tensor& beta,
                      Tolerance tolerance) {
    expect_gradients(c, x, gamma, beta, tolerance, x_suspects(c));
}

Case golden_case(const std::string& rows) {
    const Tensor x = golden()[rows + ".x"], dy = golden()["layer_norm." + rows + ".grad_weights"];
    const Shape all{x.size() / x.size(-1), x.size(-1)};
    return {reshape(x, all), golden()["gamma"], reshape(dy, all)};
}

TEST(layer_norm_backward, equals_pytorch) {
    const Case c = golden_case("ordinary");
    expect_gradients(c, reshape(golden()["layer_norm.ordinary.grad_x"], c.x.shape()),
                     golden()["layer_norm.ordinary.grad_gamma"], golden()["layer_norm.ordinary.grad_beta"],
                     {1e-5, 4e-6});
}

// There eps is as large as the variance, and entries of the gradient grow 300-fold on the way back.
TEST(layer_norm_backward, equals_pytorch_where_the_variance_is_as_small_as_eps) {
    const Case c = golden_case("small");
    expect_gradients(c, reshape(golden()["layer_norm.small.grad_x"], c.x.shape()),
                     golden()["layer_norm.small.grad_gamma"], golden()["layer_norm.small.grad_beta"],
                     {1e-5, 1e-3});
}

// On paper: x = (-1, 5, 5, 7), gamma 1, and 4 arrives at the last feature. x_hat = (-5, 1, 1, 3) / 3. Several wrong answers agree
// here, where one entry of g is not 0: it names none.
TEST(layer_norm_backward, of_the_row_of_the_lesson) {
    const Case c(Tensor::from({1, 4}, {-1, 5, 5, 7}), Tensor::ones({4}), Tensor::from({1, 4}, {0, 0, 0, 4}));
    expect_gradients(c, Tensor::from({1, 4}, {2, -4, -4, 6}) / 9.0f, Tensor::from({4}, {0, 0, 0, 4}),
                     Tensor::from({4}, {0, 0, 0, 4}), {1e-4, 1e-5}, {});
}

TEST(layer_norm_backward, equals_the_tape_for_many_rows) {
    const Case c(normal({67, 131}, 30, 2.0, 3.0), normal({131}, 31, 1.0), normal({67, 131}, 32));
    const Tensor x(c.x.array(), true), gamma(c.gamma.array(), true), beta(normal({131}, 33).array(), true);
    const Tensor y = gamma * normalised(x, eps) + beta;
    sum(y * c.dy).backward();
    expect_gradients(c, Tensor(x.grad()), Tensor(gamma.grad()), Tensor(beta.grad()), {1e-4, 1e-4});
}

// The loss sum(dy y) in double, as a function of one entry of x, gamma or beta, moved up and down by h.
TEST(layer_norm_backward, equals_finite_differences) {
    const Case c(normal({3, 6}, 34), normal({6}, 35), normal({3, 6}, 36));
    using Numbers = std::vector<double>;
    const auto numbers = [](const Tensor& t) { return Numbers(t.values().begin(), t.values().end()); };
    const Numbers dy = numbers(c.dy);
    const auto loss = [&](const Numbers& x, const Numbers& gamma, const Numbers& beta) {
        double sum = 0.0;
        for (std::size_t t = 0; t < 3; ++t) {
            double mean = 0.0, variance = 0.0;
            for (std::size_t i = 0; i < 6; ++i) mean += x[6 * t + i] / 6.0;
            for (std::size_t i = 0; i < 6; ++i) variance += std::pow(x[6 * t + i] - mean, 2) / 6.0;
            for (std::size_t i = 0; i < 6; ++i)
                sum += dy[6 * t + i] *
                       (gamma[i] * (x[6 * t + i] - mean) / std::sqrt(variance + double{eps}) + beta[i]);
        }
        return sum;
    };
    const auto slopes = [](Numbers at, const std::function<double(const Numbers&)>& f, const Shape& shape) {
        constexpr double h = 1e-5;
        Array result = Array::from_shape(shape);
        for (std::size_t i = 0; i < at.size(); ++i) {
            const double kept = at[i];
            at[i] = kept + h;
            const double above = f(at);
            at[i] = kept - h;
            result.data()[i] = static_cast<float>((above - f(at)) / (2.0 * h));
            at[i] = kept;
        }
        return Tensor(result);
    };
    const Numbers x = numbers(c.x), gamma = numbers(c.gamma), beta(6, 0.5);
    expect_gradients(c, slopes(x, [&](const Numbers& at) { return loss(at, gamma, beta); }, {3, 6}),
                     slopes(gamma, [&](const Numbers& at) { return loss(x, at, beta); }, {6}),
                     slopes(beta, [&](const Numbers& at) { return loss(x, gamma, at); }, {6}), {1e-4, 1e-4});
}

TEST(layer_norm_backward, has_no_part_along_what_layer_norm_does_not_see) {
    const Case c(normal({5, 33}, 37, 1.0, 2.0), normal({33}, 38), normal({5, 33}, 39));
    const Tensor x(c.gradients().x);
    ASSERT_TRUE(has_shape(x, {5, 33}));
    EXPECT_GT(sum(x * x).item(), 0.1f) << "the gradient of x is 0";
    EXPECT_TRUE(
        close_named("sum of each row, along a shift", sum(x, -1), Tensor::zeros({5}), {0, 1e-4},
                    {{"the way through the mean is missing: the mean depends on every entry of the row",
                      [=] { return sum(c.rstd * (c.g - c.x_hat * c.along_x_hat), -1); }}}));
    EXPECT_TRUE(close_named("sum of each row times x_hat, along a stretch", sum(x * c.x_hat, -1),
                            Tensor::zeros({5}), {0, 1e-4}));
}

TEST(layer_norm_backward, of_a_row_does_not_depend_on_the_other_rows) {
    const Case c(normal({4, 7}, 40), normal({7}, 41), normal({4, 7}, 42));
    const Tensor together(c.gradients().x);
    ASSERT_TRUE(has_shape(together, {4, 7}));
    for (std::size_t t = 0; t < 4; ++t) {
        const Case alone(slice(c.x, 0, t, t + 1), c.gamma, slice(c.dy, 0, t, t + 1));
        EXPECT_TRUE(close_named("row " + std::to_string(t) + " alone", Tensor(alone.gradients().x),
                                slice(together, 0, t, t + 1)))
            << likely_if(t > 0, "a sum goes on from row to row: it starts at 0 in each");
    }
}

TEST(layer_norm_backward, refuses_what_does_not_fit) {
    const Case c(normal({2, 4}, 43), normal({4}, 44), normal({2, 4}, 45));
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

// tests/06_residual_dropout/residual_test.cpp · step residual: PyTorch's values, properties
#include <gtest/gtest.h>

#include <functional>
#include <string>
#include <utility>

#include "tests/06_residual_dropout/checklist.hpp"
#include "tests/support/close.hpp"
#include "tests/support/golden.hpp"

namespace tfs::test {
namespace {

// The sublayer w2(tanh(w1(x))) and the LayerNorm of the golden values, and how often each was called.
struct Parts {
    Tensor x = leaf("x"), gamma = leaf("gamma"), beta = leaf("beta");
    Tensor w1 = leaf("w1.weight"), b1 = leaf("w1.bias"), w2 = leaf("w2.weight"), b2 = leaf("w2.bias");
    int sublayer_calls = 0, norm_calls = 0;

    Sublayer sublayer() {
        return [this](const Tensor& t) {
            ++sublayer_calls;
            return linear(tanh(linear(t, w1, &b1)), w2, &b2);
        };
    }

    Sublayer norm() {
        return [this](const Tensor& t) {
            ++norm_calls;
            const Tensor centred = t - mean(t, -1, KeepDims::yes);
            return centred / sqrt(variance(t, -1, KeepDims::yes) + 1e-5f) * gamma + beta;
        };
    }
};

using Form = std::function<Tensor(Parts&, double, Rng*)>;

// Value and all gradients against PyTorch, in training and in evaluation.
void expect_golden(const std::string& name, const Form& form, bool training) {
    Parts parts;
    Rng rng(21);
    const std::string prefix = name + (training ? ".training." : ".evaluation.");
    const Tensor y = form(parts, golden_p, training ? &rng : nullptr);
    EXPECT_TRUE(close(y, golden()[prefix + "output"], {1e-5, 1e-6}));
    ASSERT_TRUE(send_back(y, golden()[prefix + "grad_weights"]));
    for (const auto& [input, tensor] :
         {std::pair("x", parts.x), std::pair("w1.weight", parts.w1), std::pair("w1.bias", parts.b1),
          std::pair("w2.weight", parts.w2), std::pair("w2.bias", parts.b2), std::pair("gamma", parts.gamma),
          std::pair("beta", parts.beta)}) {
        if (!golden().contains(prefix + "grad_" + input)) continue;
        EXPECT_TRUE(gradient_close(input, tensor, golden()[prefix + "grad_" + input], {1e-4, 1e-5}));
    }
}

// The sublayer must be called once, the norm so often.
void expect_calls(const Form& form, int norms) {
    Parts parts;
    form(parts, 0.0, nullptr);
    EXPECT_EQ(parts.sublayer_calls, 1) << "calls of the sublayer: each costs its whole work again";
    EXPECT_EQ(parts.norm_calls, norms) << "calls of the norm";
}

// A result of another shape must be refused, also one that `+` would broadcast.
void expect_shapes_refused(const std::function<Tensor(const Tensor&, const Sublayer&)>& call) {
    const Tensor x = normal({2, 4, 6}, 9);
    EXPECT_TRUE(close(call(x, [](const Tensor& t) { return t * 0.5f; }), x * 1.5f));
    for (const Shape& shape :
         {Shape{2, 4, 5}, Shape{2, 4, 1}, Shape{6}, Shape{3, 2, 4, 6}, Shape{1, 2, 4, 6}, Shape{4, 2, 6}})
        EXPECT_TRUE(refuses_in_any_words<ShapeError>(
            [&] { call(x, [&](const Tensor&) { return Tensor::ones(shape); }); },
            {to_string(shape), to_string(x.shape())},
            "a sublayer that returns " + to_string(shape) + " for (2, 4, 6)"));
}

// --- the residual alone ---------------------------------------------------------------------------------

const Sublayer unchanged = [](const Tensor& t) { return t; };
const Sublayer nothing = [](const Tensor& t) { return t * 0.0f; };

const Form residual_form = [](Parts& parts, double rate, Rng* rng) {
    return residual(parts.x, parts.sublayer(), rate, rng);
};

TEST(residual, equals_pytorch_in_evaluation) { expect_golden("residual", residual_form, false); }

TEST(residual, equals_pytorch_in_training) { expect_golden("residual", residual_form, true); }

TEST(residual, a_sublayer_that_gives_zero_leaves_x_and_its_gradient_as_they_are) {
    const Tensor x = leaf("x"), weights = normal({2, 4, 6}, 10);
    const Tensor y = residual(x, nothing);
    EXPECT_TRUE(close(y, x, {0, 0}));
    ASSERT_TRUE(send_back(y, weights));
    EXPECT_TRUE(gradient_close("x", x, weights, {0, 0}));
}

TEST(residual, calls_the_sublayer_once) { expect_calls(residual_form, 0); }

TEST(residual, refuses_a_sublayer_that_changes_the_shape) {
    expect_shapes_refused([](const Tensor& x, const Sublayer& s) { return residual(x, s); });
}

TEST(residual, refuses_a_p_outside_of_its_range) {
    Parts parts;
    expect_rates_refused([&](double rate, Rng* rng) { residual_form(parts, rate, rng); });
}

TEST(residual, takes_an_empty_batch_and_a_scalar) {
    Rng rng(2);
    const Sublayer twice = [](const Tensor& t) { return t * 2.0f; };
    EXPECT_EQ(residual(Tensor::zeros({0, 4, 6}), twice, 0.5, &rng).shape(), (Shape{0, 4, 6}));
    EXPECT_TRUE(close(residual(Tensor::full({}, 3.0f), twice), Tensor::full({}, 9.0f)));
}

// --- pre-norm ------------------------------------------------------------------------------------------

const Form pre_form = [](Parts& parts, double rate, Rng* rng) {
    return pre_norm_residual(parts.x, parts.norm(), parts.sublayer(), rate, rng);
};

TEST(residual, pre_norm_equals_pytorch_in_evaluation) { expect_golden("pre", pre_form, false); }

TEST(residual, pre_norm_equals_pytorch_in_training) { expect_golden("pre", pre_form, true); }

TEST(residual, pre_norm_calls_norm_and_sublayer_once) { expect_calls(pre_form, 1); }

TEST(residual, pre_norm_a_sublayer_that_gives_zero_leaves_x_as_it_is) {
    Parts parts;
    EXPECT_TRUE(close(pre_norm_residual(parts.x, parts.norm(), nothing), parts.x, {0, 0}));
}

TEST(residual, pre_norm_refuses_what_residual_refuses) {
    expect_shapes_refused(
        [](const Tensor& x, const Sublayer& s) { return pre_norm_residual(x, unchanged, s); });
    Parts parts;
    expect_rates_refused([&](double rate, Rng* rng) { pre_form(parts, rate, rng); });
}

// --- post-norm ------------------------------------------------------------------------------------------

const Form post_form = [](Parts& parts, double rate, Rng* rng) {
    return post_norm_residual(parts.x, parts.norm(), parts.sublayer(), rate, rng);
};

TEST(residual, post_norm_equals_pytorch_in_evaluation) { expect_golden("post", post_form, false); }

TEST(residual, post_norm_equals_pytorch_in_training) { expect_golden("post", post_form, true); }

TEST(residual, post_norm_calls_norm_and_sublayer_once) { expect_calls(post_form, 1); }

TEST(residual, post_norm_refuses_what_residual_refuses) {
    expect_shapes_refused(
        [](const Tensor& x, const Sublayer& s) { return post_norm_residual(x, unchanged, s); });
    Parts parts;
    expect_rates_refused([&](double rate, Rng* rng) { post_form(parts, rate, rng); });
}

}  // namespace
}  // namespace tfs::test

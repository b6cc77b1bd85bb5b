// tests/06_residual_dropout/residual_test.cpp · step residual: PyTorch's values, properties
#include <gtest/gtest.h>

#include "tests/06_residual_dropout/checklist.hpp"
#include "tests/support/close.hpp"
#include "tests/support/golden.hpp"

namespace tfs::test {
namespace {

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

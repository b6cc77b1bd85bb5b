// tests/06_residual_dropout/residual_test.cpp · step residual: PyTorch's values, properties, diagnosis
#include "tests/06_residual_dropout/checklist.hpp"

#include "tests/support/golden.hpp"
#include "tests/support/inputs.hpp"

namespace tfs::test {
namespace {

const Form residual_form = [](Parts& parts, double rate, Rng* rng) {
    return residual(parts.x, parts.sublayer(), rate, rng);
};

TEST(residual, equals_pytorch_in_evaluation) {
    expect_golden(
        "residual", residual_form, false,
        {{"x is forgotten: this is sublayer(x) alone", [](const Parts& q) { return q.s(q.x); }},
         {"the sublayer is added twice", [](const Parts& q) { return q.x + q.s(q.x) * 2.0f; }},
         {"x is added twice", [](const Parts& q) { return q.x * 2.0f + q.s(q.x); }},
         {"the sublayer runs on its own output", [](const Parts& q) { return q.x + q.s(q.s(q.x)); }},
         {"the sublayer is subtracted", [](const Parts& q) { return q.x - q.s(q.x); }},
         {left_out, [](const Parts& q) { return q.x; }},
         {"dropout is active in evaluation: pass rng on as it is",
          [](const Parts& q) { return q.x + d(q.s(q.x)); }}});
}

TEST(residual, equals_pytorch_in_training) {
    expect_golden(
        "residual", residual_form, true,
        {{"dropout acts on the whole sum, so x is dropped too: it belongs on what the sublayer made",
          [](const Parts& q) { return d(q.x + q.s(q.x)); }},
         {"dropout acts on x, the residual path: that path must stay whole",
          [](const Parts& q) { return d(q.x) + q.s(q.x); }},
         {"dropout acts on the input of the sublayer, not on its output",
          [](const Parts& q) { return q.x + q.s(d(q.x)); }},
         {"x and the sublayer are dropped by the same mask",
          [](const Parts& q) { return d(q.x) + d(q.s(q.x)); }},
         {"nothing is dropped: p and rng are not passed on to dropout",
          [](const Parts& q) { return q.x + q.s(q.x); }},
         {"x is forgotten: this is dropout(sublayer(x)) alone", [](const Parts& q) { return d(q.s(q.x)); }}});
}

TEST(residual, a_sublayer_that_gives_zero_leaves_x_and_its_gradient_as_they_are) {
    const Tensor x = leaf("x"), weights = normal({2, 4, 6}, 10);
    const Tensor y = residual(x, [](const Tensor& t) { return t * 0.0f; });
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
    expect_rates_refused([&](double rate, Rng* rng) { residual_form(parts, rate, rng); }, not_passed_on);
}

TEST(residual, takes_an_empty_batch) {
    Rng rng(2);
    const auto twice = [](const Tensor& t) { return t * 2.0f; };
    EXPECT_EQ(residual(Tensor::zeros({0, 4, 6}), twice, 0.5, &rng).shape(), (Shape{0, 4, 6}));
}

// --- pre-norm ------------------------------------------------------------------------------------------

const Form pre_form = [](Parts& parts, double rate, Rng* rng) {
    return pre_norm_residual(parts.x, parts.norm(), parts.sublayer(), rate, rng);
};

const std::string norm_after_addition =
    "a norm stands after the addition: in pre-norm the sum stays as it is";

TEST(residual, pre_norm_equals_pytorch_in_evaluation) {
    expect_golden(
        "pre", pre_form, false,
        {{"norm(x) is added to: the norm stands on the residual path, where x must pass unchanged",
          [](const Parts& q) { return q.n(q.x) + q.s(q.n(q.x)); }},
         {"norm and sublayer are exchanged: this is x + norm(sublayer(x)), and the norm comes first",
          [](const Parts& q) { return q.x + q.n(q.s(q.x)); }},
         {"this is post-norm, norm(x + sublayer(x))", [](const Parts& q) { return q.n(q.x + q.s(q.x)); }},
         {"the norm is not used", [](const Parts& q) { return q.x + q.s(q.x); }},
         {left_out, [](const Parts& q) { return q.x; }},
         {norm_after_addition, [](const Parts& q) { return q.n(q.x + q.s(q.n(q.x))); }},
         {"x is forgotten: this is sublayer(norm(x)) alone", [](const Parts& q) { return q.s(q.n(q.x)); }},
         {"the norm stands on the residual path instead of in the branch",
          [](const Parts& q) { return q.n(q.x) + q.s(q.x); }}});
}

TEST(residual, pre_norm_equals_pytorch_in_training) {
    expect_golden("pre", pre_form, true,
                  {{"dropout acts on norm(x), before the sublayer; it belongs after the sublayer",
                    [](const Parts& q) { return q.x + q.s(d(q.n(q.x))); }},
                   {"dropout acts on the whole sum, so x is dropped too",
                    [](const Parts& q) { return d(q.x + q.s(q.n(q.x))); }},
                   {"norm(x) is added to: the norm stands on the residual path",
                    [](const Parts& q) { return q.n(q.x) + d(q.s(q.n(q.x))); }},
                   {by_both, [](const Parts& q) { return q.x + dropped_twice(q.s(q.n(q.x))); }},
                   {norm_after_addition, [](const Parts& q) { return q.n(q.x + d(q.s(q.n(q.x)))); }},
                   {"nothing is dropped: p and rng are not passed on",
                    [](const Parts& q) { return q.x + q.s(q.n(q.x)); }}});
}

TEST(residual, pre_norm_calls_norm_and_sublayer_once) { expect_calls(pre_form, 1); }

TEST(residual, pre_norm_a_sublayer_that_gives_zero_leaves_x_as_it_is) {
    Parts parts;
    const auto zero = [](const Tensor& t) { return t * 0.0f; };
    EXPECT_TRUE(close(pre_norm_residual(parts.x, parts.norm(), zero), parts.x, {0, 0},
                      {{"x meets a norm on its way: norm(x) is added to, or a norm stands after the addition",
                        [&] { return parts.n(parts.x); }}}));
}

TEST(residual, pre_norm_refuses_what_residual_refuses) {
    const auto same = [](const Tensor& t) { return t; };
    expect_shapes_refused([&](const Tensor& x, const Sublayer& s) { return pre_norm_residual(x, same, s); });
    Parts parts;
    expect_rates_refused([&](double rate, Rng* rng) { pre_form(parts, rate, rng); }, not_passed_on);
}

// --- post-norm ------------------------------------------------------------------------------------------

const Form post_form = [](Parts& parts, double rate, Rng* rng) {
    return post_norm_residual(parts.x, parts.norm(), parts.sublayer(), rate, rng);
};

TEST(residual, post_norm_equals_pytorch_in_evaluation) {
    expect_golden(
        "post", post_form, false,
        {{"the norm acts on the sublayer's output before the addition; it must act on the sum",
          [](const Parts& q) { return q.x + q.n(q.s(q.x)); }},
         {"this is pre-norm, x + sublayer(norm(x))", [](const Parts& q) { return q.x + q.s(q.n(q.x)); }},
         {"the norm acts on x before the addition; it must act on the sum",
          [](const Parts& q) { return q.n(q.x) + q.s(q.x); }},
         {"the norm acts on x before the addition; it must act on the sum",
          [](const Parts& q) { return q.n(q.x) + q.s(q.n(q.x)); }},
         {"x is added again after the norm; the norm is the last thing that happens",
          [](const Parts& q) { return q.x + q.n(q.x + q.s(q.x)); }},
         {left_out, [](const Parts& q) { return q.x; }},
         {left_out, [](const Parts& q) { return q.n(q.x); }},
         {"the norm is applied twice, before and after",
          [](const Parts& q) { return q.n(q.x + q.s(q.n(q.x))); }},
         {"the norm is not used", [](const Parts& q) { return q.x + q.s(q.x); }},
         {"x is forgotten: this is norm(sublayer(x))", [](const Parts& q) { return q.n(q.s(q.x)); }}});
}

TEST(residual, post_norm_equals_pytorch_in_training) {
    expect_golden("post", post_form, true,
                  {{"dropout acts after the norm; it belongs between the sublayer and the addition",
                    [](const Parts& q) { return d(q.n(q.x + q.s(q.x))); }},
                   {"dropout acts on the whole sum, so x is dropped too",
                    [](const Parts& q) { return q.n(d(q.x + q.s(q.x))); }},
                   {by_both, [](const Parts& q) { return q.n(q.x + dropped_twice(q.s(q.x))); }},
                   {"x is added again after the norm; the norm is the last thing that happens",
                    [](const Parts& q) { return q.x + q.n(q.x + d(q.s(q.x))); }},
                   {"nothing is dropped: p and rng are not passed on",
                    [](const Parts& q) { return q.n(q.x + q.s(q.x)); }}});
}

TEST(residual, post_norm_calls_norm_and_sublayer_once) { expect_calls(post_form, 1); }

TEST(residual, post_norm_refuses_what_residual_refuses) {
    const auto same = [](const Tensor& t) { return t; };
    expect_shapes_refused([&](const Tensor& x, const Sublayer& s) { return post_norm_residual(x, same, s); });
    Parts parts;
    expect_rates_refused([&](double rate, Rng* rng) { post_form(parts, rate, rng); }, not_passed_on);
}

}  // namespace
}  // namespace tfs::test

// tests/06_residual_dropout/residual_test.cpp · step residual: PyTorch's values, properties, diagnosis
#include "tests/06_residual_dropout/checklist.hpp"

#include "tests/06_residual_dropout/refusals.hpp"
#include "tests/support/golden.hpp"
#include "tests/support/inputs.hpp"

namespace tfs::test {
namespace {

const Form residual_form = [](Parts& parts, double rate, Rng* rng) {
    return residual(parts.x, parts.sublayer(), rate, rng);
};

WrongForms wrong_residuals() {
    WrongForms all = common_mistakes([](const Parts& q, const Tensor& t) { return q.s(t); },
                                     [](const Parts&, const Tensor& t) { return t; });
    all.push_back({"the sublayer runs on its own output",
                   [](const Parts& q, const Drop& drop) { return q.x + drop(q.s(q.s(q.x))); }});
    return all;
}

TEST(residual, equals_pytorch_in_evaluation) {
    expect_golden("residual", residual_form, false, wrong_residuals());
}

TEST(residual, equals_pytorch_in_training) {
    expect_golden("residual", residual_form, true, wrong_residuals());
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

WrongForms wrong_pre_norms() {
    WrongForms all = common_mistakes([](const Parts& q, const Tensor& t) { return q.s(q.n(t)); },
                                     [](const Parts&, const Tensor& t) { return t; });
    const WrongForms of_the_norm{
        {"norm(x) is added to: the norm is on the residual path, where x must pass unchanged",
         [](const Parts& q, const Drop& drop) { return q.n(q.x) + drop(q.s(q.n(q.x))); }},
        {"the norm is on the residual path instead of in the branch",
         [](const Parts& q, const Drop& drop) { return q.n(q.x) + drop(q.s(q.x)); }},
        {"norm and sublayer are exchanged: this is x + norm(sublayer(x)), and the norm comes first",
         [](const Parts& q, const Drop& drop) { return q.x + drop(q.n(q.s(q.x))); }},
        {"this is post-norm, norm(x + sublayer(x))",
         [](const Parts& q, const Drop& drop) { return q.n(q.x + drop(q.s(q.x))); }},
        {"the norm is not used", [](const Parts& q, const Drop& drop) { return q.x + drop(q.s(q.x)); }},
        {"a norm is after the addition: in pre-norm the sum stays as it is",
         [](const Parts& q, const Drop& drop) { return q.n(q.x + drop(q.s(q.n(q.x)))); }},
        {"the norm is applied twice before the sublayer; once is right",
         [](const Parts& q, const Drop& drop) { return q.x + drop(q.s(q.n(q.n(q.x)))); }},
        {"a second norm is behind the sublayer; the only one is before it",
         [](const Parts& q, const Drop& drop) { return q.x + drop(q.n(q.s(q.n(q.x)))); }},
        {"norm(x) is added inside the branch; the branch is what the sublayer made, and nothing else",
         [](const Parts& q, const Drop& drop) { return q.x + drop(q.n(q.x) + q.s(q.n(q.x))); }},
        {"dropout acts on norm(x), before the sublayer; it belongs after the sublayer",
         [](const Parts& q, const Drop& drop) { return q.x + q.s(drop(q.n(q.x))); }}};
    all.insert(all.end(), of_the_norm.begin(), of_the_norm.end());
    return all;
}

TEST(residual, pre_norm_equals_pytorch_in_evaluation) {
    expect_golden("pre", pre_form, false, wrong_pre_norms());
}

TEST(residual, pre_norm_equals_pytorch_in_training) {
    expect_golden("pre", pre_form, true, wrong_pre_norms());
}

TEST(residual, pre_norm_calls_norm_and_sublayer_once) { expect_calls(pre_form, 1); }

TEST(residual, pre_norm_a_sublayer_that_gives_zero_leaves_x_as_it_is) {
    Parts parts;
    const auto zero = [](const Tensor& t) { return t * 0.0f; };
    EXPECT_TRUE(close(pre_norm_residual(parts.x, parts.norm(), zero), parts.x, {0, 0},
                      {{"x meets a norm on its way: norm(x) is added to, or a norm is after the addition",
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

WrongForms wrong_post_norms() {
    WrongForms all = common_mistakes([](const Parts& q, const Tensor& t) { return q.s(t); },
                                     [](const Parts& q, const Tensor& t) { return q.n(t); });
    const std::string norm_on_x = "the norm acts on x before the addition; it must act on the sum";
    const WrongForms of_the_norm{
        {"the norm acts on the sublayer's output before the addition; it must act on the sum",
         [](const Parts& q, const Drop& drop) { return q.x + drop(q.n(q.s(q.x))); }},
        {"this is pre-norm, x + sublayer(norm(x))",
         [](const Parts& q, const Drop& drop) { return q.x + drop(q.s(q.n(q.x))); }},
        {norm_on_x, [](const Parts& q, const Drop& drop) { return q.n(q.x) + drop(q.s(q.x)); }},
        {norm_on_x, [](const Parts& q, const Drop& drop) { return q.n(q.x) + drop(q.s(q.n(q.x))); }},
        {"x is added again after the norm; the norm is the last thing that happens",
         [](const Parts& q, const Drop& drop) { return q.x + q.n(q.x + drop(q.s(q.x))); }},
        {"x comes back without norm and sublayer", [](const Parts& q, const Drop&) { return q.x; }},
        {"the norm is not used", [](const Parts& q, const Drop& drop) { return q.x + drop(q.s(q.x)); }},
        {"the norm is applied twice to the sum; once is right",
         [](const Parts& q, const Drop& drop) { return q.n(q.n(q.x + drop(q.s(q.x)))); }},
        {"the norm is applied twice, before the sublayer and after the addition; it comes after it alone",
         [](const Parts& q, const Drop& drop) { return q.n(q.x + drop(q.s(q.n(q.x)))); }},
        {"the norm is applied twice, to x and to the sum; it acts on the sum alone",
         [](const Parts& q, const Drop& drop) { return q.n(q.n(q.x) + drop(q.s(q.n(q.x)))); }},
        {"the norm is applied twice, to what the sublayer made and to the sum; it acts on the sum alone",
         [](const Parts& q, const Drop& drop) { return q.n(q.x + drop(q.n(q.s(q.x)))); }},
        {"dropout acts after the norm; it belongs between the sublayer and the addition",
         [](const Parts& q, const Drop& drop) { return drop(q.n(q.x + q.s(q.x))); }}};
    all.insert(all.end(), of_the_norm.begin(), of_the_norm.end());
    return all;
}

TEST(residual, post_norm_equals_pytorch_in_evaluation) {
    expect_golden("post", post_form, false, wrong_post_norms());
}

TEST(residual, post_norm_equals_pytorch_in_training) {
    expect_golden("post", post_form, true, wrong_post_norms());
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

// tests/06_residual_dropout/pre_norm_residual_test.cpp · step pre_norm_residual: PyTorch's values, properties, diagnosis
#include "tests/06_residual_dropout/checklist.hpp"

namespace tfs::test {
namespace {

const Form pre_form = [](Parts& parts, double rate, Rng* rng) {
    return pre_norm_residual(parts.x, parts.norm(), parts.sublayer(), rate, rng);
};

const std::string norm_after_addition =
    "a norm stands after the addition: in pre-norm the sum stays as it is";

TEST(pre_norm_residual, equals_pytorch_in_evaluation) {
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

TEST(pre_norm_residual, equals_pytorch_in_training) {
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

TEST(pre_norm_residual, calls_norm_and_sublayer_once) { expect_calls(pre_form, 1); }

TEST(pre_norm_residual, a_sublayer_that_gives_zero_leaves_x_as_it_is) {
    Parts parts;
    const auto zero = [](const Tensor& t) { return t * 0.0f; };
    EXPECT_TRUE(close(pre_norm_residual(parts.x, parts.norm(), zero), parts.x, {0, 0},
                      {{"x meets a norm on its way: norm(x) is added to, or a norm stands after the addition",
                        [&] { return parts.n(parts.x); }}}));
}

TEST(pre_norm_residual, refuses_what_residual_refuses) {
    const auto same = [](const Tensor& t) { return t; };
    expect_shapes_refused([&](const Tensor& x, const Sublayer& s) { return pre_norm_residual(x, same, s); });
    Parts parts;
    expect_rates_refused([&](double rate, Rng* rng) { pre_form(parts, rate, rng); }, not_passed_on);
}

}  // namespace
}  // namespace tfs::test

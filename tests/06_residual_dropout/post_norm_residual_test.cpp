// tests/06_residual_dropout/post_norm_residual_test.cpp · step post_norm_residual: PyTorch's values, properties, diagnosis
#include "tests/06_residual_dropout/checklist.hpp"

namespace tfs::test {
namespace {

const Form post_form = [](Parts& parts, double rate, Rng* rng) {
    return post_norm_residual(parts.x, parts.norm(), parts.sublayer(), rate, rng);
};

TEST(post_norm_residual, equals_pytorch_in_evaluation) {
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

TEST(post_norm_residual, equals_pytorch_in_training) {
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

TEST(post_norm_residual, calls_norm_and_sublayer_once) { expect_calls(post_form, 1); }

TEST(post_norm_residual, refuses_what_residual_refuses) {
    const auto same = [](const Tensor& t) { return t; };
    expect_shapes_refused([&](const Tensor& x, const Sublayer& s) { return post_norm_residual(x, same, s); });
    Parts parts;
    expect_rates_refused([&](double rate, Rng* rng) { post_form(parts, rate, rng); }, not_passed_on);
}

}  // namespace
}  // namespace tfs::test

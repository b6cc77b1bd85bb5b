// tests/06_residual_dropout_test.cpp · the checklist of chapter 06: each step by PyTorch's values, by properties, by diagnosis
//
// Run it on your steps with ./tutorial check 6. The golden values are made by tests/golden/make_golden.py; their masks come
// from an independent implementation of Rng::bernoulli_array, so a mask drawn in another way does not pass.
#include "chapters/06_residual_dropout/residual_dropout.hpp"

#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "tests/support/close.hpp"
#include "tests/support/golden.hpp"
#include "tests/support/gradient.hpp"
#include "tests/support/refusal.hpp"

namespace tfs::test {
namespace {

const Golden& golden() {
    static const Golden file("06_residual_dropout.safetensors");
    return file;
}

Tensor leaf(const std::string& name) { return Tensor(golden()[name].array(), true); }

Tensor normal(const Shape& shape, std::uint64_t seed) {
    Rng rng(seed);
    return Tensor(rng.normal_array(shape));
}

bool same_handle(const Tensor& a, const Tensor& b) { return &a.array() == &b.array(); }

// The mask that Rng(seed) draws first: 1 with this probability.
Tensor coins(const Shape& shape, std::uint64_t seed, double probability) {
    return Tensor(Rng(seed).bernoulli_array(shape, probability));
}

// Dropout with that mask, from the tested operations of the tensor layer.
Tensor dropped(const Tensor& x, std::uint64_t seed, double p) {
    return x * coins(x.shape(), seed, 1.0 - p) / static_cast<float>(1.0 - p);
}

// The same, drawn from a generator that goes on.
Tensor dropped_by(Rng& rng, const Tensor& x, double p) {
    return x * Tensor(rng.bernoulli_array(x.shape(), 1.0 - p)) / static_cast<float>(1.0 - p);
}

const std::string not_passed_on = "p does not reach dropout: pass p and rng on, also where rng is null";

// `call(p, rng)` must throw a ValueError that names p, in training and in evaluation, for every p outside [0, 1). What is
// wrong with one p alone has a cause of its own; where most pass, p is not checked: `unchecked`.
void expect_rates_refused(const std::function<void(double, Rng*)>& call, const std::string& unchecked) {
    Rng rng(8);
    ASSERT_NO_THROW(call(0.5, &rng));
    for (Rng* const source : {&rng, static_cast<Rng*>(nullptr)}) {
        std::vector<std::string> passed, others;  // others: refused by something that does not know p
        for (const double p : {1.0, 1.5, -0.25, std::numeric_limits<double>::quiet_NaN()}) {
            const std::string number = fmt::format("{}", p);
            try {
                call(p, source);
                passed.push_back(number);
            } catch (const ValueError& error) {
                if (names(error.what(), number)) continue;
                others.push_back(
                    fmt::format("p = {}: the ValueError says \"{}\"; it must name p (require_rate does)",
                                number, error.what()));
            }
        }
        if (passed.empty() && others.empty()) continue;
        const auto has = [&](const char* p) { return std::count(passed.begin(), passed.end(), p) > 0; };
        const bool most = !passed.empty() && passed.size() + others.size() > 2;
        if (!passed.empty())
            others.insert(others.begin(), fmt::format("p = {}, in {}: no exception", fmt::join(passed, ", "),
                                                      source ? "training" : "evaluation (rng null)"));
        ADD_FAILURE() << fmt::format("{}", fmt::join(others, "\n")) << likely_if(most, unchecked)
                      << likely_if(!most && has("1"), "p = 1 is accepted: 1/(1-p) divides by zero")
                      << likely_if(!most && (has("1.5") || has("-0.25")), "p is not compared with 0 and 1")
                      << likely_if(!most && has("nan"),
                                   "NaN passes: it is neither < 0 nor >= 1; ask !(p >= 0 && p < 1)");
        return;  // the other one would only say it again
    }
}

// --- 6.1 dropout ------------------------------------------------------------------------------------------------

struct Case {
    std::string name;
    double p;
    std::uint64_t seed;
};
const std::vector<Case> cases{{"tenth", 0.1, 11}, {"third", 0.3, 12}, {"most", 0.9, 13}};

std::vector<Suspect> dropout_suspects(const Tensor& x, const Case& c) {
    const Shape shape = x.shape();
    const double q = 1.0 - c.p;
    const Tensor kept = coins(shape, c.seed, q);
    const auto with = [=](const Tensor& mask, double scale) {
        return [=] { return x * mask * static_cast<float>(scale); };
    };
    const std::string scale = "what is kept must be divided by 1 - p, so that the mean stays x: ";
    const std::string swapped = "p is the probability to DROP; the mask keeps with probability 1 - p";
    const std::string repeated =
        "one mask is repeated along an axis; every entry of x draws for itself: bernoulli_array(x.shape(), "
        "…)";
    std::vector<Suspect> all{
        {scale + "nothing is divided", with(kept, 1.0)},
        {scale + "it is multiplied by 1 - p", with(kept, q)},
        {scale + "it is divided by p", with(kept, 1.0 / c.p)},
        {"dropped and kept are exchanged: the mask is 1 where an entry is KEPT", with(1.0f - kept, 1.0 / q)},
        {"scaled by the share that happened to be kept, not by 1 - p", with(kept, 1.0 / mean(kept).item())},
        {"right statistics, another mask: keep where bernoulli_array(x.shape(), 1 - p) is 1",
         with(1.0f - coins(shape, c.seed, c.p), 1.0 / q)},
        {"nothing is dropped although there is an Rng: an Rng means training", [=] { return x; }}};
    for (const double factor : {1.0 / q, 1.0 / c.p, 1.0})
        all.push_back({swapped, with(coins(shape, c.seed, c.p), factor)});
    for (std::size_t axis = 0; axis < shape.size(); ++axis) {
        Shape one = shape;
        one[axis] = 1;
        all.push_back({repeated, with(coins(one, c.seed, q), 1.0 / q)});
    }
    all.push_back({repeated, with(coins({shape.back()}, c.seed, q), 1.0 / q)});
    all.push_back(
        {"the mask is drawn by rng->uniform(); draw it by rng->bernoulli_array, one draw for the tensor",
         [=] {
             Array mask = Rng(c.seed).uniform_array(shape, 0.0, 1.0);
             for (float& u : mask) u = static_cast<double>(u) < q ? 1.0f : 0.0f;
             return x * Tensor(mask) * static_cast<float>(1.0 / q);
         }});
    return all;
}

TEST(Step_6_1_dropout, equals_pytorch_with_the_documented_mask) {
    const Tensor x = golden()["dropout.x"];
    for (const Case& c : cases) {
        Rng rng(c.seed);
        EXPECT_TRUE(close_named(fmt::format("p = {}", c.p), dropout(x, c.p, &rng),
                                golden()["dropout." + c.name + ".output"], {1e-6, 0},
                                dropout_suspects(x, c)));
    }
}

TEST(Step_6_1_dropout, a_second_call_draws_a_new_mask) {
    const Tensor x = golden()["dropout.x"];
    for (const Case& c : cases) {
        Rng rng(c.seed);
        const Tensor first = dropout(x, c.p, &rng);
        const auto zeros = std::count(first.values().begin(), first.values().end(), 0.0f);
        std::vector<Suspect> suspects;
        if (zeros > 0 &&
            zeros < std::ssize(first.values()))  // else it is no mask, and says nothing of the Rng
            suspects.push_back(
                {"the same mask every call: the Rng is copied, or made anew; draw from *rng "
                 "itself, so that it moves on",
                 [=] { return first; }});
        EXPECT_TRUE(close_named(fmt::format("p = {}, second call", c.p), dropout(x, c.p, &rng),
                                golden()["dropout." + c.name + ".second_output"], {1e-6, 0}, suspects));
    }
}

TEST(Step_6_1_dropout, sends_the_gradient_of_pytorch) {
    for (const Case& c : cases) {
        const Tensor x = leaf("dropout.x");
        Rng rng(c.seed);
        const Tensor y = dropout(x, c.p, &rng);
        ASSERT_TRUE(send_back(y, golden()["dropout." + c.name + ".grad_weights"]));
        EXPECT_TRUE(gradient_close("x", x, golden()["dropout." + c.name + ".grad_x"], {1e-6, 0}));
    }
}

TEST(Step_6_1_dropout, agrees_with_finite_differences) {
    const auto f = [](const std::vector<Tensor>& in) {
        Rng rng(3);  // the same mask at every call
        return dropout(in[0], 0.4, &rng);
    };
    EXPECT_TRUE(gradients_match(f, {normal({3, 5}, 1)}));
}

TEST(Step_6_1_dropout, evaluation_is_the_identity) {
    const Tensor x = leaf("dropout.x");
    const Tensor y = dropout(x, 0.3, nullptr);
    const bool scaled = close(y, x * 0.7f) || close(y, x / 0.7f);
    EXPECT_TRUE(
        close(y, x, {0, 0},
              {{"in evaluation x is multiplied by 1 - p, as in the paper; inverted dropout has divided "
                "in training instead, so that evaluation does nothing",
                [&] { return x * 0.7f; }},
               {"in evaluation x is divided by 1 - p", [&] { return x / 0.7f; }}}))
        << likely_if(!scaled && y.size() == x.size() && !close(y, x) && close(dropout(x, 0.0, nullptr), x),
                     "dropout is active in evaluation: a null Rng means that nothing is dropped or scaled");
    EXPECT_TRUE(same_handle(y, x)) << "the result must be x itself: nothing is computed, nothing recorded";
}

TEST(Step_6_1_dropout, p_of_zero_is_the_identity_and_draws_nothing) {
    const Tensor x = leaf("dropout.x");
    Rng rng(4), untouched(4);
    EXPECT_TRUE(same_handle(dropout(x, 0.0, &rng), x)) << "with p = 0 the result must be x itself";
    EXPECT_EQ(rng.uniform(), untouched.uniform()) << "the Rng has moved, although nothing can be dropped";
}

TEST(Step_6_1_dropout, takes_one_draw_of_the_generator_for_a_tensor_of_any_size) {
    Rng rng(5), untouched(5), once(5);
    (void)dropout(normal({40, 30}, 2), 0.5, &rng);
    once.uniform();
    const bool moved = rng.state() != untouched.state();
    EXPECT_TRUE(rng.state() == once.state())
        << likely_if(!moved, "the caller's Rng has not moved: the next call draws the same mask")
        << likely_if(moved,
                     "the mask is drawn entry by entry, or more than once: one "
                     "rng->bernoulli_array(x.shape(), 1 - p) is one draw for the whole tensor");
}

TEST(Step_6_1_dropout, mean_and_variance_are_those_of_the_formula) {
    constexpr std::size_t count = 200000;
    Rng rng(6);
    const Tensor x = Tensor::full({count}, 2.0f);
    for (const double p : {0.1, 0.5, 0.8}) {
        const Tensor y = dropout(x, p, &rng);
        const double expected = 4.0 * p / (1.0 - p);  // x^2 p / (1 - p)
        EXPECT_NEAR(mean(y).item(), 2.0, 4.0 * std::sqrt(expected / count)) << "the mean at p = " << p;
        EXPECT_NEAR(variance(y, 0).item(), expected, 0.03 * expected) << "the variance at p = " << p;
    }
}

TEST(Step_6_1_dropout, an_empty_batch_and_a_scalar_are_no_special_cases) {
    Rng rng(7);
    EXPECT_EQ(dropout(Tensor::zeros({0, 4, 6}), 0.5, &rng).shape(), (Shape{0, 4, 6}));
    EXPECT_EQ(dropout(Tensor::ones({}), 0.5, &rng).shape(), Shape{});
}

TEST(Step_6_1_dropout, refuses_a_p_outside_of_its_range) {
    const Tensor x = Tensor::ones({3});
    expect_rates_refused([&](double rate, Rng* rng) { dropout(x, rate, rng); },
                         "p is not checked, or only after the early return: `require_rate(\"dropout\", p)` "
                         "comes first, in evaluation too");
}

// --- the three ways to add a sublayer -----------------------------------------------------------------------------

// The sublayer w2(tanh(w1(x))) and the LayerNorm of the golden values, and how often each was called.
struct Parts {
    Tensor x = leaf("x"), gamma = leaf("gamma"), beta = leaf("beta");
    Tensor w1 = leaf("w1.weight"), b1 = leaf("w1.bias"), w2 = leaf("w2.weight"), b2 = leaf("w2.bias");
    int sublayer_calls = 0, norm_calls = 0;

    Tensor s(const Tensor& t) const { return linear(tanh(linear(t, w1, &b1)), w2, &b2); }
    Tensor n(const Tensor& t) const {
        const Tensor centred = t - mean(t, -1, KeepDims::yes);
        return centred / sqrt(variance(t, -1, KeepDims::yes) + 1e-5f) * gamma + beta;
    }
    Sublayer sublayer() {
        return [this](const Tensor& t) { return ++sublayer_calls, s(t); };
    }
    Sublayer norm() {
        return [this](const Tensor& t) { return ++norm_calls, n(t); };
    }
};

constexpr double p = 0.25;          // of the golden values in training
constexpr std::uint64_t seed = 21;  // of their Rng

using Form = std::function<Tensor(Parts&, double, Rng*)>;
using Wrong = std::function<Tensor(const Parts&)>;

const Form residual_form = [](Parts& parts, double rate, Rng* rng) {
    return residual(parts.x, parts.sublayer(), rate, rng);
};
const Form pre_form = [](Parts& parts, double rate, Rng* rng) {
    return pre_norm_residual(parts.x, parts.norm(), parts.sublayer(), rate, rng);
};
const Form post_form = [](Parts& parts, double rate, Rng* rng) {
    return post_norm_residual(parts.x, parts.norm(), parts.sublayer(), rate, rng);
};

// Value and all gradients against PyTorch, in training and in evaluation.
void expect_golden(const std::string& name, const Form& form, bool training,
                   const std::vector<std::pair<std::string, Wrong>>& wrong) {
    Parts parts;
    Rng rng(seed);
    const std::string prefix = name + (training ? ".training." : ".evaluation.");
    const Tensor y = form(parts, p, training ? &rng : nullptr);
    std::vector<Suspect> suspects;
    for (const auto& [message, answer] : wrong)
        suspects.push_back({message, [&parts, answer = answer] { return answer(parts); }});
    EXPECT_TRUE(close(y, golden()[prefix + "output"], {1e-5, 1e-6}, suspects));
    const Tensor upstream = golden()[prefix + "grad_weights"], grad_x = golden()[prefix + "grad_x"];
    ASSERT_TRUE(send_back(y, upstream));
    // Not for post-norm, whose gradients differ from both.
    const std::vector<Suspect> cut{
        {"x goes into the sublayer detached: no gradient comes back through it", [&] { return upstream; }},
        {"x is added detached: the residual path carries no gradient", [&] { return grad_x - upstream; }}};
    for (const auto& [input, tensor] :
         {std::pair("x", parts.x), std::pair("w1.weight", parts.w1), std::pair("w1.bias", parts.b1),
          std::pair("w2.weight", parts.w2), std::pair("w2.bias", parts.b2), std::pair("gamma", parts.gamma),
          std::pair("beta", parts.beta)}) {
        if (!golden().contains(prefix + "grad_" + input)) continue;
        EXPECT_TRUE(gradient_close(input, tensor, golden()[prefix + "grad_" + input], {1e-4, 1e-5},
                                   std::string(input) == "x" ? cut : std::vector<Suspect>{}));
    }
}

void expect_calls(const Form& form, int norms) {
    Parts parts;
    form(parts, 0.0, nullptr);
    EXPECT_EQ(parts.sublayer_calls, 1)
        << "the sublayer must be called once: each call costs its whole work again";
    EXPECT_EQ(parts.norm_calls, norms) << "the norm must be called " << (norms ? "once" : "never");
}

// A result of another shape, also one that `+` would broadcast.
void expect_shapes_refused(const std::function<Tensor(const Tensor&, const Sublayer&)>& call) {
    const Tensor x = normal({2, 4, 6}, 9);
    ASSERT_TRUE(has_shape(call(x, [](const Tensor& t) { return t * 0.5f; }), x.shape()));
    const auto narrow = [](const Tensor& t) { return slice(t, -1, 0, 5); };
    EXPECT_THROW(call(x, narrow), ShapeError);
    for (const Shape& shape : {Shape{2, 4, 1}, Shape{6}, Shape{3, 2, 4, 6}})
        EXPECT_TRUE(
            refuses<ShapeError>([&] { call(x, [&](const Tensor&) { return Tensor::ones(shape); }); },
                                {to_string(shape), to_string(x.shape())},
                                "a sublayer that returns " + to_string(shape) + " for (2, 4, 6)",
                                "`+` broadcasts what the sublayer made against x without a word; compare "
                                "the shapes first"));
}

Tensor d(const Tensor& t) { return dropped(t, seed, p); }

// Two masks of one generator, one after the other.
Tensor dropped_twice(const Tensor& t) {
    Rng rng(seed);
    const Tensor once = dropped_by(rng, t, p);
    return dropped_by(rng, once, p);
}

const std::string left_out =
    "in evaluation x comes back without the sublayer: a null rng means only that nothing is dropped";
const std::string by_both = "dropped twice: by your dropout and again by residual, which has p and rng";
const std::string norm_after_addition =
    "a norm stands after the addition: in pre-norm the sum stays as it is";

// --- 6.2 residual -------------------------------------------------------------------------------------------------

TEST(Step_6_2_residual, equals_pytorch_in_evaluation) {
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

TEST(Step_6_2_residual, equals_pytorch_in_training) {
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

TEST(Step_6_2_residual, a_sublayer_that_gives_zero_leaves_x_and_its_gradient_as_they_are) {
    const Tensor x = leaf("x"), weights = normal({2, 4, 6}, 10);
    const Tensor y = residual(x, [](const Tensor& t) { return t * 0.0f; });
    EXPECT_TRUE(close(y, x, {0, 0}));
    ASSERT_TRUE(send_back(y, weights));
    EXPECT_TRUE(gradient_close("x", x, weights, {0, 0}));
}

TEST(Step_6_2_residual, calls_the_sublayer_once) { expect_calls(residual_form, 0); }

TEST(Step_6_2_residual, refuses_a_sublayer_that_changes_the_shape) {
    expect_shapes_refused([](const Tensor& x, const Sublayer& s) { return residual(x, s); });
}

TEST(Step_6_2_residual, refuses_a_p_outside_of_its_range) {
    Parts parts;
    expect_rates_refused([&](double rate, Rng* rng) { residual_form(parts, rate, rng); }, not_passed_on);
}

TEST(Step_6_2_residual, takes_an_empty_batch) {
    Rng rng(2);
    const auto twice = [](const Tensor& t) { return t * 2.0f; };
    EXPECT_EQ(residual(Tensor::zeros({0, 4, 6}), twice, 0.5, &rng).shape(), (Shape{0, 4, 6}));
}

// --- 6.3 pre_norm_residual ------------------------------------------------------------------------------------------

TEST(Step_6_3_pre_norm_residual, equals_pytorch_in_evaluation) {
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

TEST(Step_6_3_pre_norm_residual, equals_pytorch_in_training) {
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

TEST(Step_6_3_pre_norm_residual, calls_norm_and_sublayer_once) { expect_calls(pre_form, 1); }

TEST(Step_6_3_pre_norm_residual, a_sublayer_that_gives_zero_leaves_x_as_it_is) {
    Parts parts;
    const auto zero = [](const Tensor& t) { return t * 0.0f; };
    EXPECT_TRUE(close(pre_norm_residual(parts.x, parts.norm(), zero), parts.x, {0, 0},
                      {{"x meets a norm on its way: norm(x) is added to, or a norm stands after the addition",
                        [&] { return parts.n(parts.x); }}}));
}

TEST(Step_6_3_pre_norm_residual, refuses_what_residual_refuses) {
    const auto same = [](const Tensor& t) { return t; };
    expect_shapes_refused([&](const Tensor& x, const Sublayer& s) { return pre_norm_residual(x, same, s); });
    Parts parts;
    expect_rates_refused([&](double rate, Rng* rng) { pre_form(parts, rate, rng); }, not_passed_on);
}

// --- 6.4 post_norm_residual -----------------------------------------------------------------------------------------

TEST(Step_6_4_post_norm_residual, equals_pytorch_in_evaluation) {
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

TEST(Step_6_4_post_norm_residual, equals_pytorch_in_training) {
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

TEST(Step_6_4_post_norm_residual, calls_norm_and_sublayer_once) { expect_calls(post_form, 1); }

TEST(Step_6_4_post_norm_residual, refuses_what_residual_refuses) {
    const auto same = [](const Tensor& t) { return t; };
    expect_shapes_refused([&](const Tensor& x, const Sublayer& s) { return post_norm_residual(x, same, s); });
    Parts parts;
    expect_rates_refused([&](double rate, Rng* rng) { post_form(parts, rate, rng); }, not_passed_on);
}

// --- 6.5 attention_with_dropout -------------------------------------------------------------------------------------

struct Attention {
    MultiHeadAttention layer;
    Tensor query = leaf("mha.query"), key = leaf("mha.key"), value = leaf("mha.value");
    Mask mask;

    Attention() : layer(make()), mask(stored_mask()) {
        for (const auto& [name, part] : {std::pair("w_q", &layer.w_q), std::pair("w_k", &layer.w_k),
                                         std::pair("w_v", &layer.w_v), std::pair("w_o", &layer.w_o)}) {
            part->weight = leaf(std::string(name) + ".weight");
            part->bias = leaf(std::string(name) + ".bias");
        }
    }
    static MultiHeadAttention make() {
        Rng rng(0);
        return MultiHeadAttention(12, 3, rng);
    }
    static Mask stored_mask() {
        const Tensor stored = golden()["mha.mask"];
        return Mask::from(stored.shape(), std::vector<int>(stored.values().begin(), stored.values().end()));
    }
    AttentionOutput run(Rng* rng, bool masked = false, double rate = p) const {
        return attention_with_dropout(layer, query, key, value, masked ? std::optional(mask) : std::nullopt,
                                      rate, rng);
    }
    // Head by head from the tensor layer, so that what a mistake exchanges can be exchanged.
    Tensor split(const Tensor& t) const { return transpose(reshape(t, {2, t.size(1), 3, 4}), 1, 2); }
    Tensor scores() const {
        return matmul(split(layer.w_q(query)), split(layer.w_k(key)), Transpose::b) / 2.0f;
    }
    static Tensor softmax_of(const Tensor& t) {
        const Tensor e = exp(t - max(t, -1, KeepDims::yes));
        return e / sum(e, -1, KeepDims::yes);
    }
    Tensor heads(const Tensor& weights) const { return matmul(weights, split(layer.w_v(value))); }
    static Tensor merged(const Tensor& heads) { return reshape(transpose(heads, 1, 2), {2, 4, 12}); }
    Tensor output(const Tensor& weights) const { return layer.w_o(merged(heads(weights))); }
};

struct WrongAttention {
    std::string message;
    std::function<Tensor(const Attention&)> weights;  // as returned
    std::function<Tensor(const Attention&)> output;
};

std::vector<WrongAttention> wrong_attentions() {
    const auto right = [](const Attention& a) { return dropped(a.softmax_of(a.scores()), 31, p); };
    const auto undropped = [](const Attention& a) { return a.softmax_of(a.scores()); };
    const auto through = [](auto weights) {
        return [=](const Attention& a) { return a.output(weights(a)); };
    };
    const auto before_softmax = [](const Attention& a) { return a.softmax_of(dropped(a.scores(), 31, p)); };
    const auto renormalised = [=](const Attention& a) {
        const Tensor w = right(a);
        return w / maximum(sum(w, -1, KeepDims::yes), 1e-30f);
    };
    const auto one_mask = [=](const Attention& a) {
        return undropped(a) * coins({2, 1, 4, 5}, 31, 1.0 - p) / static_cast<float>(1.0 - p);
    };
    const auto on_output = [=](const Attention& a) { return dropped(a.output(undropped(a)), 31, p); };
    const auto second_mask = [=](const Attention& a) {  // of two calls of dropout
        Rng rng(31);
        (void)dropped_by(rng, undropped(a), p);
        return dropped_by(rng, undropped(a), p);
    };
    const auto on_both = [=](const Attention& a) {
        Rng rng(31);
        const Tensor weights = dropped_by(rng, undropped(a), p);
        return dropped_by(rng, a.output(weights), p);
    };
    const auto values_split = [=](const Attention& a) {
        return a.layer.w_o(a.merged(matmul(undropped(a), dropped(a.split(a.layer.w_v(a.value)), 31, p))));
    };
    const auto values_whole = [=](const Attention& a) {
        return a.layer.w_o(a.merged(matmul(undropped(a), a.split(dropped(a.layer.w_v(a.value), 31, p)))));
    };
    const auto context_split = [=](const Attention& a) {
        return a.layer.w_o(a.merged(dropped(a.heads(undropped(a)), 31, p)));
    };
    const auto context_whole = [=](const Attention& a) {
        return a.layer.w_o(dropped(a.merged(a.heads(undropped(a))), 31, p));
    };
    const auto not_merged = [=](const Attention& a) {
        return a.layer.w_o(reshape(a.heads(right(a)), {2, 4, 12}));
    };
    const std::string on_values = "dropout acts on the values, not on the weights";
    const std::string on_context =
        "dropout acts on the context, the weights times the values, not on the weights";
    const std::string two_masks =
        "two masks: the returned weights are not those used; call dropout once and keep what it returns";
    const std::string late =
        "dropout acts on the output instead of the weights: that is the sublayer's dropout";
    return {
        {"nothing is dropped although there is an Rng", undropped, through(undropped)},
        {"dropout acts on the scores, before the softmax; a score of 0 is a score like any other, and the "
         "row sums to 1 again",
         before_softmax, through(before_softmax)},
        {"the rows are made to sum to 1 again after dropout; only their mean over many masks is 1",
         renormalised, through(renormalised)},
        {late, undropped, on_output},
        {"dropout acts on the weights and on the output; that of the output is the residual's", right,
         on_both},
        {on_values, undropped, values_split},
        {on_values, undropped, values_whole},
        {on_context, undropped, context_split},
        {on_context, undropped, context_whole},
        {two_masks, right, through(second_mask)},
        {two_masks, second_mask, through(right)},
        {"the heads are only reshaped; merge_heads puts head and position in order first", right, not_merged},
        {"one mask for all heads; each weight of each head draws for itself", one_mask, through(one_mask)},
        {"the output is made of the dropped weights, but the weights before dropout are returned", undropped,
         through(right)},
        {"the dropped weights are returned, but the output is made of those before dropout", right,
         through(undropped)}};
}

TEST(Step_6_5_attention_with_dropout, weights_and_output_equal_pytorch) {
    const Attention a;
    Rng rng(31);
    const AttentionOutput result = a.run(&rng);
    // A cause is known by weights and output together: half of it may be right.
    std::string cause;
    for (const WrongAttention& wrong : wrong_attentions()) {
        if (close(result.weights, wrong.weights(a), {1e-4, 1e-5}) &&
            close(result.output, wrong.output(a), {1e-4, 1e-5}))
            cause = wrong.message;
    }
    EXPECT_TRUE(close_named("weights", result.weights, golden()["mha.weights"], {1e-5, 1e-6}))
        << likely_if(!cause.empty(), cause);
    EXPECT_TRUE(close_named("output", result.output, golden()["mha.output"], {1e-5, 1e-6}))
        << likely_if(!cause.empty(), cause);
}

TEST(Step_6_5_attention_with_dropout, equals_pytorch_with_a_mask) {
    const Attention a;
    Rng rng(32);
    const AttentionOutput result = a.run(&rng, true);
    const Tensor golden_weights = golden()["mha.masked.weights"];
    EXPECT_TRUE(close_named("weights", result.weights, golden_weights, {1e-5, 1e-6},
                            {{"the mask is not passed on to the attention",
                              [&] { return dropped(a.softmax_of(a.scores()), 32, p); }}}));
    EXPECT_TRUE(close_named("output", result.output, golden()["mha.masked.output"], {1e-5, 1e-6}));
}

TEST(Step_6_5_attention_with_dropout, sends_the_gradients_of_pytorch) {
    for (const std::string prefix : {"mha.", "mha.masked.", "mha.evaluation."}) {
        const Attention a;
        Rng rng(prefix == "mha." ? 31 : 32);
        const AttentionOutput result =
            a.run(prefix == "mha.evaluation." ? nullptr : &rng, prefix == "mha.masked.");
        ASSERT_TRUE(send_back(result.output, golden()[prefix + "grad_weights"]));
        Parameters all = a.layer.parameters();
        for (const NamedTensor& input : Parameters{{"query", a.query}, {"key", a.key}, {"value", a.value}})
            all.push_back(input);
        for (const NamedTensor& input : all) {
            EXPECT_TRUE(gradient_close(input.name, input.tensor, golden()[prefix + "grad_" + input.name],
                                       {1e-4, 1e-5}));
        }
    }
}

TEST(Step_6_5_attention_with_dropout, evaluation_is_the_attention_of_chapter_01) {
    const Attention a;
    const AttentionOutput plain = a.layer(a.query, a.key, a.value, a.mask);
    Rng rng(33), untouched(33);
    for (const auto& [rate, source] : {std::pair(p, static_cast<Rng*>(nullptr)), std::pair(0.0, &rng)}) {
        const AttentionOutput result = a.run(source, true, rate);
        EXPECT_TRUE(close_named("weights", result.weights, plain.weights, {0, 1e-7}));
        EXPECT_TRUE(close_named("output", result.output, plain.output, {1e-5, 1e-6}));
    }
    EXPECT_EQ(rng.uniform(), untouched.uniform()) << "with p = 0 nothing may be drawn";
    EXPECT_TRUE(close(a.run(nullptr).weights, golden()["mha.evaluation.weights"], {1e-5, 1e-6}));
}

TEST(Step_6_5_attention_with_dropout, rows_sum_to_one_only_in_the_mean) {
    const Attention a;
    const NoGrad no_grad;
    Rng rng(34);
    double total = 0.0, squares = 0.0;
    constexpr int calls = 2000, rows = 2 * 3 * 4;
    for (int i = 0; i < calls; ++i) {
        const Tensor sums = sum(a.run(&rng).weights, -1);
        for (const float row : sums.values()) {
            total += static_cast<double>(row);
            squares += std::pow(static_cast<double>(row) - 1.0, 2.0);
        }
    }
    EXPECT_NEAR(total / (calls * rows), 1.0, 0.01);
    EXPECT_GT(squares / (calls * rows), 0.01) << "every row sums to 1, so nothing was dropped from it";
}

TEST(Step_6_5_attention_with_dropout, takes_an_empty_batch_and_refuses_widths_that_do_not_fit) {
    const Attention a;
    Rng rng(35);
    const Tensor none = Tensor::zeros({0, 4, 12}), narrow = Tensor::zeros({2, 4, 10});
    EXPECT_EQ(attention_with_dropout(a.layer, none, none, none, std::nullopt, p, &rng).output.shape(),
              none.shape());
    EXPECT_THROW(attention_with_dropout(a.layer, a.query, narrow, a.value, std::nullopt, p, &rng),
                 ShapeError);
}

TEST(Step_6_5_attention_with_dropout, refuses_a_p_outside_of_its_range) {
    const Attention a;
    expect_rates_refused([&](double rate, Rng* rng) { a.run(rng, false, rate); },
                         "p is not checked: `require_rate` comes first, in evaluation too");
}

}  // namespace
}  // namespace tfs::test

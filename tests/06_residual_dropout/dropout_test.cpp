// tests/06_residual_dropout/dropout_test.cpp · step dropout: PyTorch's values, properties, diagnosis
#include "tests/06_residual_dropout/checklist.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "tests/06_residual_dropout/refusals.hpp"
#include "tests/support/golden.hpp"
#include "tests/support/gradient.hpp"
#include "tests/support/inputs.hpp"

namespace tfs::test {
namespace {

bool same_handle(const Tensor& a, const Tensor& b) { return &a.array() == &b.array(); }

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
        {scale + "it is divided twice", with(kept, 1.0 / (q * q))},
        {scale + "it is divided by the square root", with(kept, 1.0 / std::sqrt(q))},
        {"dropped and kept are exchanged: the mask is 1 where an entry is KEPT", with(1.0f - kept, 1.0 / q)},
        {"scaled by the share that happened to be kept, not by 1 - p", with(kept, 1.0 / mean(kept).item())},
        {"right statistics, another mask: keep where bernoulli_array(x.shape(), 1 - p) is 1",
         with(1.0f - coins(shape, c.seed, c.p), 1.0 / q)},
        {"nothing is dropped although there is an Rng: an Rng means training", [=] { return x; }}};
    all.push_back({"a number is drawn in vain before the mask; the mask is the first draw of a call", [=] {
                       Rng rng(c.seed);
                       rng.uniform();
                       return dropped_by(rng, x, c.p);
                   }});
    all.push_back(
        {"x is multiplied by normal noise (Gaussian dropout), which drops nothing; multiply it by a mask of "
         "ones and zeros",
         [=] { return x * Tensor(Rng(c.seed).normal_array(shape, 1.0, std::sqrt(c.p / q))); }});
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

TEST(dropout, equals_pytorch_with_the_documented_mask) {
    const Tensor x = golden()["dropout.x"];
    for (const Case& c : cases) {
        Rng rng(c.seed);
        EXPECT_TRUE(close_named(fmt::format("p = {}", c.p), dropout(x, c.p, &rng),
                                golden()["dropout." + c.name + ".output"], {1e-6, 0},
                                dropout_suspects(x, c)));
    }
}

TEST(dropout, a_second_call_draws_a_new_mask) {
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

// Where y is right and its gradient is not.
std::vector<Suspect> gradient_suspects(const Tensor& upstream, const Case& c) {
    const std::string formula = "; it must be m_i / (1 - p) times that of y_i, with the mask of the result";
    return {{"the gradient is not divided by 1 - p" + formula,
             [=] { return upstream * coins(upstream.shape(), c.seed, 1.0 - c.p); }},
            {"the mask is missing in the gradient" + formula,
             [=] { return upstream / static_cast<float>(1.0 - c.p); }},
            {"the gradient passes straight through" + formula, [=] { return upstream; }},
            {"the gradient draws a mask of its own" + formula, [=] {
                 Rng rng(c.seed);
                 (void)dropped_by(rng, upstream, c.p);
                 return dropped_by(rng, upstream, c.p);
             }}};
}

TEST(dropout, sends_the_gradient_of_pytorch) {
    for (const Case& c : cases) {
        const Tensor x = leaf("dropout.x");
        Rng rng(c.seed);
        const Tensor y = dropout(x, c.p, &rng);
        const Tensor upstream = golden()["dropout." + c.name + ".grad_weights"];
        ASSERT_TRUE(send_back(y, upstream));
        const bool right = close(y, golden()["dropout." + c.name + ".output"], {1e-6, 0});
        EXPECT_TRUE(gradient_close("x", x, golden()["dropout." + c.name + ".grad_x"], {1e-6, 0},
                                   right ? gradient_suspects(upstream, c) : std::vector<Suspect>{}));
    }
}

TEST(dropout, agrees_with_finite_differences) {
    const auto f = [](const std::vector<Tensor>& in) {
        Rng rng(3);  // the same mask at every call
        return dropout(in[0], 0.4, &rng);
    };
    EXPECT_TRUE(gradients_match(f, {normal({3, 5}, 1)}));
}

TEST(dropout, evaluation_is_the_identity) {
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

TEST(dropout, p_of_zero_is_the_identity_and_draws_nothing) {
    const Tensor x = leaf("dropout.x");
    Rng rng(4), untouched(4);
    EXPECT_TRUE(same_handle(dropout(x, 0.0, &rng), x)) << "with p = 0 the result must be x itself";
    EXPECT_TRUE(rng.state() == untouched.state())
        << "with p = 0 the Rng has moved"
        << likely_if(true, "a mask is drawn although nothing can be dropped: return x before, where p is 0");
}

TEST(dropout, takes_one_draw_of_the_generator_for_a_tensor_of_any_size) {
    Rng rng(5), untouched(5), once(5), twice(5);
    const Tensor x = normal({40, 30}, 2), share = dropout(x, 0.5, &rng) / x;
    once.uniform();
    twice.uniform(), twice.uniform();
    const bool two = rng.state() == twice.state();
    const bool moved = rng.state() != untouched.state();
    const bool masked = close(share * (share - 2.0f), Tensor::zeros(x.shape()));  // each 0 or 1 / (1 - p)
    EXPECT_TRUE(rng.state() == once.state())
        << likely_if(!moved, "the caller's Rng has not moved: the next call draws the same mask")
        << likely_if(two && masked, "a number is drawn in vain besides the mask; a call takes one draw")
        << likely_if(moved && masked && !two,
                     "the mask is drawn entry by entry, or more than once: one "
                     "rng->bernoulli_array(x.shape(), 1 - p) is one draw for the whole tensor");
}

TEST(dropout, mean_and_variance_are_those_of_the_formula) {
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

TEST(dropout, an_empty_batch_and_a_scalar_are_no_special_cases) {
    Rng rng(7);
    EXPECT_EQ(dropout(Tensor::zeros({0, 4, 6}), 0.5, &rng).shape(), (Shape{0, 4, 6}));
    EXPECT_EQ(dropout(Tensor::ones({}), 0.5, &rng).shape(), Shape{});
}

TEST(dropout, refuses_a_p_outside_of_its_range) {
    const Tensor x = Tensor::ones({3});
    expect_rates_refused([&](double rate, Rng* rng) { dropout(x, rate, rng); },
                         "p is not checked, or only after the early return: `require_rate(\"dropout\", p)` "
                         "comes first, in evaluation too");
}

}  // namespace
}  // namespace tfs::test

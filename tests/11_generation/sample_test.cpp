// tests/11_generation/sample_test.cpp · step sample: probabilities of the next token, by hand, by another way, and by 100,000 draws
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

#include "tests/11_generation/checklist.hpp"
#include "tests/11_generation/chosen_draws.hpp"
#include "tests/11_generation/draws_suspects.hpp"
#include "tests/11_generation/sampling_suspects.hpp"
#include "tests/support/inputs.hpp"
#include "tests/support/refusal.hpp"

namespace tfs::test {
namespace {

// Logits whose softmax is 0.3, 0.1, 0.4, 0.2.
const std::vector<float> four_logits{1.0986123f, 0.0f, 1.3862944f, 0.6931472f};
// Tokens 1, 3 and 4 are equal, and so are 0 and 5.
const std::vector<float> equal_logits{1.0f, 2.0f, 0.5f, 2.0f, 2.0f, 1.0f};

// --- token_probabilities

// The same settings for each of these logits.
std::vector<SamplingCase> each_with(const std::vector<Sampling>& settings,
                                    const std::vector<std::vector<float>>& logits) {
    std::vector<SamplingCase> cases;
    for (const std::vector<float>& one : logits)
        for (const Sampling& sampling : settings) cases.push_back({one, sampling});
    return cases;
}

// Our other way to compute them agrees with numbers that were computed by hand.
TEST(sample, probabilities_are_those_computed_by_hand) {
    const double seventh = 1.0 / 7.0;
    const std::vector<std::pair<SamplingCase, std::vector<double>>> by_hand{
        {{four_logits}, {0.3, 0.1, 0.4, 0.2}},
        {{four_logits, {.temperature = 0.5}}, {0.3, 1.0 / 30.0, 16.0 / 30.0, 4.0 / 30.0}},  // 9 : 1 : 16 : 4
        {{four_logits, {.top_k = 2}}, {3 * seventh, 0, 4 * seventh, 0}},
        {{four_logits, {.top_p = 0.75}}, {3.0 / 9.0, 0, 4.0 / 9.0, 2.0 / 9.0}},
        {{four_logits, {.min_p = 0.35}}, {3.0 / 9.0, 0, 4.0 / 9.0, 2.0 / 9.0}},
        {{four_logits, {.top_k = 3, .top_p = 0.7, .min_p = 0.3}}, {3 * seventh, 0, 4 * seventh, 0}}};
    std::vector<SamplingCase> cases;
    for (const auto& [one, p] : by_hand) {
        const std::vector<double> computed = right_probabilities(one);
        for (std::size_t id = 0; id < 4; ++id) ASSERT_NEAR(computed[id], p[id], 1e-6) << "in the test itself";
        cases.push_back(one);
    }
    EXPECT_TRUE(all_right(cases));
}

TEST(sample, defaults_give_the_softmax) {
    EXPECT_TRUE(
        all_right({{four_logits}, {equal_logits}, {{-3.0f}}, {{5, 5, 5}}, {{0.25f, -7, 3, 1, 1, -2, 0, 4}}}));
    EXPECT_TRUE(all_right({{{0, -50}}, {{-60, -50, 0, -55, -0.5f}}})) << "unlikely tokens stay";
}

TEST(sample, temperature_divides_the_logits) {
    EXPECT_TRUE(all_right(each_with({{.temperature = 0.5}, {.temperature = 2}, {.temperature = 7.5}},
                                    {four_logits, equal_logits})));
}

TEST(sample, temperature_0_takes_the_first_of_the_largest) {
    const auto taken = [](const std::vector<float>& logits, const Sampling& others = {}) {
        Sampling sampling = others;
        sampling.temperature = 0.0;
        return token_probabilities(logits, sampling);
    };
    const std::vector<double> p = taken(equal_logits);
    ASSERT_EQ(p.size(), 6u) << "a probability for each token";
    EXPECT_EQ(p, (std::vector<double>{0, 1, 0, 0, 0, 0}))
        << likely_if(std::isnan(p[0]) || std::isnan(p[1]),
                     "temperature 0 divides by 0: it is a case of its own")
        << likely_if(p[4] == 1.0, "of equal logits this is the last one; the first comes")
        << likely_if(p[1] > 0.0 && p[1] < 1.0 && p[3] > 0.0,
                     "the largest ones share 1; the first of them gets it all")
        << likely_if(p[0] > 0.0 && p[1] > 0.0, "temperature 0 is taken for another one, such as 1");
    EXPECT_EQ(taken({-infinity, -3, -2, -infinity}), (std::vector<double>{0, 0, 1, 0}));
    EXPECT_EQ(taken({-1e30f, 3e38f, 2}, {.top_k = 2, .top_p = 0.1, .min_p = 0.5}),
              (std::vector<double>{0, 1, 0}));
}

TEST(sample, neither_large_logits_nor_extreme_temperatures_overflow) {
    const auto cause = [](const SamplingCase& one) {
        const std::vector<double> p = token_probabilities(one.logits, one.sampling);
        return likely_if(one.sampling.min_p == 0.0 &&
                             std::any_of(p.begin(), p.end(), [](double x) { return std::isnan(x); }),
                         "exp overflows, or all of them are 0: subtract the largest logit before exp");
    };
    const std::vector<float> large{1000, 999, 998.5f}, small{-1000, -999, -1001}, huge{3e38f, -3e38f, 3e38f};
    for (const SamplingCase& one :
         each_with({{}, {.temperature = 1e-6}, {.temperature = 1e300}, {.top_p = 0.6, .min_p = 0.2}},
                   {large, small, huge, four_logits}))
        ASSERT_TRUE(all_right({one})) << cause(one);
}

TEST(sample, top_k_keeps_the_k_largest) {
    EXPECT_TRUE(all_right(
        each_with({{.top_k = 1}, {.top_k = 2}, {.top_k = 3}, {.top_k = 4}, {.top_k = 9}}, {four_logits})));
}

TEST(sample, of_equal_tokens_the_smaller_ids_stay) {
    EXPECT_TRUE(all_right(
        each_with({{.top_k = 1}, {.top_k = 2}, {.top_k = 4}, {.top_p = 0.1}, {.top_p = 0.3}, {.top_p = 0.9}},
                  {equal_logits, std::vector<float>(7, -1.5f)})));
}

TEST(sample, top_p_keeps_the_token_that_reaches_it) {
    std::vector<SamplingCase> cases =
        each_with({{.top_p = 0.05}, {.top_p = 0.45}, {.top_p = 0.65}, {.top_p = 0.95}}, {four_logits});
    for (const double reached : {0.25, 0.5, 0.75})
        cases.push_back({{3, 3, 3, 3}, {.top_p = reached}});  // exactly
    // The probabilities of seven equal tokens add up to less than this, as they are rounded: all stay.
    cases.push_back({std::vector<float>(7, 3.0f), {.top_p = std::nextafter(1.0, 0.0)}});
    EXPECT_TRUE(all_right(cases));
}

TEST(sample, min_p_is_a_share_of_the_largest) {
    EXPECT_TRUE(all_right(each_with({{.min_p = 0.2}, {.min_p = 0.35}, {.min_p = 0.4}}, {four_logits})));
    EXPECT_TRUE(all_right(each_with({{.min_p = 1.0}}, {four_logits, equal_logits, {3, 3, 3, 3}})))
        << "the largest stay";
}

TEST(sample, each_filter_sees_what_the_one_before_left) {
    EXPECT_TRUE(all_right(each_with({{.top_k = 2, .top_p = 0.5},
                                     {.top_k = 3, .top_p = 0.8},
                                     {.top_k = 2, .min_p = 0.7},
                                     {.top_p = 0.5, .min_p = 0.6},
                                     {.top_p = 0.65, .min_p = 0.76},
                                     {.top_k = 3, .top_p = 0.6, .min_p = 0.3}},
                                    {four_logits})));
}

TEST(sample, the_temperature_comes_before_the_filters) {
    EXPECT_TRUE(all_right(each_with({{.temperature = 3, .top_p = 0.65},
                                     {.temperature = 0.25, .top_p = 0.65},
                                     {.temperature = 3, .min_p = 0.6},
                                     {.temperature = 0.4, .top_k = 3, .top_p = 0.9, .min_p = 0.1}},
                                    {four_logits})));
}

TEST(sample, a_token_that_must_not_come_has_probability_0) {
    const std::vector<float> some{-infinity, 1, -infinity, 2, 1, -infinity}, one{-infinity, -700, -infinity};
    EXPECT_TRUE(all_right(each_with(
        {{}, {.temperature = 3}, {.top_k = 2}, {.top_k = 5}, {.top_p = 0.7}, {.min_p = 0.5}}, {some, one})));
}

TEST(sample, agrees_with_another_way_for_many_logits) {
    Rng rng(11);
    std::vector<SamplingCase> cases;
    for (std::size_t i = 0; i < 200; ++i) {
        std::vector<float> logits(2 + rng.below(60));
        for (float& logit : logits)
            logit = rng.uniform() < 0.1 ? -infinity : static_cast<float>(rng.below(40)) / 8.0f;
        logits[rng.below(logits.size())] = 1.0f;
        cases.push_back({logits,
                         {.temperature = rng.uniform(0.2, 3.0),
                          .top_k = rng.uniform() < 0.5 ? Sampling::all : 1 + rng.below(20),
                          .top_p = rng.uniform() < 0.3 ? 1.0 : rng.uniform(0.1, 1.0),
                          .min_p = rng.uniform() < 0.3 ? 0.0 : rng.uniform(0.0, 0.9)}});
    }
    EXPECT_TRUE(all_right(cases));
}

TEST(sample, refuses_settings_that_make_no_sense) {
    ASSERT_TRUE(all_right(each_with(
        {{.top_k = 1, .top_p = 1, .min_p = 1}, {.top_k = Sampling::all, .min_p = 0}}, {four_logits})));
    const auto refused = [](const Sampling& sampling, const std::vector<std::string>& named,
                            const std::vector<float>& logits = four_logits) {
        return refuses<ValueError>([&] { (void)token_probabilities(logits, sampling); }, named);
    };
    for (const double t : {-0.5, -1e-9, HUGE_VAL, std::nan("")})
        EXPECT_TRUE(refused({.temperature = t}, {"temperature", fmt::format("{}", t)}));
    EXPECT_TRUE(refused({.top_k = 0}, {"top_k", "0"}));
    for (const double p : {-0.5, 1.5, std::nan("")}) {
        EXPECT_TRUE(refused({.top_p = p}, {"top_p", fmt::format("{}", p)}));
        EXPECT_TRUE(refused({.min_p = p}, {"min_p", fmt::format("{}", p)}));
    }
    EXPECT_TRUE(refused({.top_p = 0}, {"top_p", "0"}));
    EXPECT_TRUE(refused({.temperature = 0, .top_k = 0}, {"top_k"}));
    EXPECT_TRUE(refused({}, {"no logits"}, {}));
    EXPECT_TRUE(refused({}, {"token 1", "NaN"}, {1, nan, 2}));
    EXPECT_TRUE(refused({}, {"token 2", "+inf"}, {1, 2, infinity}));
    EXPECT_TRUE(refused({}, {"-inf"}, {-infinity, -infinity}));
}

// --- sample

// The parts of the line from 0 to 1: token 1 up to 1/8, token 3 up to 1/2, token 4 up to 3/4, token 5 up to 1.
const std::vector<double> parts_of_line{0, 0.125, 0, 0.375, 0.25, 0.25, 0};

TEST(sample, takes_the_token_on_whose_part_the_draw_falls) {
    const std::vector<double> us{0.0625, 0.25, 0.4, 0.6, 0.7, 0.8, 0.99};
    const TokenIds found = sampled(parts_of_line, us);
    EXPECT_EQ(found, (TokenIds{1, 3, 3, 4, 4, 5, 5}))
        << fmt::format("of the probabilities {}, with u = {}", fmt::join(parts_of_line, ", "),
                       fmt::join(us, ", "))
        << cause_of_draws(parts_of_line, us, found);
}

TEST(sample, the_edges_of_a_part_belong_to_one_token_each) {
    constexpr double less = 0x1.0p-53;
    const std::vector<double> us{0, 0.125 - less, 0.125, 0.5 - less, 0.5, 0.75 - less, 0.75, just_below_1};
    const TokenIds found = sampled(parts_of_line, us);
    EXPECT_EQ(found, (TokenIds{1, 1, 3, 3, 4, 4, 5, 5}))
        << "at the beginning of each part, and just before the next one"
        << cause_of_draws(parts_of_line, us, found);
}

TEST(sample, rounding_leaves_no_token_of_probability_0) {
    std::vector<double> p(12, 0.1);  // the sum of ten of them is 1 - 2^-53
    p[10] = p[11] = 0.0;
    Rng rng = rng_that_draws({just_below_1});
    const std::int64_t token = sample(p, rng);
    EXPECT_EQ(token, 9) << "ten times 0.1 is a little less than 1, and u is not below it"
                        << likely_if(token == 11,
                                     "you return the last token, although its probability is 0; return the "
                                     "last one that is not 0")
                        << likely_if(token == 0 || token == 12 || token < 0,
                                     "where the sum stays below u, the last token that is not 0 comes")
                        << likely_if(token == 10, "this is one behind the last token that is not 0");
}

TEST(sample, draws_once) {
    for (const std::vector<double>& p :
         {parts_of_line, {1.0}, {0.0, 1.0, 0.0}, std::vector<double>(20, 0.05)}) {
        const Rng before(5);
        Rng rng = before;
        (void)sample(p, rng);
        const std::size_t draws = draws_between(before, rng);
        ASSERT_EQ(draws, 1u)
            << fmt::format("draws for one token of {}", p.size())
            << likely_if(draws == 0 && p.size() > 1, "no draw is made of `rng`: sample uses it, and no other")
            << likely_if(draws == 0 && p.size() == 1,
                         "a token that is certain needs a draw, too: so "
                         "each token takes one")
            << likely_if(draws > 1,
                         "u is drawn again for each token or comparison: draw it once, before the loop");
    }
}

TEST(sample, each_token_comes_as_often_as_its_probability_says) {
    constexpr std::size_t draws = 100'000;
    const std::vector<double> p{0.05, 0.4, 0.1, 0.25, 0.2};
    std::vector<double> counts(p.size(), 0.0);
    Rng rng(1);
    for (std::size_t i = 0; i < draws; ++i) {
        const std::int64_t token = sample(p, rng);
        if (token < 0 || token >= 5) FAIL() << "there is no token " << token;
        counts[static_cast<std::size_t>(token)] += 1.0;
    }
    EXPECT_LT(chi_squared_of_counts(counts, p, draws), largest_chi_squared)
        << fmt::format("of 100,000 draws the tokens came {} times; their probabilities are {}",
                       fmt::join(counts, ", "), fmt::join(p, ", "))
        << likely_if(chi_squared_of_counts(counts, std::vector<double>(5, 0.2), draws) < largest_chi_squared,
                     "each token comes equally often");
}

TEST(sample, refuses_probabilities_of_which_none_can_come) {
    Rng rng(1);
    ASSERT_EQ(sample(std::vector<double>{0.0, 1.0}, rng), 1);
    EXPECT_TRUE(refuses<ValueError>([&] { (void)sample({}, rng); }, {"no probabilities"}));
    EXPECT_TRUE(refuses<ValueError>([&] { (void)sample(std::vector<double>(3, 0.0), rng); }, {"3", "0"}));
}

}  // namespace
}  // namespace tfs::test

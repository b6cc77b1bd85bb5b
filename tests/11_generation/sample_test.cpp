// tests/11_generation/sample_test.cpp · step sample: probabilities of the next token, by hand and by another way; which token a draw takes
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

#include "chapters/11_generation/generation.hpp"
#include "tests/support/close.hpp"
#include "tests/support/inputs.hpp"
#include "tests/support/refusal.hpp"

namespace tfs::test {
namespace {

// --- token_probabilities

struct SamplingCase {
    std::vector<float> logits;
    Sampling sampling = {};
};

// Logits whose softmax is 0.3, 0.1, 0.4, 0.2.
const std::vector<float> four_logits{1.0986123f, 0.0f, 1.3862944f, 0.6931472f};
// Tokens 1, 3 and 4 are equal, and so are 0 and 5.
const std::vector<float> equal_logits{1.0f, 2.0f, 0.5f, 2.0f, 2.0f, 1.0f};

std::string in_words(const SamplingCase& one) {
    const Sampling& s = one.sampling;
    std::string words = one.logits.size() > 8 ? fmt::format("{} logits", one.logits.size())
                                              : fmt::format("logits {:.4g}", fmt::join(one.logits, ", "));
    if (s.temperature != 1.0) words += fmt::format(", temperature {}", s.temperature);
    if (s.top_k != Sampling::all) words += fmt::format(", top_k {}", s.top_k);
    if (s.top_p != 1.0) words += fmt::format(", top_p {}", s.top_p);
    if (s.min_p != 0.0) words += fmt::format(", min_p {}", s.min_p);
    return words;
}

struct LeftToken {
    long double p;
    std::size_t id;
};

// From a sorted list of the tokens that are left, which each filter makes shorter.
std::vector<double> reference_probabilities(const SamplingCase& one) {
    const float largest = *std::max_element(one.logits.begin(), one.logits.end());
    std::vector<LeftToken> left;
    for (std::size_t id = 0; id < one.logits.size(); ++id)
        if (const long double p = std::exp((static_cast<long double>(one.logits[id]) - largest) /
                                           static_cast<long double>(one.sampling.temperature));
            p > 0.0L)
            left.push_back({p, id});
    std::stable_sort(left.begin(), left.end(),
                     [](const LeftToken& a, const LeftToken& b) { return a.p > b.p; });
    const auto keep = [&](std::size_t count) {
        left.resize(std::min(count, left.size()), LeftToken{});
        long double sum = 0.0L;
        for (const LeftToken& token : left) sum += token.p;
        for (LeftToken& token : left) token.p /= sum;
    };
    keep(one.sampling.top_k);
    std::size_t count = 0;
    for (long double sum = 0.0L;
         count < left.size() && (one.sampling.top_p == 1.0 || sum < one.sampling.top_p); ++count)
        sum += left[count].p;
    keep(count);
    const long double least = one.sampling.min_p * left[0].p;
    keep(static_cast<std::size_t>(
        std::count_if(left.begin(), left.end(), [&](const LeftToken& token) { return token.p >= least; })));
    std::vector<double> result(one.logits.size(), 0.0);
    for (const LeftToken& token : left) result[token.id] = static_cast<double>(token.p);
    return result;
}

Tensor as_tensor(const std::vector<double>& values) {
    return Tensor::from({values.size()}, std::vector<float>(values.begin(), values.end()));
}

// Also of very small ones, and exactly 0 for what is not kept.
constexpr Tolerance of_probabilities{.relative = 1e-5, .absolute = 1e-30};

// All of these cases are computed; a failure tells the first that is wrong.
testing::AssertionResult all_right(const std::vector<SamplingCase>& cases) {
    testing::AssertionResult first = testing::AssertionSuccess();
    for (const SamplingCase& one : cases) {
        const testing::AssertionResult right =
            close_named(in_words(one), as_tensor(token_probabilities(one.logits, one.sampling)),
                        as_tensor(reference_probabilities(one)), of_probabilities);
        if (first && !right) first = right;
    }
    return first;
}

// The same settings for each of these logits.
std::vector<SamplingCase> each_with(const std::vector<Sampling>& settings,
                                    const std::vector<std::vector<float>>& logits) {
    std::vector<SamplingCase> cases;
    for (const std::vector<float>& one : logits)
        for (const Sampling& sampling : settings) cases.push_back({one, sampling});
    return cases;
}

TEST(sample, probabilities_are_those_computed_by_hand) {
    const double seventh = 1.0 / 7.0;
    const std::vector<std::pair<SamplingCase, std::vector<double>>> by_hand{
        {{four_logits}, {0.3, 0.1, 0.4, 0.2}},
        {{four_logits, {.temperature = 0.5}}, {0.3, 1.0 / 30.0, 16.0 / 30.0, 4.0 / 30.0}},  // 9 : 1 : 16 : 4
        {{four_logits, {.top_k = 2}}, {3 * seventh, 0, 4 * seventh, 0}},
        {{four_logits, {.top_p = 0.75}}, {3.0 / 9.0, 0, 4.0 / 9.0, 2.0 / 9.0}},
        {{four_logits, {.min_p = 0.35}}, {3.0 / 9.0, 0, 4.0 / 9.0, 2.0 / 9.0}},
        {{four_logits, {.top_k = 3, .top_p = 0.7, .min_p = 0.3}}, {3 * seventh, 0, 4 * seventh, 0}}};
    for (const auto& [one, p] : by_hand)
        EXPECT_TRUE(close_named(in_words(one), as_tensor(token_probabilities(one.logits, one.sampling)),
                                as_tensor(p), of_probabilities));
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
    EXPECT_EQ(taken(equal_logits), (std::vector<double>{0, 1, 0, 0, 0, 0}));
    EXPECT_EQ(taken({-infinity, -3, -2, -infinity}), (std::vector<double>{0, 0, 1, 0}));
    EXPECT_EQ(taken({-1e30f, 3e38f, 2}, {.top_k = 2, .top_p = 0.1, .min_p = 0.5}),
              (std::vector<double>{0, 1, 0}));
}

TEST(sample, neither_large_logits_nor_extreme_temperatures_overflow) {
    const std::vector<std::vector<float>> logits{
        {1000, 999, 998.5f}, {-1000, -999, -1001}, {3e38f, -3e38f, 3e38f}, four_logits};
    EXPECT_TRUE(all_right(each_with({{}, {.top_p = 0.6, .min_p = 0.2}}, logits)));
    EXPECT_TRUE(all_right(each_with({{.temperature = 1e-6}, {.temperature = 1e300}}, logits)));
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
    EXPECT_TRUE(all_right(
        each_with({{}, {.temperature = 3}, {.top_k = 2}, {.top_k = 5}, {.top_p = 0.7}, {.min_p = 0.5}},
                  {{-infinity, 1, -infinity, 2, 1, -infinity}, {-infinity, -700, -infinity}})));
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
    EXPECT_TRUE(all_right(each_with(
        {{.top_k = 1, .top_p = 1, .min_p = 1}, {.top_k = Sampling::all, .min_p = 0}}, {four_logits})))
        << "these are the limits, and make sense";
}

// --- sample

// What sample gives with the first draw of each of these generators.
TokenIds sampled(const std::vector<double>& p, const std::vector<Rng>& rngs) {
    TokenIds tokens;
    for (Rng rng : rngs) tokens.push_back(sample(p, rng));
    return tokens;
}

double next_draw(Rng rng) { return rng.uniform(); }

// Of tokens 1, 3, 4 and 5; the others never come.
const std::vector<double> some_probabilities{0, 0.125, 0, 0.375, 0.3, 0.2, 0};

TEST(sample, takes_the_token_on_whose_part_the_draw_falls) {
    std::vector<Rng> rngs;
    std::vector<double> draws;
    TokenIds right;
    for (std::uint64_t seed = 1; seed <= 16; ++seed) {
        rngs.emplace_back(seed);
        const double u = next_draw(rngs.back());
        draws.push_back(u);
        right.push_back(u < 0.125 ? 1 : u < 0.5 ? 3 : u < 0.8 ? 4 : 5);
    }
    EXPECT_EQ(sampled(some_probabilities, rngs), right)
        << fmt::format("of the probabilities {}, with u = {:.3f}", fmt::join(some_probabilities, ", "),
                       fmt::join(draws, ", "));
}

// Token 3 begins where the draw is, and then just above it.
TEST(sample, the_edges_of_a_part_belong_to_one_token_each) {
    const Rng rng(3);
    const double u = next_draw(rng), more = u + 0x1.0p-53;
    EXPECT_EQ(sampled({0, 0.125, u - 0.125, (1 - u) / 2, (1 - u) / 2}, {rng}), TokenIds{3})
        << "the sum is above u, not equal to it";
    EXPECT_EQ(sampled({0, 0.125, more - 0.125, (1 - more) / 2, (1 - more) / 2}, {rng}), TokenIds{2})
        << "the sum is a little above u";
    const double less = u - 0x1.0p-40;
    EXPECT_EQ(sampled({0, 0.125, less - 0.125, (1 - less) / 2, (1 - less) / 2}, {rng}), TokenIds{3})
        << "the sum is a little below u";
}

TEST(sample, rounding_leaves_no_token_of_probability_0) {
    const Rng rng(3);
    const double u = next_draw(rng);
    EXPECT_EQ(sampled({0, u / 2, 0, u / 4, 0, 0}, {rng}), TokenIds{3})
        << "the sum of all stays below u: then the last token comes whose probability is not 0";
    EXPECT_EQ(sampled({0, u / 8, u / 8, 0, u / 8, u / 4, 0}, {rng}), TokenIds{5})
        << "the same; this is the likeliest one, too";
}

TEST(sample, draws_once) {
    for (const std::vector<double>& p :
         {some_probabilities, {1.0}, {0.0, 1.0, 0.0}, std::vector<double>(20, 0.05)}) {
        Rng rng(5), counted(5);
        (void)sample(p, rng);
        std::size_t draws = 0;
        for (; draws < 99 && counted.state() != rng.state(); ++draws) (void)counted.uniform();
        EXPECT_EQ(draws, 1u) << fmt::format("draws for one token of {}", p.size());
    }
}

TEST(sample, each_token_comes_as_often_as_its_probability_says) {
    constexpr std::size_t draws = 100'000;
    const std::vector<double> p{0.05, 0.4, 0.1, 0.25, 0.2};
    std::vector<double> shares(p.size(), 0.0);
    Rng rng(1);
    for (std::size_t i = 0; i < draws; ++i)
        shares.at(static_cast<std::size_t>(sample(p, rng))) += 1.0 / static_cast<double>(draws);
    EXPECT_TRUE(close_named("the share of each token in 100,000 draws", as_tensor(shares), as_tensor(p),
                            {.relative = 0.0, .absolute = 0.008}));
}

TEST(sample, refuses_probabilities_of_which_none_can_come) {
    Rng rng(1);
    EXPECT_TRUE(refuses<ValueError>([&] { (void)sample({}, rng); }, {"no probabilities"}));
    EXPECT_TRUE(refuses<ValueError>([&] { (void)sample(std::vector<double>(3, 0.0), rng); }, {"3", "0"}));
    EXPECT_EQ(sample(std::vector<double>{0.0, 1.0}, rng), 1) << "one of them is enough";
}

}  // namespace
}  // namespace tfs::test

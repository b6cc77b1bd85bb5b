// tests/11_generation/sample_test.cpp · step sample: probabilities by hand and by another way; which token a draw takes
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

#include "chapters/11_generation/generation.hpp"
#include "tests/support/close.hpp"
#include "tests/support/golden.hpp"

namespace tfs::test {
namespace {

// --- token_probabilities

using Logits = std::vector<float>;

// Their softmax is 0.3, 0.1, 0.4, 0.2; then tokens 1, 3 and 4 are equal, and so are 0 and 5.
const Logits four_logits{1.0986123f, 0.0f, 1.3862944f, 0.6931472f}, equal_logits{1, 2, 0.5f, 2, 2, 1},
    four_equal(4, 3.0f),
    seven_equal(7, -1.5f), many_logits{0.5f, 3, 1.5f, -2,    4,  2.5f,  3.5f,  3,     -1,   0,
                                       2,    4, 1,    3.75f, -3, 2.25f, 0.25f, 1.75f, 3.25f};

// From a sorted list of the tokens that are left, which each filter makes shorter.
std::vector<double> reference_probabilities(const Logits& logits, const Sampling& sampling) {
    struct Token {
        long double p = 0.0L;
        std::size_t id = 0;
    };
    const float largest = *std::max_element(logits.begin(), logits.end());
    std::vector<Token> left;
    for (std::size_t id = 0; id < logits.size(); ++id)
        left.push_back({std::exp((static_cast<long double>(logits[id]) - largest) /
                                 static_cast<long double>(sampling.temperature)),
                        id});
    std::stable_sort(left.begin(), left.end(), [](const Token& a, const Token& b) { return a.p > b.p; });
    const auto keep = [&](auto count) {
        left.resize(std::min(static_cast<std::size_t>(count), left.size()));
        long double sum = 0.0L;
        for (const Token& token : left) sum += token.p;
        for (Token& token : left) token.p /= sum;
    };
    keep(sampling.top_k);
    std::size_t count = 0;
    for (long double sum = 0.0L; count < left.size() && (sampling.top_p == 1.0 || sum < sampling.top_p);)
        sum += left[count++].p;
    keep(count);
    keep(std::count_if(left.begin(), left.end(),
                       [&](const Token& token) { return token.p >= sampling.min_p * left[0].p; }));
    std::vector<double> result(logits.size(), 0.0);
    for (const Token& token : left) result[token.id] = static_cast<double>(token.p);
    return result;
}

Tensor as_tensor(const std::vector<double>& values) {
    return Tensor::from({values.size()}, Logits(values.begin(), values.end()));
}

// Also of very small ones, and exactly 0 for what is not kept.
constexpr Tolerance of_probabilities{.relative = 1e-5, .absolute = 1e-30};

// Each of these settings for each of these logits. All are computed; a failure tells the first that is wrong.
testing::AssertionResult all_right(const std::vector<Logits>& all, const std::vector<Sampling>& settings) {
    testing::AssertionResult first = testing::AssertionSuccess();
    std::vector<double> found;
    for (const Logits& logits : all)
        for (const Sampling& s : settings) {
            const std::vector<double> p = token_probabilities(logits, s);
            const auto right = close_named(
                fmt::format("logits {:.4g}, temperature {}, top_k {}, top_p {}, min_p {}",
                            fmt::join(logits, ", "), s.temperature,
                            s.top_k == Sampling::all ? "all" : std::to_string(s.top_k), s.top_p, s.min_p),
                as_tensor(p), as_tensor(reference_probabilities(logits, s)), of_probabilities);
            if (first && !right) first = right;
            found.insert(found.end(), p.begin(), p.end());
        }
    return first << (first ? "" : came(as_tensor(found).array(), of_probabilities));
}

// Of 0.3, 0.1, 0.4, 0.2. A temperature of 0.5 makes them 9 : 1 : 16 : 4.
TEST(sample, probabilities_are_those_computed_by_hand) {
    const auto are = [](const Sampling& sampling, const std::vector<double>& p) {
        return close(as_tensor(token_probabilities(four_logits, sampling)), as_tensor(p), of_probabilities);
    };
    EXPECT_TRUE(are({.temperature = 0.5}, {0.3, 1.0 / 30.0, 16.0 / 30.0, 4.0 / 30.0}));
    EXPECT_TRUE(are({.top_p = 0.75}, {3.0 / 9.0, 0, 4.0 / 9.0, 2.0 / 9.0}));
    EXPECT_TRUE(are({.top_k = 3, .top_p = 0.7, .min_p = 0.3}, {3.0 / 7.0, 0, 4.0 / 7.0, 0}));
}

TEST(sample, defaults_give_the_softmax) {
    EXPECT_TRUE(all_right({four_logits, equal_logits, {-3}, {0.25f, -7, 3, 1, 1, -2, 0, 4}}, {{}}));
    EXPECT_TRUE(all_right({{0, -50}, {-60, -50, 0, -55, -0.5f}}, {{}})) << "unlikely tokens stay";
}

TEST(sample, temperature_divides_the_logits) {
    EXPECT_TRUE(all_right({four_logits, equal_logits}, {{.temperature = 0.5}, {.temperature = 7.5}}));
}

TEST(sample, temperature_0_takes_the_first_of_the_largest) {
    using P = std::vector<double>;
    EXPECT_EQ(token_probabilities(equal_logits, {.temperature = 0}), (P{0, 1, 0, 0, 0, 0}));
    EXPECT_EQ(token_probabilities(Logits{-infinity, -3, -2, -infinity}, {.temperature = 0}), (P{0, 0, 1, 0}));
    const Sampling all{.temperature = 0, .top_k = 2, .top_p = 0.1, .min_p = 0.5};
    EXPECT_EQ(token_probabilities(Logits{-1e30f, 3e38f, 2}, all), (P{0, 1, 0}));
}

TEST(sample, neither_large_logits_nor_extreme_temperatures_overflow) {
    const std::vector<Logits> large{
        {1000, 999, 998.5f}, {-1000, -999, -1001}, {3e38f, -3e38f, 3e38f}, four_logits};
    EXPECT_TRUE(all_right(large, {{}, {.top_p = 0.6, .min_p = 0.2}}));
    EXPECT_TRUE(all_right(large, {{.temperature = 1e-6}, {.temperature = 1e300}}));
}

TEST(sample, top_k_keeps_the_k_largest) {
    EXPECT_TRUE(all_right({four_logits}, {{.top_k = 1}, {.top_k = 2}, {.top_k = 3}, {.top_k = 9}}));
}

TEST(sample, of_equal_tokens_the_smaller_ids_stay) {
    EXPECT_TRUE(all_right({equal_logits, seven_equal}, {{.top_k = 2}, {.top_k = 4}, {.top_p = 0.3}}));
}

TEST(sample, top_p_keeps_the_token_that_reaches_it) {
    EXPECT_TRUE(
        all_right({four_logits}, {{.top_p = 0.05}, {.top_p = 0.45}, {.top_p = 0.65}, {.top_p = 0.95}}));
    EXPECT_TRUE(all_right({four_equal}, {{.top_p = 0.25}, {.top_p = 0.75}})) << "it is reached exactly";
    EXPECT_TRUE(all_right({seven_equal}, {{.top_p = std::nextafter(1.0, 0.0)}}))
        << "as they are rounded, they add up to less than this: all stay";
}

TEST(sample, min_p_is_a_share_of_the_largest) {
    EXPECT_TRUE(all_right({four_logits}, {{.min_p = 0.2}, {.min_p = 0.4}}));
    EXPECT_TRUE(all_right({four_logits, equal_logits, four_equal}, {{.min_p = 1.0}}));
}

TEST(sample, each_filter_sees_what_the_one_before_left) {
    EXPECT_TRUE(all_right({four_logits, many_logits}, {{.top_k = 2, .top_p = 0.5},
                                                       {.top_k = 3, .top_p = 0.8},
                                                       {.top_k = 2, .min_p = 0.7},
                                                       {.top_p = 0.65, .min_p = 0.76},
                                                       {.top_k = 3, .top_p = 0.6, .min_p = 0.3}}));
}

TEST(sample, the_temperature_comes_before_the_filters) {
    EXPECT_TRUE(all_right({four_logits, many_logits},
                          {{.temperature = 3, .top_p = 0.65},
                           {.temperature = 3, .min_p = 0.6},
                           {.temperature = 0.4, .top_k = 3, .top_p = 0.9, .min_p = 0.1}}));
}

TEST(sample, a_token_that_must_not_come_has_probability_0) {
    EXPECT_TRUE(all_right({{-infinity, 1, -infinity, 2, 1, -infinity}, {-infinity, -700, -infinity}},
                          {{}, {.top_k = 2}, {.top_k = 5}, {.top_p = 0.7}, {.min_p = 0.5}}));
}

// --- sample

// The token that comes with the first draw of a generator, and then how many draws it took.
std::pair<std::int64_t, std::size_t> sampled(const std::vector<double>& p, std::uint64_t seed) {
    Rng rng(seed), counted(seed);
    const std::int64_t token = sample(p, rng);
    std::size_t draws = 0;
    for (; draws < 99 && counted.state() != rng.state(); ++draws) (void)counted.uniform();
    return {token, draws};
}

TEST(sample, takes_the_token_on_whose_part_the_draw_falls) {
    for (std::uint64_t seed = 1; seed <= 12; ++seed) {
        const double u = Rng(seed).uniform();
        EXPECT_EQ(sampled({0.125, 0, 0.375, 0.3, 0.2, 0}, seed).first, u < 0.125 ? 0
                                                                       : u < 0.5 ? 2
                                                                       : u < 0.8 ? 3
                                                                                 : 4)
            << "of 0.125, 0, 0.375, 0.3, 0.2, 0 with u = " << u;
    }
}

// Token 3 begins where the draw is, or just above or below it.
TEST(sample, the_edges_of_a_part_belong_to_one_token_each) {
    const double u = Rng(3).uniform();
    const auto token = [&](double edge) {
        return sampled({0, 0.125, edge - 0.125, (1 - edge) / 2, (1 - edge) / 2}, 3).first;
    };
    EXPECT_EQ(token(u), 3) << "the sum of tokens 0 to 2 is u: it must be above";
    EXPECT_EQ(token(u + 0x1.0p-53), 2) << "the sum of tokens 0 to 2 is a little above u";
    EXPECT_EQ(token(u - 0x1.0p-40), 3) << "the sum of tokens 0 to 2 is a little below u";
}

TEST(sample, rounding_leaves_no_token_of_probability_0) {
    const double u = Rng(3).uniform();
    EXPECT_EQ(sampled({0, u / 2, 0, u / 4, 0, 0}, 3).first, 3)
        << "the sum of all stays below u: then the last token comes whose probability is not 0";
    EXPECT_EQ(sampled({0, u / 8, u / 8, 0, u / 8, u / 4, 0}, 3).first, 5) << "this is the likeliest one, too";
}

TEST(sample, draws_once) {
    EXPECT_EQ(sampled({0, 1, 0}, 5).second, 1u) << "draws where one token is certain";
    EXPECT_EQ(sampled(std::vector<double>(20, 0.05), 5).second, 1u) << "draws for one token of 20";
}

TEST(sample, each_token_comes_as_often_as_its_probability_says_in_the_long_run) {
    const std::vector<double> p{0.05, 0.4, 0.1, 0.25, 0.2};
    std::vector<double> shares(p.size(), 0.0);
    Rng rng(1);
    for (std::size_t i = 0; i < 20'000; ++i)
        shares.at(static_cast<std::size_t>(sample(p, rng))) += 1.0 / 20'000;
    for (std::size_t id = 0; id < p.size(); ++id) EXPECT_NEAR(shares[id], p[id], 0.015) << "of token " << id;
}

}  // namespace
}  // namespace tfs::test

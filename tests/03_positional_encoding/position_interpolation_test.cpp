// tests/03_positional_encoding/position_interpolation_test.cpp · step position_interpolation: trained heads on longer texts
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <string>
#include <vector>

#include "chapters/03_positional_encoding/models/marker_finder.hpp"
#include "common/base/address_sanitizer.hpp"
#include "tests/support/close.hpp"

namespace tfs::test {
namespace {

using Factors = std::vector<double>;

constexpr std::size_t seeds = has_address_sanitizer ? 3 : 5, trained = Finder::trained_length;
constexpr double enough_largest = 0.9, enough_weight = 0.845;

const std::vector<Finder>& heads() {
    static const std::vector<Finder> trained_heads = [] {
        std::vector<Finder> all;
        for (std::size_t seed = 1; seed <= seeds; ++seed)
            all.push_back(fitted_finder(Finder::Kind::rotary, seed));
        return all;
    }();
    return trained_heads;
}

// What the worst of the heads does with these factors, by each measure.
Found worst(const Factors& factors, std::size_t length) {
    Found least{1.0, 1.0};
    for (const Finder& head : heads()) {
        const Found found = found_by(with_factors(head, factors), length);
        least.largest = std::min(least.largest, found.largest);
        least.weight = std::min(least.weight, found.weight);
    }
    return least;
}

bool is_enough(const Found& found) {
    return found.largest >= enough_largest && found.weight >= enough_weight;
}

double turns(std::size_t pair) {  // of a pair, within the trained length
    return static_cast<double>(trained) * finder_frequencies()[pair] / (2.0 * std::numbers::pi);
}

bool all_near(const Factors& factors, double value) {
    return std::all_of(factors.begin(), factors.end(),
                       [&](double factor) { return std::abs(factor - value) < 1e-6; });
}

Factors backwards(const Factors& factors) { return {factors.rbegin(), factors.rend()}; }

// What these factors do to the pairs. It says what happens; what to write is the step.
std::string cause(const Factors& factors, std::size_t longest) {
    const double interpolation = static_cast<double>(trained) / static_cast<double>(longest);
    if (std::find(factors.begin(), factors.end(), 0.0) != factors.end())
        return "a factor is 0, so its pair stands still (trained / longest of integers is 0)";
    if (all_near(factors, 1.0))
        return "nothing has changed: slow pairs turn further than they ever did in training";
    if (all_near(factors, interpolation))
        return "this is interpolation: no angle is new, but the fast pairs are slow now, too, and they tell "
               "neighbours apart";
    if (all_near(factors, 1.0 / interpolation))
        return "the factors are upside down: every pair turns faster, and comes to more new angles";
    if (factors.front() < factors.back() && is_enough(worst(backwards(factors), longest)))
        return "the factors are in reverse order: pair 0 is the fastest";
    if (all_near(factors, factors.front()))
        return "all pairs have one factor: it slows the fast pairs, which tell neighbours apart, and leaves "
               "new angles to the slow ones";
    if (worst(factors, longest).largest >= enough_largest)
        return "the right marker has the largest weight, but too little of it: markers at near distances are "
               "too much alike, because "
               "fast pairs are too slow now";
    const std::size_t pairs = factors.size();
    for (std::size_t i = 0; i + 1 < pairs; ++i) {
        const bool jumps = factors[i] > 0.95 && factors[i + 1] < 1.05 * interpolation;
        if (jumps && turns(i) < 4.0)
            return fmt::format(
                "pair {} is as fast as in training, pair {} is {:g} times as slow: where the fast pairs have "
                "come round, the slow ones have hardly moved, and the head has never seen these angles "
                "together",
                i, i + 1, 1.0 / interpolation);
    }
    for (std::size_t i = 0; i < pairs; ++i) {
        if (turns(i) >= 1.0 || factors[i] < 1.3 * interpolation) continue;
        return fmt::format(
            "pair {} makes {:.2f} turns in the trained length and {:.2f} now: it comes to angles that it "
            "never had",
            i, turns(i), turns(i) * factors[i] / interpolation);
    }
    if (factors.front() < 0.5) return "the fastest pairs are slow now, and they tell neighbours apart";
    return "the angles of fast and of slow pairs come together in ways that training did not show";
}

void expect_factors(const Factors& factors) {
    ASSERT_EQ(factors.size(), finder_frequencies().size())
        << likely_if(true, "there is not a factor for each frequency");
    for (std::size_t i = 0; i < factors.size(); ++i)
        ASSERT_TRUE(std::isfinite(factors[i]) && factors[i] >= 0.0)
            << fmt::format("the factor of pair {} is {:g}", i, factors[i])
            << likely_if(true, "a factor is a positive number");
}

TEST(position_interpolation, changes_nothing_up_to_the_trained_length) {
    for (const std::size_t longest : {trained / 2, trained}) {
        const Factors factors = rotary_factors(finder_frequencies(), trained, longest);
        expect_factors(factors);
        EXPECT_TRUE(all_near(factors, 1.0)) << fmt::format("for texts of {} words", longest);
    }
    (void)rotary_factors(finder_frequencies(), trained, 2 * trained);
}

// The five heads at one length: both measures, for the worst of them.
void expect_found(std::size_t longest) {
    const Factors factors = rotary_factors(finder_frequencies(), trained, longest);
    expect_factors(factors);
    if (testing::Test::HasFatalFailure()) return;
    const Found found = worst(factors, longest);
    EXPECT_TRUE(is_enough(found)) << fmt::format(
                                         "texts of {} words: the worst of {} heads finds the marker for "
                                         "{:.1f} % of the queries (wanted: 90), with a mean weight of {:.3f} "
                                         "(wanted: 0.845)",
                                         longest, seeds, 100.0 * found.largest, found.weight)
                                  << likely_if(!is_enough(found), cause(factors, longest));
}

TEST(position_interpolation, finds_the_marker_in_texts_of_64_words) { expect_found(64); }
TEST(position_interpolation, finds_the_marker_in_texts_of_128_words) { expect_found(128); }
TEST(position_interpolation, finds_the_marker_in_texts_of_256_words) { expect_found(256); }

// What the lesson says of heads whose frequencies nobody changed, and of interpolation.
TEST(given_marker_finder, reads_longer_texts_worse_unchanged_and_less_surely_interpolated) {
    const Factors unchanged(Finder::width / 2, 1.0), interpolated(Finder::width / 2, 0.125);
    EXPECT_GE(worst(unchanged, trained).weight, 0.99);
    EXPECT_LT(worst(unchanged, 256).largest, 0.8);
    EXPECT_GE(worst(interpolated, 256).largest, 0.95);
    for (const Finder& head : heads())
        EXPECT_LT(found_by(with_factors(head, interpolated), 256).weight, 0.72);
}

// Where pairs 0 to 2 keep their speed and the others are 8 times as slow, pair 2 has come round at distance 20.
TEST(given_marker_finder, scores_a_marker_at_distance_20_as_one_at_0_under_a_sharp_rule) {
    Factors sharp(Finder::width / 2, 0.125);
    std::fill_n(sharp.begin(), 3, 1.0);
    for (const Finder& head : heads()) {
        const std::vector<double> before = marker_scores(head, 21),
                                  after = marker_scores(with_factors(head, sharp), 21);
        EXPECT_NEAR(before[0], after[0], 1e-3);
        EXPECT_LT(before[20], 0.6 * before[0]);
        EXPECT_GT(after[20], 0.8 * after[0]);
    }
}

// ALiBi is ahead by the one measure, rotary by the other.
TEST(given_marker_finder, is_ahead_with_alibi_by_the_largest_weight_and_with_rotary_by_the_mean_weight) {
    const Finder alibi = fitted_finder(Finder::Kind::alibi, 1);
    std::size_t ahead_at_256 = 0;
    for (const std::size_t length : {32u, 64u, 128u, 256u}) {
        const Found with_alibi = found_by(alibi, length);
        EXPECT_EQ(with_alibi.largest, 1.0) << length;
        EXPECT_NEAR(with_alibi.weight, 0.77, 0.03) << length;
        for (const Finder& head : heads()) {
            const double weight = found_by(head, length).weight;
            if (length < 256) {
                EXPECT_GT(weight, with_alibi.weight) << length;
            } else {
                ahead_at_256 += weight > with_alibi.weight;
            }
        }
    }
    EXPECT_GE(ahead_at_256, has_address_sanitizer ? 2u : 3u);
}

}  // namespace
}  // namespace tfs::test

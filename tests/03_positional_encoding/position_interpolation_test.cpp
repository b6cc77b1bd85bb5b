// tests/03_positional_encoding/position_interpolation_test.cpp · step position_interpolation: trained heads on longer texts
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "chapters/03_positional_encoding/models/marker_finder.hpp"
#include "common/base/address_sanitizer.hpp"
#include "tests/support/close.hpp"
#include "tests/support/runs.hpp"

namespace tfs::test {
namespace {

using Factors = std::vector<double>;

constexpr std::size_t seeds = has_address_sanitizer ? 3 : 5, trained = Finder::trained_length;

const std::vector<Finder>& heads() {
    static const std::vector<Finder> trained_heads = [] {
        std::vector<Finder> all;
        for (std::size_t seed = 1; seed <= seeds; ++seed)
            all.push_back(fitted_finder(Finder::Kind::rotary, seed));
        return all;
    }();
    return trained_heads;
}
const Prepared prepared("position_interpolation", [] { (void)heads(); });

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

std::string in_text(const Factors& factors) { return fmt::format("{:.4g}", fmt::join(factors, ", ")); }

// The factors for texts of this length. A failure, and true, where they are no factors.
bool are_wrong(const Factors& factors, std::size_t longest) {
    const std::size_t pairs = finder_frequencies().size();
    if (factors.size() == pairs &&
        std::all_of(factors.begin(), factors.end(), [](double f) { return std::isfinite(f) && f >= 0.0; }))
        return false;
    ADD_FAILURE() << fmt::format(
        "there must be a factor for each of the {} pairs; for {} words there came {}", pairs, longest,
        in_text(factors));
    return true;
}

Factors factors_for(std::size_t longest) { return rotary_factors(finder_frequencies(), trained, longest); }

TEST(position_interpolation, changes_nothing_up_to_the_trained_length) {
    for (const std::size_t longest : {trained / 2, trained})
        EXPECT_EQ(in_text(factors_for(longest)), in_text(Factors(finder_frequencies().size(), 1.0)))
            << fmt::format("for texts of {} words", longest);
    (void)factors_for(2 * trained);
}

// The number of words is not the same everywhere, as one number in place of `longest` would have it.
TEST(position_interpolation, slows_the_slowest_pair_more_for_longer_texts) {
    double before = 1.0;
    for (const std::size_t longest : {64u, 128u, 256u}) {
        const Factors factors = factors_for(longest);
        if (are_wrong(factors, longest)) return;
        EXPECT_LT(factors.back(), before)
            << fmt::format("the factor of the slowest pair, for {} words and for {}", longest, longest / 2);
        before = factors.back();
    }
}

// The five heads at one length: both measures, for the worst of them.
void expect_found(std::size_t longest) {
    const Factors factors = factors_for(longest);
    if (are_wrong(factors, longest)) return;
    const Found found = worst(factors, longest);
    if (found.largest >= 0.9 && found.weight >= 0.845) return;
    ADD_FAILURE() << fmt::format(
                         "texts of {} words: the worst of {} heads finds the marker for {:.1f} % of the "
                         "queries (wanted: 90), with a mean weight of {:.3f} (wanted: 0.845). The factors, "
                         "from the fastest pair on: {}",
                         longest, seeds, 100.0 * found.largest, found.weight, in_text(factors))
                  << came(in_text(factors));
}

TEST(position_interpolation, finds_the_marker_in_texts_of_64_words) { expect_found(64); }
TEST(position_interpolation, finds_the_marker_in_texts_of_128_words) { expect_found(128); }
TEST(position_interpolation, finds_the_marker_in_texts_of_256_words) { expect_found(256); }

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

// tests/03_positional_encoding/position_interpolation_test.cpp · step position_interpolation: trained heads on longer texts
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
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

struct Head {
    Finder finder;
    std::map<std::size_t, double> interpolated = {};  // by length: the mean weight, interpolated
};

const std::vector<Head>& heads() {
    static const std::vector<Head> trained_heads = [] {
        std::vector<Head> all;
        for (std::size_t seed = 1; seed <= seeds; ++seed) {
            Head& head = all.emplace_back(Head{fitted_finder(Finder::Kind::rotary, seed)});
            for (const std::size_t times : {2u, 4u, 8u}) {
                const Factors interpolation(finder_frequencies().size(), 1.0 / static_cast<double>(times));
                head.interpolated[times * trained] =
                    found_by(with_factors(head.finder, interpolation), times * trained).weight;
            }
        }
        return all;
    }();
    return trained_heads;
}
const Prepared prepared("position_interpolation", [] { (void)heads(); });

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

// Each head at one length: its largest weight, and its mean weight beside that of the same head with position interpolation.
void expect_found(std::size_t longest) {
    const Factors factors = factors_for(longest);
    if (are_wrong(factors, longest)) return;
    for (std::size_t i = 0; i < seeds; ++i) {
        const Found found = found_by(with_factors(heads()[i].finder, factors), longest);
        const double interpolated = heads()[i].interpolated.at(longest);
        const bool enough = found.largest >= 0.9;
        if (enough && found.weight >= interpolated + 0.001) continue;
        const std::string what =
            enough ? fmt::format(
                         "its mean weight on the marker, {:.1f} %, is not above the {:.1f} % of "
                         "interpolation; perhaps fast pairs are too slow to tell near words apart",
                         100.0 * found.weight, 100.0 * interpolated)
                   : fmt::format(
                         "it finds the marker for {:.1f} % of the queries, not for 90; perhaps pairs come to "
                         "angles that they never had in training, or never had together",
                         100.0 * found.largest);
        ADD_FAILURE()
            << fmt::format("texts of {} words, head {} of {}: {}. The factors, from the fastest pair on: {}",
                           longest, i + 1, seeds, what, in_text(factors))
            << came(in_text(factors));
        return;
    }
}

TEST(position_interpolation, finds_the_marker_in_texts_of_64_words) { expect_found(64); }
TEST(position_interpolation, finds_the_marker_in_texts_of_128_words) { expect_found(128); }
TEST(position_interpolation, finds_the_marker_in_texts_of_256_words) { expect_found(256); }

TEST(position_interpolation, says_which_pairs_have_the_smallest_factors) {
    const std::array names{"all_alike", "fast_pairs", "slow_pairs"};  // as in the contract
    const auto said = static_cast<std::size_t>(factor_choice().slowed);
    const Factors factors = factors_for(Finder::longest);
    if (are_wrong(factors, Finder::longest)) return;
    const auto [smallest, largest] = std::minmax_element(factors.begin(), factors.end());
    const std::size_t done = *largest - *smallest < 1e-6 ? 0 : smallest < largest ? 1 : 2;
    EXPECT_EQ(names.at(said), std::string(names.at(done)))
        << "what you say, and what your factors for 256 words do: " << in_text(factors);
    EXPECT_NE(done, 1u) << "no reason of the contract is one to slow the fast pairs most";
}

// Wrong reasons are told apart by the mistakes, which know what speaks against each.
void expect_reason(Because FactorChoice::*question, Because reason) {
    const std::array names{"matter_little", "near_words", "come_round", "new_angles"};  // as in the contract
    const Because said = factor_choice().*question;
    if (said == reason) return;
    const std::string name = names.at(static_cast<std::size_t>(said));
    ADD_FAILURE() << "you say " << name << ", but that is not why" << came(name);
}

TEST(position_interpolation, says_why_no_change_fails) {
    expect_reason(&FactorChoice::no_change_fails, Because::new_angles);
}

TEST(position_interpolation, says_why_interpolation_fails) {
    expect_reason(&FactorChoice::interpolation_fails, Because::near_words);
}

}  // namespace
}  // namespace tfs::test

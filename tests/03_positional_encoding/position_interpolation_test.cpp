// tests/03_positional_encoding/position_interpolation_test.cpp · step position_interpolation: trained heads on longer texts
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
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
constexpr std::size_t longest = Finder::longest;
constexpr double interpolation = static_cast<double>(trained) / static_cast<double>(longest);
constexpr double wanted_found = 0.9, wanted_lead = 0.05;  // as in the contract

struct Head {
    Finder finder;
    double interpolated;  // the mean weight, with position interpolation
};

const std::vector<Head>& heads() {
    static const std::vector<Head> trained_heads = [] {
        const Factors all_alike(finder_frequencies().size(), interpolation);
        std::vector<Head> all;
        for (std::size_t seed = 1; seed <= seeds; ++seed) {
            const Finder finder = fitted_finder(Finder::Kind::rotary, seed);
            all.push_back({finder, found_by(with_factors(finder, all_alike), longest).weight});
        }
        return all;
    }();
    return trained_heads;
}
const Prepared prepared("position_interpolation", [] { (void)heads(); });

std::string in_text(const Factors& factors) { return fmt::format("{:.4g}", fmt::join(factors, ", ")); }

// The factors for texts of this length; empty, with a failure, where they are no factors.
Factors factors_for(std::size_t length) {
    const std::size_t pairs = finder_frequencies().size();
    Factors factors = rotary_factors(finder_frequencies(), trained, length);
    if (factors.size() == pairs &&
        std::all_of(factors.begin(), factors.end(), [](double f) { return std::isfinite(f) && f >= 0.0; }))
        return factors;
    ADD_FAILURE() << fmt::format(
        "there must be a factor for each of the {} pairs; for {} words there came {}", pairs, length,
        in_text(factors));
    return {};
}

TEST(position_interpolation, changes_nothing_up_to_the_trained_length) {
    for (const std::size_t length : {trained / 2, trained})
        EXPECT_EQ(in_text(factors_for(length)), in_text(Factors(finder_frequencies().size(), 1.0)))
            << fmt::format("for texts of {} words", length);
    (void)factors_for(2 * trained);
}

// The number of words is not the same everywhere, as one number in place of `longest` would have it.
TEST(position_interpolation, slows_the_slowest_pair_more_for_longer_texts) {
    double before = 1.0;
    for (const std::size_t length : {64u, 128u, 256u}) {
        const Factors factors = factors_for(length);
        if (factors.empty()) return;
        if (factors.back() < before) {
            before = factors.back();
            continue;
        }
        ADD_FAILURE() << fmt::format(
                             "the factor of the slowest pair must be smaller for longer texts; it is {:.4g} "
                             "for {} words and {:.4g} for {}",
                             before, length / 2, factors.back(), length)
                      << came(fmt::format("{} for {}",
                                          factors.back() > before ? in_text({factors.back()}) : "the same",
                                          length));
        return;
    }
}

// What is wrong with these factors, whatever the numbers: the mistakes say it in words.
std::string kind_of(const Factors& factors) {
    if (factors.front() >= 1.0 && factors.back() >= 1.0) return in_text(factors);
    if (factors.front() < factors.back()) return "fast pairs slowed most";
    bool jumps = false;
    for (std::size_t i = 1; i < factors.size(); ++i) {
        const double turns = static_cast<double>(trained) * finder_frequencies()[i] / (2 * std::numbers::pi);
        if (turns < 1.0 && factors[i] > 2.0 * interpolation) return "slow pairs kept";
        jumps = jumps || factors[i - 1] > 3.0 * factors[i];
    }
    return jumps ? "jump" : factors.front() < 0.5 ? "fast pairs slowed" : in_text(factors);
}

// With one decimal, or two where one would hide that this is less than wanted.
std::string in_percent(double share, double wanted) {
    const std::string rounded = fmt::format("{:.1f}", 100.0 * share);
    return rounded == fmt::format("{:.1f}", 100.0 * wanted) ? fmt::format("{:.2f}", 100.0 * share) : rounded;
}

TEST(position_interpolation, finds_the_marker_in_texts_of_256_words) {
    const Factors factors = factors_for(longest);
    for (std::size_t i = 0; i < seeds && !factors.empty(); ++i) {
        const auto& [finder, interpolated] = heads()[i];
        const Found found = found_by(with_factors(finder, factors), longest);
        const double wanted = interpolated + wanted_lead;
        if (found.largest >= wanted_found && found.weight >= wanted) continue;
        const std::string what =
            found.largest < wanted_found
                ? fmt::format(
                      "it finds the marker for {} % of the queries, and {:.0f} % are wanted: far markers "
                      "score as near ones (look at the section `factors`)",
                      in_percent(found.largest, wanted_found), 100.0 * wanted_found)
                : fmt::format(
                      "its mean weight on the marker is {} %, and {:.1f} % are wanted, {:.0f} more than the "
                      "{:.1f} % of position interpolation{}",
                      in_percent(found.weight, wanted), 100.0 * wanted, 100.0 * wanted_lead,
                      100.0 * interpolated,
                      factors[0] < 1.0 ? ": near markers look alike, as the fastest pair is slowed" : "");
        ADD_FAILURE() << fmt::format("head {} of {}: {}. The factors, from the fastest pair on: {}", i + 1,
                                     seeds, what, in_text(factors))
                      << came(kind_of(factors));
        return;
    }
}

TEST(position_interpolation, says_which_pairs_have_the_smallest_factors) {
    const std::array names{"all_alike", "fast_pairs", "slow_pairs"};  // as in the contract
    const auto said = static_cast<std::size_t>(factor_choice().slowed);
    const Factors factors = factors_for(longest);
    if (factors.empty()) return;
    const auto [smallest, largest] = std::minmax_element(factors.begin(), factors.end());
    const std::size_t done = *largest - *smallest < 1e-6 ? 0 : smallest < largest ? 1 : 2;
    if (said == done && done != 1) return;
    ADD_FAILURE() << fmt::format("you say {}; by your factors for 256 words it is {}{}: {}", names.at(said),
                                 names.at(done),
                                 done == 1 ? ", and no reason of the contract is one for that" : "",
                                 in_text(factors))
                  << came(done == 1 ? "fast pairs slowed most" : "other pairs named");
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

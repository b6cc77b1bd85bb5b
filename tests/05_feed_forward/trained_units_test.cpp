// tests/05_feed_forward/trained_units_test.cpp · step trained_units: small examples, and the contexts that are held back
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "chapters/05_feed_forward/feed_forward.hpp"
#include "chapters/05_feed_forward/given/recorded_units.hpp"
#include "tests/support/close.hpp"
#include "tests/support/refusal.hpp"

namespace tfs::test {
namespace {

using Places = std::vector<std::size_t>;

// A likely wrong answer, and what it comes from.
struct Wrong {
    std::string cause;
    Places places;
};

testing::AssertionResult are_places(const Places& found, const Places& expected,
                                    const std::vector<Wrong>& wrong) {
    if (found == expected) return testing::AssertionSuccess();
    const auto likely =
        std::find_if(wrong.begin(), wrong.end(), [&](const Wrong& one) { return one.places == found; });
    return testing::AssertionFailure()
           << fmt::format("got {}, expected {}", found, expected)
           << likely_if(likely != wrong.end(), likely == wrong.end() ? "" : likely->cause);
}

// Two units in five contexts.
const Tensor strengths = Tensor::from({2, 5}, {1, 5, -6, 5, 0, 0, 1, 2, 9, -1});

TEST(trained_units, the_strongest_contexts_come_first) {
    const std::string no_row = "`unit` is not used: these are the strongest contexts of unit 0";
    EXPECT_TRUE(
        are_places(strongest_contexts(strengths, 0, 3), {1, 3, 0},
                   {{"the weakest contexts come first; the strongest must", {2, 4, 0}},
                    {"of equal strengths the first one comes first", {3, 1, 0}},
                    {"a strength below 0 is a weak one, however large it is without its sign", {2, 1, 3}},
                    {"`count` is not used", {1, 3, 0, 4, 2}},
                    {"these are in the order of the text; the strongest must come first", {0, 1, 3}}}));
    EXPECT_TRUE(are_places(
        strongest_contexts(strengths, 1, 2), {3, 2},
        {{no_row, {1, 3}},
         {"the places are those in the whole table; a context is a place in the row of its unit", {8, 7}}}));
}

TEST(trained_units, takes_all_contexts_and_none) {
    EXPECT_EQ(strongest_contexts(strengths, 1, 5), (Places{3, 2, 1, 0, 4}));
    EXPECT_EQ(strongest_contexts(strengths, 1, 0), Places{});
}

// Three units of width 2, four characters.
const Tensor values = Tensor::from({3, 2}, {2, -2, 0, 3, -1, 0});
const Tensor table = Tensor::from({4, 2}, {1, 0, 3, 4, 0, -2, -6, 1});

TEST(trained_units, a_value_raises_the_characters_whose_rows_it_fits) {
    const std::string only_the_first = "`unit` is not used: these are the characters of unit 0";
    const std::string lowered = "these are the characters whose logits it lowers most";
    const std::string sign = "a logit far below 0 is lowered, not raised: the sign counts";
    EXPECT_TRUE(are_places(raised_most(values, 0, table, 2), {2, 0}, {{lowered, {3, 1}}, {sign, {3, 2}}}));
    EXPECT_TRUE(are_places(raised_most(values, 1, table, 3), {1, 3, 0},
                           {{only_the_first, {2, 0, 1}},
                            {lowered, {2, 0, 3}},
                            {sign, {1, 2, 3}},
                            {"`count` is not used", {1, 3, 0, 2}}}));
    EXPECT_TRUE(are_places(raised_most(values, 2, table, 1), {3}, {{only_the_first, {2}}, {lowered, {1}}}));
}

TEST(trained_units, a_product_counts_whole_and_not_the_angle) {
    const Tensor wide = Tensor::from({3, 2}, {1, 0, 9, 9, 0, 1}), right = Tensor::from({1, 2}, {1, 0});
    EXPECT_TRUE(are_places(
        raised_most(right, 0, wide, 2), {1, 0},
        {{"the rows are divided by their length: this is the angle; a logit is the whole product", {0, 1}}}));
}

TEST(trained_units, refuses_units_and_counts_that_are_not_there) {
    EXPECT_EQ(strongest_contexts(strengths, 1, 1), Places{3});
    EXPECT_EQ(raised_most(values, 1, table, 1), Places{1});
    EXPECT_TRUE(refuses<ValueError>([] { (void)strongest_contexts(strengths, 2, 1); }, {"no unit 2"}));
    EXPECT_TRUE(refuses<ValueError>([] { (void)strongest_contexts(strengths, 0, 6); }, {"6", "5"}));
    EXPECT_TRUE(refuses<ValueError>([] { (void)raised_most(values, 3, table, 1); }, {"no unit 3"}));
    EXPECT_TRUE(refuses<ValueError>([] { (void)raised_most(values, 0, table, 5); }, {"5", "4"}));
}

// --- the reading ------------------------------------------------------------------------------------------------------

bool ends(const std::string& context, const std::vector<std::string>& endings) {
    return std::any_of(endings.begin(), endings.end(),
                       [&](const std::string& ending) { return context.ends_with(ending); });
}

struct Score {
    std::size_t firing = 0, named = 0, both = 0;
    std::vector<std::string> missed, wrong;  // contexts

    [[nodiscard]] bool finds() const { return 3 * both >= 2 * firing; }
    [[nodiscard]] bool is_right() const { return named > 0 && 4 * both >= 3 * named; }
};

Score score(const RecordedUnits& recorded, std::size_t unit, const std::vector<std::string>& endings) {
    Score s;
    for (std::size_t i = 0; i < recorded.contexts.size(); ++i) {
        const bool fires = recorded.fires(unit, i), named = ends(recorded.contexts[i], endings);
        s.firing += fires;
        s.named += named;
        s.both += fires && named;
        if (fires && !named) s.missed.push_back(recorded.contexts[i]);
        if (!fires && named) s.wrong.push_back(recorded.contexts[i]);
    }
    return s;
}

// At most six of the contexts, evenly spread: "n of min", "d is min".
std::string some_of(const std::vector<std::string>& contexts) {
    constexpr std::size_t most = 6;
    std::vector<std::string> some;
    for (std::size_t i = 0; i < std::min(most, contexts.size()); ++i) {
        std::string one = contexts[i * contexts.size() / std::min(most, contexts.size())];
        std::replace(one.begin(), one.end(), '\n', '/');
        some.push_back('"' + one + '"');
    }
    return fmt::format("{}", fmt::join(some, ", "));
}

void reads_unit(std::size_t unit) {
    const std::vector<std::string> endings = firing_endings(unit);
    const RecordedUnits seen = recorded_units(Contexts::seen),
                        held_back = recorded_units(Contexts::held_back);
    const Score of_seen = score(seen, unit, endings), of_held_back = score(held_back, unit, endings);
    std::string cause;
    for (std::size_t other = 0; other < seen.units.size() && cause.empty(); ++other) {
        const Score there = score(seen, other, endings);
        if (other != unit && of_seen.both == 0 && there.is_right())
            cause = fmt::format("these are endings of unit {}, {}", other, seen.units[other]);
    }
    if (cause.empty() && of_seen.finds() && of_seen.is_right())
        cause =
            "your endings fit the contexts that you saw, and not the others: look for what they have in "
            "common";
    if (cause.empty() && !of_seen.is_right())
        cause = "the unit does not fire in all contexts that end so: not in " + some_of(of_seen.wrong);
    if (cause.empty())
        cause = "the unit fires in more contexts than these, and the strongest ones don't show all kinds: " +
                some_of(of_seen.missed);
    EXPECT_TRUE(of_held_back.finds() && of_held_back.is_right())
        << fmt::format(
               "{}: it fires in {} of the contexts that are held back; your endings find {} of these, "
               "and {} others\n",
               held_back.units[unit], of_held_back.firing, of_held_back.both,
               of_held_back.named - of_held_back.both)
        << likely_if(true, cause);
}

TEST(trained_units, the_endings_of_unit_0_hold_for_contexts_that_are_held_back) { reads_unit(0); }
TEST(trained_units, the_endings_of_unit_1_hold_for_contexts_that_are_held_back) { reads_unit(1); }
TEST(trained_units, the_endings_of_unit_2_hold_for_contexts_that_are_held_back) { reads_unit(2); }

// The recording: the strongest contexts alone show one ending for each unit, and it is not enough.
TEST(given_recorded_units, fire_for_more_than_the_ending_of_their_strongest_contexts) {
    const RecordedUnits held_back = recorded_units(Contexts::held_back);
    const std::vector<std::string> strongest{"sir", "not", "the"};
    for (std::size_t unit = 0; unit < strongest.size(); ++unit) {
        const Score s = score(held_back, unit, {strongest[unit]});
        EXPECT_TRUE(s.is_right());
        EXPECT_FALSE(s.finds()) << strongest[unit];
        EXPECT_GE(s.firing, 15u);
    }
}

}  // namespace
}  // namespace tfs::test

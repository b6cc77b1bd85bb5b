// tests/05_feed_forward/given_units_test.cpp · what is given of trained_units: strongest contexts, raised characters, the recording
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "chapters/05_feed_forward/feed_forward.hpp"
#include "tests/05_feed_forward/reading.hpp"
#include "tests/support/refusal.hpp"

namespace tfs::test {
namespace {

using Places = std::vector<std::size_t>;

// Two units in five contexts.
const Tensor strengths = Tensor::from({2, 5}, {1, 5, -6, 5, 0, 0, 1, 2, 9, -1});

TEST(given_units, the_strongest_contexts_come_first) {
    EXPECT_EQ(strongest_contexts(strengths, 0, 3), (Places{1, 3, 0}));
    EXPECT_EQ(strongest_contexts(strengths, 1, 5), (Places{3, 2, 1, 0, 4}));
    EXPECT_EQ(strongest_contexts(strengths, 1, 0), Places{});
}

// Three units of width 2, four characters.
const Tensor values = Tensor::from({3, 2}, {2, -2, 0, 3, -1, 0});
const Tensor table = Tensor::from({4, 2}, {1, 0, 3, 4, 0, -2, -6, 1});

TEST(given_units, a_value_raises_the_characters_whose_rows_it_fits) {
    EXPECT_EQ(raised_most(values, 0, table, 2), (Places{2, 0}));
    EXPECT_EQ(raised_most(values, 1, table, 3), (Places{1, 3, 0}));
    EXPECT_EQ(raised_most(values, 2, table, 1), Places{3});
}

TEST(given_units, refuse_units_and_counts_that_are_not_there) {
    EXPECT_TRUE(refuses<ValueError>([] { (void)strongest_contexts(strengths, 2, 1); }, {"no unit 2"}));
    EXPECT_TRUE(refuses<ValueError>([] { (void)strongest_contexts(strengths, 0, 6); }, {"6", "5"}));
    EXPECT_TRUE(refuses<ValueError>([] { (void)raised_most(values, 3, table, 1); }, {"no unit 3"}));
    EXPECT_TRUE(refuses<ValueError>([] { (void)raised_most(values, 0, table, 5); }, {"5", "4"}));
}

// The strongest contexts alone show one ending for each unit, and it is not enough.
TEST(given_units, respond_to_more_than_the_ending_of_their_strongest_contexts) {
    const RecordedUnits held_back = recorded_units(Contexts::held_back);
    const std::vector<std::string> strongest{"sir", "not", "the"};
    for (std::size_t unit = 0; unit < strongest.size(); ++unit) {
        const Reading reading = read(held_back, unit, {strongest[unit]});
        EXPECT_TRUE(reading.is_right());
        EXPECT_FALSE(reading.finds()) << strongest[unit];
        EXPECT_GE(reading.responses, 15u);
    }
}

TEST(given_units, the_endings_of_unit_0_hold_for_contexts_that_are_held_back) {
    const Reading reading = read(recorded_units(Contexts::held_back), 0, response_endings(0));
    EXPECT_TRUE(reading.finds() && reading.is_right());
}

}  // namespace
}  // namespace tfs::test

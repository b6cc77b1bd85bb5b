// tests/05_feed_forward/trained_units_test.cpp · step trained_units, and what is given of it: contexts that are held back
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "chapters/05_feed_forward/feed_forward.hpp"
#include "chapters/05_feed_forward/given/memories.hpp"
#include "tests/support/close.hpp"
#include "tests/support/refusal.hpp"

namespace tfs::test {
namespace {

using Texts = std::vector<std::string>;

// How well endings say to which contexts a recorded unit responds.
struct Reading {
    std::size_t responses = 0;  // contexts to which the unit responds
    std::size_t found = 0;      // contexts that have one of the endings
    std::size_t both = 0;
    Texts missed = {}, wrong = {};  // contexts

    // Two readers seldom cut at the same letter: {"not", "you"}, {" not", " yo"} and {"ot", "et", "yo", "ou"} are one reading of
    // unit 1. So a third may be missed, and a quarter may be others.
    [[nodiscard]] bool finds() const { return 3 * both >= 2 * responses; }
    [[nodiscard]] bool is_right() const { return found > 0 && 4 * both >= 3 * found; }
};

Reading read(const RecordedUnits& recorded, std::size_t unit, const Texts& endings) {
    Reading r;
    for (std::size_t i = 0; i < recorded.contexts.size(); ++i) {
        const std::string& context = recorded.contexts[i];
        const bool responds = recorded.responds(unit, i);
        const bool found = std::any_of(endings.begin(), endings.end(),
                                       [&](const std::string& ending) { return context.ends_with(ending); });
        r.responses += responds;
        r.found += found;
        r.both += responds && found;
        if (responds && !found) r.missed.push_back(context);
        if (!responds && found) r.wrong.push_back(context);
    }
    return r;
}

// At most six, evenly spread: "n of min", "d is min". A new line is a /.
std::string some_of(const Texts& texts) {
    const std::size_t count = std::min<std::size_t>(6, texts.size());
    Texts some;
    for (std::size_t i = 0; i < count; ++i) {
        std::string text = texts[i * texts.size() / count];
        std::replace(text.begin(), text.end(), '\n', '/');
        some.push_back('"' + text + '"');
    }
    return some.empty() ? "none" : fmt::format("{}", fmt::join(some, ", "));
}

void reads_unit(std::size_t unit) {
    const Texts endings = response_endings(unit);
    const RecordedUnits held_back = recorded_units(Contexts::held_back),
                        seen = recorded_units(Contexts::seen);
    const Reading reading = read(held_back, unit, endings), of_seen = read(seen, unit, endings);
    if (reading.finds() && reading.is_right()) return;
    Texts nowhere;
    for (const std::string& ending : endings)
        if (read(seen, unit, {ending}).found == 0) nowhere.push_back(ending);
    ADD_FAILURE() << fmt::format(
                         "{}: it responds to {} of the contexts that are held back; your endings find {} of "
                         "these ({} are needed), and {} to which it does not respond. Of the contexts that "
                         "you saw, they miss {}; it does not respond to {}",
                         held_back.units[unit], reading.responses, reading.both,
                         (2 * reading.responses + 2) / 3, reading.found - reading.both,
                         some_of(of_seen.missed), some_of(of_seen.wrong))
                  << (nowhere.empty() ? "" : ". No context that you saw ends with " + some_of(nowhere))
                  << came(fmt::format("{}", fmt::join(endings, "|")));
}

TEST(trained_units, the_endings_of_unit_1_hold_for_contexts_that_are_held_back) { reads_unit(1); }
TEST(trained_units, the_endings_of_unit_2_hold_for_contexts_that_are_held_back) { reads_unit(2); }

// --- given ----------------------------------------------------------------------------------------------------------

TEST(given_units, the_endings_of_unit_0_hold_for_contexts_that_are_held_back) { reads_unit(0); }

TEST(given_units, refuse_units_and_counts_that_are_not_there) {
    const Tensor strengths = Tensor::zeros({2, 5}), values = Tensor::zeros({3, 2}),
                 table = Tensor::zeros({4, 2});
    EXPECT_TRUE(refuses<ValueError>([&] { (void)strongest_contexts(strengths, 2, 1); }, {"no unit 2"}));
    EXPECT_TRUE(refuses<ValueError>([&] { (void)strongest_contexts(strengths, 0, 6); }, {"6", "5"}));
    EXPECT_TRUE(refuses<ValueError>([&] { (void)raised_most(values, 3, table, 1); }, {"no unit 3"}));
    EXPECT_TRUE(refuses<ValueError>([&] { (void)raised_most(values, 0, table, 5); }, {"5", "4"}));
}

}  // namespace
}  // namespace tfs::test

// tests/05_feed_forward/trained_units_test.cpp · step trained_units: the contexts that are held back
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cctype>
#include <string>
#include <vector>

#include "chapters/05_feed_forward/feed_forward.hpp"
#include "chapters/05_feed_forward/given/recorded_units.hpp"
#include "tests/05_feed_forward/reading.hpp"
#include "tests/support/close.hpp"

namespace tfs::test {
namespace {

std::string quoted(std::string context) {
    std::replace(context.begin(), context.end(), '\n', '/');
    return '"' + context + '"';
}

// At most six of the contexts, evenly spread: "n of min", "d is min".
std::string some_of(const std::vector<std::string>& contexts) {
    constexpr std::size_t most = 6;
    std::vector<std::string> some;
    for (std::size_t i = 0; i < std::min(most, contexts.size()); ++i)
        some.push_back(quoted(contexts[i * contexts.size() / std::min(most, contexts.size())]));
    return fmt::format("{}", fmt::join(some, ", "));
}

// The other unit that these endings tell of; else nothing.
std::string of_another_unit(const RecordedUnits& seen, std::size_t unit,
                            const std::vector<std::string>& endings) {
    if (read(seen, unit, endings).both > 0) return "";
    for (std::size_t other = 0; other < seen.units.size(); ++other)
        if (read(seen, other, endings).is_right())
            return fmt::format("these are endings of unit {}, {}", other, seen.units[other]);
    return "";
}

bool some_context_ends_with(const RecordedUnits& seen, const std::string& ending) {
    return read(seen, 0, {ending}).found > 0;
}

// An ending that no context has, and what may be meant.
std::string found_nowhere(const RecordedUnits& seen, const std::vector<std::string>& endings) {
    for (const std::string& ending : endings) {
        if (some_context_ends_with(seen, ending)) continue;
        const std::string none = fmt::format("none of the contexts that you saw ends with \"{}\": ", ending);
        if (ending.find('/') != std::string::npos)
            return none + "a / in the list stands for a new line, \\n in C++";
        if (std::any_of(ending.begin(), ending.end(),
                        [](char c) { return c == ',' || c == '"' || c == '\''; }))
            return none + "each ending is a string of its own, {\"king\", \"ring\"}, without other quotes";
        std::string small = ending;
        for (char& c : small) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
        if (small != ending && some_context_ends_with(seen, small))
            return none + "there it begins with a small letter";
        return none + "an ending is the last characters of a context, as they stand in the list";
    }
    return "";
}

// An ending that is right, but for a space behind it.
std::string space_behind(const RecordedUnits& seen, std::size_t unit,
                         const std::vector<std::string>& endings) {
    for (const std::string& ending : endings) {
        if (ending.size() < 2 || ending.back() != ' ' || read(seen, unit, {ending}).both > 0) continue;
        const std::string word = ending.substr(0, ending.size() - 1);
        if (read(seen, unit, {word}).is_right())
            return fmt::format("the unit responds right behind \"{}\", and no longer where a space follows",
                               word);
    }
    return "";
}

// An ending with which none of the unit's contexts ends, though it occurs near the end of a missed one: "th" of "the".
std::string before_the_end(const RecordedUnits& seen, std::size_t unit,
                           const std::vector<std::string>& endings, const std::vector<std::string>& missed) {
    constexpr std::size_t near = 4;
    for (const std::string& ending : endings) {
        if (read(seen, unit, {ending}).both > 0) continue;
        for (const std::string& context : missed)
            if (context.substr(context.size() - near).find(ending) != std::string::npos)
                return fmt::format("{} does not end with \"{}\": an ending goes up to the last character",
                                   quoted(context), ending);
    }
    return "";
}

std::string likely_cause(std::size_t unit, const std::vector<std::string>& endings,
                         const Reading& of_held_back) {
    if (endings.empty()) return fmt::format("there are no endings of unit {0}: fill endings[{0}]", unit);
    const RecordedUnits seen = recorded_units(Contexts::seen);
    const Reading of_seen = read(seen, unit, endings);
    if (const std::string cause = of_another_unit(seen, unit, endings); !cause.empty()) return cause;
    if (const std::string cause = space_behind(seen, unit, endings); !cause.empty()) return cause;
    if (const std::string cause = before_the_end(seen, unit, endings, of_seen.missed); !cause.empty())
        return cause;
    if (of_seen.found == 0) return found_nowhere(seen, endings);
    if (of_seen.both == 0)
        return "the unit responds to no context that ends so: not to " + some_of(of_seen.wrong);
    if (!of_seen.is_right())
        return "the unit does not respond to all contexts that end so: not to " + some_of(of_seen.wrong);
    if (2 * of_held_back.both * of_seen.responses < of_seen.both * of_held_back.responses)
        return "your endings fit the contexts that you saw, and hardly one of the others: look for what they "
               "have in common";
    if (of_held_back.finds())
        return "the endings are too short: of the contexts that are held back, others end so, too";
    return "the unit responds to more contexts than these, and the strongest ones don't show all kinds: " +
           some_of(of_seen.missed);
}

void reads_unit(std::size_t unit) {
    const std::vector<std::string> endings = response_endings(unit);
    const RecordedUnits held_back = recorded_units(Contexts::held_back);
    const Reading reading = read(held_back, unit, endings);
    EXPECT_TRUE(reading.finds() && reading.is_right())
        << fmt::format(
               "{}: it responds to {} of the contexts that are held back; your endings find {} of these "
               "({} are needed), and {} to which it does not respond\n",
               held_back.units[unit], reading.responses, reading.both, (2 * reading.responses + 2) / 3,
               reading.found - reading.both)
        << likely_if(true, likely_cause(unit, endings, reading));
}

TEST(trained_units, the_endings_of_unit_1_hold_for_contexts_that_are_held_back) { reads_unit(1); }
TEST(trained_units, the_endings_of_unit_2_hold_for_contexts_that_are_held_back) { reads_unit(2); }

}  // namespace
}  // namespace tfs::test

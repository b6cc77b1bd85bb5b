// chapters/05_feed_forward/program/trained_units.cpp · three hidden units of a trained decoder, by their contexts and their values
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>

#include "chapters/05_feed_forward/given/memories.hpp"
#include "chapters/05_feed_forward/program/options.hpp"

namespace tfs {

namespace {

// "good sir", in quotes; a new line is a stroke.
std::string quoted(std::string context) {
    std::replace(context.begin(), context.end(), '\n', '/');
    return '"' + context + '"';
}

std::string quoted_contexts(const RecordedUnits& recorded, const std::vector<std::size_t>& places,
                            std::size_t first, std::size_t count) {
    std::vector<std::string> some;
    for (std::size_t i = first; i < std::min(first + count, places.size()); ++i)
        some.push_back(quoted(recorded.contexts[places[i]]));
    return fmt::format("{}", fmt::join(some, " "));
}

std::size_t responses(const RecordedUnits& recorded, std::size_t unit) {
    std::size_t count = 0;
    for (std::size_t i = 0; i < recorded.contexts.size(); ++i) count += recorded.responds(unit, i) ? 1 : 0;
    return count;
}

Report show_units(const Request&) {
    const RecordedUnits recorded = recorded_units(Contexts::seen);
    Table table{.columns = {{"unit"}, {"strongest in"}, {"the weakest to which it responds"}, {"raises"}}};
    for (std::size_t unit = 0; unit < recorded.units.size(); ++unit) {
        const std::size_t count = responses(recorded, unit);
        const std::vector<std::size_t> places = strongest_contexts(recorded.strengths, unit, count);
        std::vector<std::string> raised;
        for (const std::size_t id : raised_most(recorded.values, unit, recorded.table, 4))
            raised.push_back(quoted(recorded.characters.substr(id, 1)));
        table.add({recorded.units[unit], quoted_contexts(recorded, places, 0, 3),
                   quoted_contexts(recorded, places, count - 3, 3),
                   fmt::format("{}", fmt::join(raised, " "))});
    }
    Report report;
    report.note("The last 8 characters before the unit's position; / is a new line.");
    report.add(table);
    return report;
}

// Contexts to which the unit doesn't respond although they end as one to which it does, in the last three characters.
std::vector<std::size_t> near_misses(const RecordedUnits& recorded, std::size_t unit) {
    const auto ending = [&](std::size_t i) { return recorded.contexts[i].substr(recorded_context - 3); };
    std::map<std::string, bool> responds_so;
    for (std::size_t i = 0; i < recorded.contexts.size(); ++i)
        if (recorded.responds(unit, i)) responds_so[ending(i)] = true;
    std::vector<std::size_t> places;
    for (std::size_t i = 0; i < recorded.contexts.size(); ++i)
        if (!recorded.responds(unit, i) && responds_so.contains(ending(i))) places.push_back(i);
    return places;
}

Report show_contexts(const Request&) {
    constexpr std::size_t in_a_line = 8;
    const RecordedUnits recorded = recorded_units(Contexts::seen);
    Report report;
    for (std::size_t unit = 0; unit < recorded.units.size(); ++unit) {
        const std::size_t count = responses(recorded, unit);
        const std::vector<std::size_t> places = strongest_contexts(recorded.strengths, unit, count),
                                       misses = near_misses(recorded, unit);
        report.note(fmt::format("unit {}, {}: it responds to {} of {} contexts, strongest first", unit,
                                recorded.units[unit], count, recorded.contexts.size()));
        for (std::size_t i = 0; i < places.size(); i += in_a_line)
            report.note("  " + quoted_contexts(recorded, places, i, in_a_line));
        report.note("  not to " + quoted_contexts(recorded, misses, 0, in_a_line));
    }
    return report;
}

}  // namespace

Sections trained_units_sections() {
    return {{"units", "Three hidden units of a trained model", show_units},
            {"unit-contexts",
             "All contexts to which each unit responds, without the third that is held back",
             show_contexts,
             {},
             Level::deeper}};
}

}  // namespace tfs

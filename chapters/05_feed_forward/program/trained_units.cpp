// chapters/05_feed_forward/program/trained_units.cpp · three hidden units of a trained decoder, by their contexts and their values
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>

#include "chapters/05_feed_forward/given/memories.hpp"
#include "chapters/05_feed_forward/program/options.hpp"
#include "common/io/weights.hpp"

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

// --- all 60 recorded units ----------------------------------------------------------------------------------------------

struct Endings {
    std::size_t contexts = 0, kinds = 0;
    double share_of_commonest = 0.0;
};

// The last three characters of the contexts to which a unit responds.
Endings endings_of(const CharacterRecording& recording, std::size_t unit) {
    const auto row =
        recording.strengths.values().subspan(unit * recording.contexts.size(), recording.contexts.size());
    const float half = 0.5f * *std::max_element(row.begin(), row.end());
    std::map<std::string, std::size_t> counts;
    Endings endings;
    for (std::size_t i = 0; i < row.size(); ++i) {
        if (half <= 0.25f || row[i] <= half) continue;
        ++counts[recording.contexts[i].substr(recorded_context - 3)];
        ++endings.contexts;
    }
    endings.kinds = counts.size();
    for (const auto& [ending, count] : counts)
        endings.share_of_commonest =
            std::max(endings.share_of_commonest,
                     100.0 * static_cast<double>(count) / static_cast<double>(endings.contexts));
    return endings;
}

double middle(std::vector<double> numbers) {
    std::sort(numbers.begin(), numbers.end());
    return numbers[numbers.size() / 2];
}

Report show_endings(const Request&) {
    const CharacterRecording recording = load_recording(weights_file("characters_recording"));
    Table table{.columns = {{"units"},
                            {"contexts to which one responds", whole()},
                            {"different endings", whole()},
                            {"share of the commonest", whole(), "%"}}};
    std::vector<double> contexts, kinds, shares;
    for (std::size_t unit = 0; unit < recording.units.size(); ++unit) {
        const Endings one = endings_of(recording, unit);
        if (unit < 3) table.add({recording.units[unit], one.contexts, one.kinds, one.share_of_commonest});
        if (unit < 3 || one.contexts < 10) continue;
        contexts.push_back(static_cast<double>(one.contexts));
        kinds.push_back(static_cast<double>(one.kinds));
        shares.push_back(one.share_of_commonest);
    }
    table.add({fmt::format("middle of {} others", contexts.size()), middle(contexts), middle(kinds),
               middle(shares)});
    return {.items = {table}};
}

}  // namespace

Sections trained_units_sections() {
    return {{"units", "Three hidden units of a trained model", show_units},
            {"unit-contexts",
             "All contexts to which each unit responds, without the third that is held back",
             show_contexts,
             {},
             Level::deeper},
            {"unit-endings",
             "To how many endings of three characters a unit responds",
             show_endings,
             {},
             Level::deeper}};
}

}  // namespace tfs

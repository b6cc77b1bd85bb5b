// chapters/05_feed_forward/given/recorded_units.cpp · the first three units of the recording, and two thirds or one third of its contexts
#include "chapters/05_feed_forward/given/recorded_units.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "common/program/recording.hpp"
#include "common/program/weights.hpp"

namespace tfs {

bool RecordedUnits::responds(std::size_t unit, std::size_t context) const {
    const auto row = strengths.values().subspan(unit * contexts.size(), contexts.size());
    return row[context] > 0.5f * *std::max_element(row.begin(), row.end());
}

RecordedUnits recorded_units(Contexts which) {
    constexpr std::size_t readable = 3;
    const CharacterRecording all = load_recording(weights_file("characters_recording"));
    RecordedUnits some{.units = {all.units.begin(), all.units.begin() + readable},
                       .contexts = {},
                       .strengths = {},
                       .values = slice(all.values, 0, 0, readable),
                       .characters = all.characters,
                       .table = all.table};
    std::vector<std::size_t> places;
    for (std::size_t i = 0; i < all.contexts.size(); ++i)
        if ((i % 3 == 1) == (which == Contexts::held_back)) places.push_back(i);
    Array strengths = Array::from_shape({readable, places.size()});
    for (std::size_t j = 0; j < places.size(); ++j) {
        some.contexts.push_back(all.contexts[places[j]]);
        for (std::size_t unit = 0; unit < readable; ++unit)
            strengths(unit, j) = all.strengths.at({unit, places[j]});
    }
    some.strengths = Tensor(std::move(strengths));
    return some;
}

void require_unit(std::string_view name, const Tensor& rows, std::size_t unit, std::size_t available,
                  std::size_t count) {
    if (unit >= rows.size(0))
        throw ValueError(fmt::format("{}: there is no unit {}, only {}", name, unit, rows.size(0)));
    if (count > available)
        throw ValueError(fmt::format("{}: {} are wanted, there are {}", name, count, available));
}

}  // namespace tfs

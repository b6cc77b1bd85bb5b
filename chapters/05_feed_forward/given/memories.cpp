// chapters/05_feed_forward/given/memories.cpp
#include "chapters/05_feed_forward/given/memories.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "common/io/weights.hpp"
#include "common/tensor/named_axes.hpp"

namespace tfs {

void require_memory(const Tensor& keys, const Tensor& values, float threshold) {
    require_shapes("key_value_memory", {{"keys", keys, "slots d_model"},
                                        {"values", values, "slots d_model", "each key has one value"}});
    if (keys.size() == 0) {
        throw ValueError(
            fmt::format("key_value_memory: keys {}: a memory needs at least one slot and one column",
                        to_string(keys.shape())));
    }
    if (!(threshold >= 0.0f && threshold < 1.0f)) {
        throw ValueError(fmt::format(
            "key_value_memory: the threshold {} must be at least 0 and below 1, where not even the key "
            "itself would fire",
            threshold));
    }
    for (std::size_t i = 0; i < keys.size(0); ++i) {
        const auto key = keys.values().subspan(i * keys.size(1), keys.size(1));
        if (std::all_of(key.begin(), key.end(), [](float entry) { return entry == 0.0f; })) {
            throw ValueError(
                fmt::format("key_value_memory: key {} is all zeros, and nothing resembles it", i));
        }
    }
}

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

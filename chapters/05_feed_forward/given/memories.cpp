// chapters/05_feed_forward/given/memory_checks.cpp · the checks of chapter 05, given
#include "chapters/05_feed_forward/given/memory_checks.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace tfs {

void require_memory(const Tensor& keys, const Tensor& values, float threshold) {
    if (keys.rank() != 2 || values.shape() != keys.shape()) {
        throw ShapeError(fmt::format(
            "key_value_memory: keys {} and values {} must both be (slots, d_model), one value for each key",
            to_string(keys.shape()), to_string(values.shape())));
    }
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

}  // namespace tfs

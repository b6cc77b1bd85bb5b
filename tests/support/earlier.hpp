// tests/support/earlier.hpp · callers who keep the keys and values of earlier positions
#pragma once

#include <map>
#include <optional>
#include <vector>

#include "chapters/07_block/block.hpp"

namespace tfs::test {

inline KeysValues joined(const KeysValues& a, const KeysValues& b) {
    return {concat({a.keys, b.keys}, 2), concat({a.values, b.values}, 2)};
}

// Has the same for each layer, or nothing; keeps nothing more, and notes the layers that ask.
struct SameEarlier : EarlierKeysValues {
    std::optional<KeysValues> before = std::nullopt;
    std::vector<std::size_t> asked = {};

    SameEarlier() = default;
    explicit SameEarlier(const KeysValues& all) : before(all) {}
    Offset lengths(std::size_t) const override { return before ? before->keys.lengths() : Offset(0); }
    KeysValues append(std::size_t layer, const KeysValues& own) override {
        asked.push_back(layer);
        return before ? joined(*before, own) : own;
    }
};

// Keeps the keys and values of every layer as tensors.
struct EarlierTensors : EarlierKeysValues {
    std::map<std::size_t, KeysValues> layers = {};
    std::vector<std::size_t> asked = {};

    Offset lengths(std::size_t layer) const override {
        const auto kept = layers.find(layer);
        return kept == layers.end() ? Offset(0) : kept->second.keys.lengths();
    }
    KeysValues append(std::size_t layer, const KeysValues& own) override {
        asked.push_back(layer);
        const auto [entry, is_new] = layers.emplace(layer, own);
        if (!is_new) entry->second = joined(entry->second, own);
        return entry->second;
    }
};

}  // namespace tfs::test

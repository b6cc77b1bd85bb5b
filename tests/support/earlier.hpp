// tests/support/earlier.hpp · callers who keep the keys and values of earlier positions: as tensors, or in rows of their own
#pragma once

#include <algorithm>
#include <map>
#include <optional>
#include <vector>

#include "common/nn.hpp"
#include "common/tensor.hpp"

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

// A store that appends in place and drops. For each layer (batch, heads, capacity, width) of keys and of
// values; each row of the batch has a length of its own.
class KeptRows : public EarlierKeysValues {
  public:
    explicit KeptRows(std::size_t capacity) : capacity_(capacity) {}

    Offset lengths(std::size_t layer) const override {
        return layer < layers_.size() ? Offset(layers_[layer].lengths) : Offset(0);
    }

    KeysValues append(std::size_t layer, const KeysValues& own) override {
        if (layer >= layers_.size()) layers_.resize(layer + 1);
        auto& [keys, values, lengths] = layers_[layer];
        const std::size_t seq = own.keys.size(2);
        lengths.resize(own.keys.size(0));
        write(keys, own.keys, lengths);
        write(values, own.values, lengths);
        for (std::size_t& length : lengths) length += seq;
        return {view(keys, lengths), view(values, lengths)};
    }

    // Forgets the newest positions of each row of the batch, so many in each.
    void drop(const std::vector<std::size_t>& newest) {
        for (Layer& layer : layers_)
            for (std::size_t row = 0; row < newest.size(); ++row) layer.lengths[row] -= newest[row];
    }

  private:
    struct Memory {
        std::size_t heads = 0, width = 0;
        std::vector<float> floats = {};
    };
    struct Layer {
        Memory keys = {}, values = {};
        std::vector<std::size_t> lengths = {};
    };
    std::size_t capacity_;
    std::vector<Layer> layers_;

    std::size_t place(const Memory& memory, std::size_t b, std::size_t h) const {
        return (b * memory.heads + h) * capacity_ * memory.width;
    }

    void write(Memory& memory, const Tensor& x, const std::vector<std::size_t>& lengths) const {
        const std::size_t batch = x.size(0), heads = x.size(1), rows = x.size(2) * x.size(3);
        memory.heads = heads;
        memory.width = x.size(3);
        memory.floats.resize(batch * heads * capacity_ * memory.width,
                             1e30f);  // what is not written must not be read
        for (std::size_t i = 0; i < batch * heads; ++i)
            std::copy_n(x.values().data() + i * rows, rows,
                        memory.floats.data() + (i * capacity_ + lengths[i / heads]) * memory.width);
    }

    HeadRows view(const Memory& memory, const std::vector<std::size_t>& lengths) const {
        return {memory.floats.data(), lengths.size(),           memory.heads,
                memory.width,         capacity_ * memory.width, Offset(lengths)};
    }
};

}  // namespace tfs::test

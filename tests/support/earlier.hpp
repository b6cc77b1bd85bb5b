// tests/support/earlier.hpp · callers who keep the keys and values of earlier positions: as tensors, or in rows of their own
#pragma once

#include <algorithm>
#include <cstring>
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

// A store that appends in place, drops, picks and keeps a window. For each layer (batch, heads, capacity, width) of keys and of values; each row of the batch has a length of its own.
class KeptRows : public EarlierKeysValues {
  public:
    explicit KeptRows(std::size_t capacity) : capacity_(capacity) {}

    Offset lengths(std::size_t layer) const override {
        return layer < layers_.size() ? Offset(layers_[layer].lengths) : Offset(0);
    }

    KeysValues append(std::size_t layer, const KeysValues& own) override {
        const Tensor keys = own.keys, values = own.values;  // (batch, heads, seq, width)
        const std::size_t batch = keys.size(0), heads = keys.size(1), seq = keys.size(2);
        if (layer >= layers_.size()) layers_.resize(layer + 1);
        Layer& kept = layers_[layer];
        if (kept.lengths.empty()) kept.lengths.assign(batch, 0);
        write(kept.keys, keys, kept.lengths);
        write(kept.values, values, kept.lengths);
        for (std::size_t& length : kept.lengths) length += seq;
        return {view(kept.keys, batch, heads, keys.size(3), kept.lengths),
                view(kept.values, batch, heads, values.size(3), kept.lengths)};
    }

    // Forgets the newest positions of each row of the batch, so many in each.
    void drop(const std::vector<std::size_t>& newest) {
        for (Layer& layer : layers_)
            for (std::size_t row = 0; row < newest.size(); ++row) layer.lengths[row] -= newest[row];
    }

    // Row i of the batch becomes what row rows[i] was.
    void pick(const std::vector<std::size_t>& rows) {
        for (Layer& layer : layers_) {
            const Layer before = layer;
            const std::size_t batch = before.lengths.size();
            for (std::vector<float> Layer::*memory : {&Layer::keys, &Layer::values}) {
                const std::size_t size = (before.*memory).size() / batch;
                (layer.*memory).resize(rows.size() * size);
                for (std::size_t i = 0; i < rows.size(); ++i)
                    std::copy_n((before.*memory).begin() + static_cast<long>(rows[i] * size), size,
                                (layer.*memory).begin() + static_cast<long>(i * size));
            }
            layer.lengths.clear();
            for (const std::size_t row : rows) layer.lengths.push_back(before.lengths[row]);
        }
    }

    // Keeps the newest `window` positions of each row.
    void keep_newest(std::size_t window) {
        for (Layer& layer : layers_)
            for (std::vector<float> Layer::*memory : {&Layer::keys, &Layer::values}) {
                std::vector<float>& all = layer.*memory;
                const std::size_t batch = layer.lengths.size(), of_row = all.size() / batch,
                                  heads = of_row / (capacity_ * width_of(all, batch));
                const std::size_t width = width_of(all, batch);
                for (std::size_t b = 0; b < batch; ++b)
                    for (std::size_t h = 0; h < heads; ++h) {
                        float* const first = all.data() + b * of_row + h * capacity_ * width;
                        const std::size_t gone = layer.lengths[b] - std::min(layer.lengths[b], window);
                        std::memmove(first, first + gone * width,
                                     sizeof(float) * (layer.lengths[b] - gone) * width);
                    }
            }
        for (Layer& layer : layers_)
            for (std::size_t& length : layer.lengths) length = std::min(length, window);
    }

  private:
    struct Layer {
        std::vector<float> keys = {}, values = {};
        std::vector<std::size_t> lengths = {};
    };
    std::size_t capacity_, heads_ = 1;
    std::vector<Layer> layers_;

    std::size_t width_of(const std::vector<float>& all, std::size_t batch) const {
        return all.size() / (batch * heads_ * capacity_);
    }

    void write(std::vector<float>& memory, const Tensor& x, const std::vector<std::size_t>& lengths) {
        const std::size_t batch = x.size(0), heads = x.size(1), seq = x.size(2), width = x.size(3);
        heads_ = heads;
        memory.resize(batch * heads * capacity_ * width, 1e30f);  // what is not written must not be read
        for (std::size_t b = 0; b < batch; ++b)
            for (std::size_t h = 0; h < heads; ++h)
                std::copy_n(x.values().data() + (b * heads + h) * seq * width, seq * width,
                            memory.data() + ((b * heads + h) * capacity_ + lengths[b]) * width);
    }

    HeadRows view(const std::vector<float>& memory, std::size_t batch, std::size_t heads, std::size_t width,
                  const std::vector<std::size_t>& lengths) const {
        return {memory.data(), batch, heads, width, capacity_ * width, Offset(lengths)};
    }
};

}  // namespace tfs::test

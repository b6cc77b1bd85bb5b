// chapters/12_many_texts/models/key_value_cache.cpp · keys and values of many texts, each with its own length
#include <algorithm>

#include "chapters/12_many_texts/given/many_texts.hpp"

namespace tfs {

KeyValueCache::KeyValueCache(std::size_t positions, std::optional<std::size_t> newest)
    : capacity(newest ? std::min(positions, *newest) : positions), window(newest) {
    if (positions == 0 || newest == 0u)
        throw ValueError("KeyValueCache: it must have room for at least one position");
}

Offset KeyValueCache::lengths(std::size_t layer) const {
    if (layer >= layers.size() || layers[layer].kept.empty()) return 0;
    std::vector<std::size_t> seen_by_next = layers[layer].kept;
    if (window)
        for (std::size_t& count : seen_by_next) count = std::min(count, capacity - 1);
    return seen_by_next;
}

Offset KeyValueCache::next_position() const {
    return layers.empty() || layers[0].seen.empty() ? Offset(0) : Offset(layers[0].seen);
}

std::size_t KeyValueCache::bytes() const {
    std::size_t floats = 0;
    for (const CachedLayer& layer : layers) floats += layer.keys.size() + layer.values.size();
    return floats * sizeof(float);
}

KeysValues KeyValueCache::append(std::size_t layer, const KeysValues& own) {
    const Tensor keys = own.keys, values = own.values;  // (batch, heads, seq, width)
    CachedLayer& cached = layer_for(*this, layer, keys, values);
    const std::size_t seq = keys.size(2);
    require_cache_room(*this, cached, seq);
    for (std::size_t b = 0; b < cached.kept.size(); ++b) {
        if (cached.kept[b] + seq > capacity)
            forget_oldest(cached, capacity, b, cached.kept[b] + seq - capacity);
        write_rows(cached.keys, capacity, keys, b, cached.kept[b]);
        write_rows(cached.values, capacity, values, b, cached.kept[b]);
        cached.kept[b] += seq;
        cached.seen[b] += seq;
    }
    return rows_of(*this, cached);
}

void KeyValueCache::drop(const std::vector<std::size_t>& newest) {
    require_drop(*this, newest);
    for (CachedLayer& layer : layers)
        for (std::size_t b = 0; b < newest.size(); ++b) {
            layer.kept[b] -= newest[b];
            layer.seen[b] -= newest[b];
        }
}

void KeyValueCache::pick(const std::vector<std::size_t>& rows) {
    require_pick(*this, rows);
    const std::size_t batch = next_position().rows();
    bool all = rows.size() == batch;  // as they are: nothing to copy
    for (std::size_t i = 0; i < rows.size(); ++i) all = all && rows[i] == i;
    if (all) return;
    for (CachedLayer& layer : layers) {
        layer.keys = picked(layer.keys, rows, layer.heads * capacity * layer.d_k);
        layer.values = picked(layer.values, rows, layer.heads * capacity * layer.d_v);
        layer.kept = picked(layer.kept, rows, 1);
        layer.seen = picked(layer.seen, rows, 1);
    }
}

}  // namespace tfs

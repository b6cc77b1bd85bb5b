// chapters/11_generation/models/key_value_cache.cpp · what a cache says of itself; its table of functions calls step key_value_cache
#include "chapters/11_generation/generation.hpp"

#include <algorithm>

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

}  // namespace tfs

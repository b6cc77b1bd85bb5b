// Step 11.2 · key_value_cache · ●●● · 20 min
// solutions/11_generation/key_value_cache.cpp
#include <algorithm>

#include "chapters/11_generation/generation.hpp"
#include "chapters/11_generation/given/generation.hpp"

namespace tfs {

KeysValues KeyValueCache::append(std::size_t layer, const KeysValues& own) {
    const Tensor keys = own.keys, values = own.values;  // (batch, heads, seq, width)
    CachedLayer& cached = layer_for(*this, layer, keys, values);
    const std::size_t seq = keys.size(2);
    require_cache_room(*this, cached, seq);
    // begin: Where a window is full, forget the oldest place (at most one goes); write the new ones after those that are kept;
    // count. `forget_oldest(cached, capacity, b, count)` and `write_rows(memory, capacity, x, b, place)` work on row b of the batch.
    for (std::size_t b = 0; b < cached.kept.size(); ++b) {
        if (cached.kept[b] + seq > capacity)
            forget_oldest(cached, capacity, b, cached.kept[b] + seq - capacity);
        write_rows(cached.keys, capacity, keys, b, cached.kept[b]);
        write_rows(cached.values, capacity, values, b, cached.kept[b]);
        cached.kept[b] += seq;
        cached.seen[b] += seq;
    }
    // end
    return rows_of(*this, cached);
}

void KeyValueCache::drop(const std::vector<std::size_t>& newest) {
    require_drop(*this, newest);
    // begin: Every layer. No number of the memory needs to be touched.
    for (CachedLayer& layer : layers)
        for (std::size_t b = 0; b < newest.size(); ++b) {
            layer.kept[b] -= newest[b];
            layer.seen[b] -= newest[b];
        }
    // end
}

void KeyValueCache::pick(const std::vector<std::size_t>& rows) {
    require_pick(*this, rows);
    // begin: Every layer: memory and counts of row rows[i] become those of row i. A row may be wanted twice, so copy from what
    // was there before. `picked(values, rows, size)` copies blocks of `size` numbers.
    for (CachedLayer& layer : layers) {
        layer.keys = picked(layer.keys, rows, layer.heads * capacity * layer.d_k);
        layer.values = picked(layer.values, rows, layer.heads * capacity * layer.d_v);
        layer.kept = picked(layer.kept, rows, 1);
        layer.seen = picked(layer.seen, rows, 1);
    }
    // end
}

}  // namespace tfs

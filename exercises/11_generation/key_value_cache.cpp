// Step 11.2 · key_value_cache · ●●● · 20 min
// exercises/11_generation/key_value_cache.cpp · check yours with ./tutorial check 11.2
#include <algorithm>

#include "chapters/11_generation/generation.hpp"
#include "chapters/11_generation/given/generation.hpp"

namespace tfs {

KeysValues KeyValueCache::append(std::size_t layer, const KeysValues& own) {
    const Tensor keys = own.keys, values = own.values;  // (batch, heads, seq, width)
    CachedLayer& cached = layer_for(*this, layer, keys, values);
    const std::size_t seq = keys.size(2);
    require_cache_room(*this, cached, seq);
    // TODO 11.2: Where a window is full, forget the oldest place (at most one goes); write the new ones after those that are kept;
    // count. `forget_oldest(cached, capacity, b, count)` and `write_rows(memory, capacity, x, b, place)` work on row b of the batch.
    throw NotImplemented("11.2 key_value_cache");
    return rows_of(*this, cached);
}

void KeyValueCache::drop(const std::vector<std::size_t>& newest) {
    require_drop(*this, newest);
    // TODO 11.2: Every layer. No number of the memory needs to be touched.
    throw NotImplemented("11.2 key_value_cache");
}

void KeyValueCache::pick(const std::vector<std::size_t>& rows) {
    require_pick(*this, rows);
    // TODO 11.2: Every layer: memory and counts of row rows[i] become those of row i. A row may be wanted twice, so copy from what
    // was there before. `picked(values, rows, size)` copies blocks of `size` numbers.
    throw NotImplemented("11.2 key_value_cache");
}

}  // namespace tfs

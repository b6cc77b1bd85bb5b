// tests/11_generation/wrong_drops_and_picks.cpp · caches that drop or pick wrongly
#include <algorithm>
#include <limits>
#include <utility>

#include "chapters/11_generation/given/cache_rows.hpp"
#include "tests/11_generation/wrong_caches.hpp"

namespace tfs::test {

namespace {

using RowNumbers = std::vector<std::size_t>;

// Each part of a layer, by its own rows.
void pick_layer(CachedLayer& layer, std::size_t capacity, const RowNumbers& keys, const RowNumbers& values,
                const RowNumbers& kept, const RowNumbers& seen) {
    layer.keys = picked(layer.keys, keys, layer.heads * capacity * layer.d_k);
    layer.values = picked(layer.values, values, layer.heads * capacity * layer.d_v);
    layer.kept = picked(layer.kept, kept, 1);
    layer.seen = picked(layer.seen, seen, 1);
}

void pick_right(KeyValueCache& cache, const RowNumbers& rows) {
    for (CachedLayer& layer : cache.layers) pick_layer(layer, cache.capacity, rows, rows, rows, rows);
}

void add_drop(WrongCaches& all, const std::string& message,
              const std::function<void(KeyValueCache&, const RowNumbers&)>& drop) {
    all.push_back({message, right_ways()});
    all.back().ways.drop = drop;
}

void add_pick(WrongCaches& all, const std::string& message,
              const std::function<void(KeyValueCache&, const RowNumbers&)>& pick) {
    all.push_back({message, right_ways()});
    all.back().ways.pick = pick;
}

// Blocks of `size` numbers, copied within one memory: one that was copied over already is copied again.
template <class Number>
void pick_in_place(std::vector<Number>& values, const RowNumbers& rows, std::size_t size) {
    std::vector<Number> result = values;
    result.resize(std::max(values.size(), rows.size() * size));
    for (std::size_t i = 0; i < rows.size(); ++i)
        for (std::size_t j = 0; j < size; ++j) result[i * size + j] = result[rows[i] * size + j];
    result.resize(rows.size() * size);
    values = std::move(result);
}

}  // namespace

void add_wrong_drops(WrongCaches& all) {
    // Of the layers first … end - 1; how many of row b.
    const auto drops = [&](const std::string& message, std::size_t first, std::size_t end, bool kept,
                           bool seen, bool of_row_0 = false) {
        add_drop(all, message, [=](KeyValueCache& cache, const RowNumbers& newest) {
            for (std::size_t i = first; i < std::min(end, cache.layers.size()); ++i)
                for (std::size_t b = 0; b < newest.size(); ++b) {
                    if (kept) cache.layers[i].kept[b] -= newest[of_row_0 ? 0 : b];
                    if (seen) cache.layers[i].seen[b] -= newest[of_row_0 ? 0 : b];
                }
        });
    };
    constexpr std::size_t every = std::numeric_limits<std::size_t>::max();
    drops("drop changes nothing", 0, every, false, false);
    drops("drop does not change `seen`: then the next token gets a position that is too large", 0, every,
          true, false);
    drops("drop changes `seen` only; `kept` says where the next row is written", 0, every, false, true);
    drops("drop looks at layer 0 only; every layer has its own counts", 0, 1, true, true);
    drops("drop leaves out layer 0", 1, every, true, true);
    drops("every row of the batch drops as many as row 0; each has its own number", 0, every, true, true,
          true);
    add_drop(all, "drop forgets the OLDEST positions; the newest must go",
             [](KeyValueCache& cache, const RowNumbers& newest) {
                 for (CachedLayer& layer : cache.layers)
                     for (std::size_t b = 0; b < newest.size(); ++b) {
                         forget_oldest(layer, cache.capacity, b, newest[b]);
                         layer.seen[b] -= newest[b];
                     }
             });
    add_drop(all, "drop forgets all that is kept; only so many of each row go",
             [](KeyValueCache& cache, const RowNumbers&) {
                 for (CachedLayer& layer : cache.layers)
                     for (std::size_t b = 0; b < layer.kept.size(); ++b) layer.kept[b] = layer.seen[b] = 0;
             });
    add_drop(all, "`newest` is taken for how many stay; it is how many go",
             [](KeyValueCache& cache, const RowNumbers& newest) {
                 for (CachedLayer& layer : cache.layers)
                     for (std::size_t b = 0; b < newest.size(); ++b) {
                         layer.seen[b] -= layer.kept[b] - newest[b];
                         layer.kept[b] = newest[b];
                     }
             });
    add_drop(all, "drop sets `seen` to `kept`; with a window more were seen than are kept",
             [](KeyValueCache& cache, const RowNumbers& newest) {
                 for (CachedLayer& layer : cache.layers)
                     for (std::size_t b = 0; b < newest.size(); ++b)
                         layer.seen[b] = layer.kept[b] -= newest[b];
             });
}

void add_wrong_picks(WrongCaches& all) {
    const auto picks = [&](const std::string& message, bool keys, bool values, bool kept, bool seen) {
        add_pick(all, message, [=](KeyValueCache& cache, const RowNumbers& rows) {
            for (CachedLayer& layer : cache.layers) {
                RowNumbers same(layer.kept.size());
                for (std::size_t b = 0; b < same.size(); ++b) same[b] = b;
                pick_layer(layer, cache.capacity, keys ? rows : same, values ? rows : same,
                           kept ? rows : same, seen ? rows : same);
            }
        });
    };
    picks("pick changes nothing", false, false, false, false);
    picks("`kept` is not picked: each row takes its counts with it", true, true, false, true);
    picks("`seen` is not picked: each row takes its counts with it", true, true, true, false);
    picks("`kept` and `seen` are not picked: each row takes its counts with it", true, true, false, false);
    picks("the memory is not picked, only the counts", false, false, true, true);
    picks("the values are not picked", true, false, true, true);
    picks("the keys are not picked", false, true, true, true);
    // By the numbers in a block, of width 1.
    const auto blocks = [&](const std::string& message, auto of_keys, auto of_values) {
        add_pick(all, message, [=](KeyValueCache& cache, const RowNumbers& rows) {
            for (CachedLayer& layer : cache.layers) {
                layer.keys = picked(layer.keys, rows, of_keys(layer, cache.capacity));
                layer.values = picked(layer.values, rows, of_values(layer, cache.capacity));
                layer.kept = picked(layer.kept, rows, 1);
                layer.seen = picked(layer.seen, rows, 1);
            }
        });
    };
    using Layer = const CachedLayer&;
    const std::string too_short =
        "the blocks are too short: a row of the batch has heads * capacity * d_k numbers, ";
    blocks(
        too_short + "the free room included",
        [](Layer layer, std::size_t) { return layer.heads * layer.kept[0] * layer.d_k; },
        [](Layer layer, std::size_t) { return layer.heads * layer.kept[0] * layer.d_v; });
    blocks(
        too_short + "those of all heads", [](Layer layer, std::size_t room) { return room * layer.d_k; },
        [](Layer layer, std::size_t room) { return room * layer.d_v; });
    blocks(
        too_short + "not one for each place",
        [](Layer layer, std::size_t room) { return layer.heads * room; },
        [](Layer layer, std::size_t room) { return layer.heads * room; });
    blocks(
        too_short + "not those of one position",
        [](Layer layer, std::size_t) { return layer.heads * layer.d_k; },
        [](Layer layer, std::size_t) { return layer.heads * layer.d_v; });
    const auto by_keys = [](Layer layer, std::size_t room) { return layer.heads * room * layer.d_k; };
    const auto by_values = [](Layer layer, std::size_t room) { return layer.heads * room * layer.d_v; };
    blocks("values are d_v wide; their blocks are taken to be d_k wide", by_keys, by_keys);
    blocks("keys are d_k wide; their blocks are taken to be d_v wide", by_values, by_values);
    add_pick(all, "`seen` is set to `kept`; with a window more were seen than are kept",
             [](KeyValueCache& cache, const RowNumbers& rows) {
                 for (CachedLayer& layer : cache.layers) {
                     pick_layer(layer, cache.capacity, rows, rows, rows, rows);
                     layer.seen = layer.kept;
                 }
             });
    add_pick(all, "a row is overwritten before it is copied: copy from what was there before",
             [](KeyValueCache& cache, const RowNumbers& rows) {
                 for (CachedLayer& layer : cache.layers) {
                     pick_in_place(layer.keys, rows, layer.heads * cache.capacity * layer.d_k);
                     pick_in_place(layer.values, rows, layer.heads * cache.capacity * layer.d_v);
                     pick_in_place(layer.kept, rows, 1);
                     pick_in_place(layer.seen, rows, 1);
                 }
             });
    add_pick(all, "pick looks at layer 0 only; every layer has its own rows",
             [](KeyValueCache& cache, const RowNumbers& rows) {
                 pick_layer(cache.layers[0], cache.capacity, rows, rows, rows, rows);
             });
    add_pick(all, "the first rows stay, as many as are picked; row i becomes what row rows[i] was",
             [](KeyValueCache& cache, const RowNumbers& rows) {
                 RowNumbers first(rows.size());
                 for (std::size_t i = 0; i < rows.size(); ++i)
                     first[i] = std::min(i, cache.layers[0].kept.size() - 1);
                 pick_right(cache, first);
             });
    add_pick(
        all,
        "the way is the wrong one round: row i becomes what row rows[i] was, not row rows[i] what row i was",
        [](KeyValueCache& cache, const RowNumbers& rows) {
            RowNumbers inverse(rows.size());
            for (std::size_t i = 0; i < rows.size(); ++i) inverse[i] = i;
            for (std::size_t i = 0; i < rows.size(); ++i)
                if (rows[i] < rows.size()) inverse[rows[i]] = std::min(i, cache.layers[0].kept.size() - 1);
            pick_right(cache, inverse);
        });
    add_pick(all, "the rows are picked, but in rising order; `rows` says the order",
             [](KeyValueCache& cache, const RowNumbers& rows) {
                 RowNumbers sorted = rows;
                 std::sort(sorted.begin(), sorted.end());
                 pick_right(cache, sorted);
             });
}

}  // namespace tfs::test

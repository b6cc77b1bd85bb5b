// tests/11_generation/wrong_appends.cpp · caches that append wrongly
#include <algorithm>
#include <functional>

#include "chapters/11_generation/given/cache_rows.hpp"
#include "tests/11_generation/wrong_caches.hpp"

namespace tfs::test {

namespace {

// What is done to one row of the batch, with right steps that a wrong one may replace.
struct RowWays {
    // How many rows to forget, of those that are kept.
    std::function<std::size_t(const KeyValueCache&, const CachedLayer&, std::size_t b, std::size_t seq)>
        forgotten = [](const KeyValueCache& cache, const CachedLayer& layer, std::size_t b, std::size_t seq) {
            return layer.kept[b] + seq - std::min(layer.kept[b] + seq, cache.capacity);
        };
    std::function<void(CachedLayer&, std::size_t capacity, std::size_t b, std::size_t count)> forget =
        [](CachedLayer& layer, std::size_t capacity, std::size_t b, std::size_t count) {
            forget_oldest(layer, capacity, b, count);
        };
    std::function<std::size_t(const KeyValueCache&, const CachedLayer&, std::size_t b, std::size_t seq)>
        begin = [](const KeyValueCache&, const CachedLayer& layer, std::size_t b, std::size_t) {
            return layer.kept[b];
        };
    std::function<void(CachedLayer&, std::size_t capacity, const Tensor& keys, const Tensor& values,
                       std::size_t b, std::size_t row)>
        write = [](CachedLayer& layer, std::size_t capacity, const Tensor& keys, const Tensor& values,
                   std::size_t b, std::size_t row) {
            write_rows(layer.keys, capacity, keys, b, row);
            write_rows(layer.values, capacity, values, b, row);
        };
    std::function<void(CachedLayer&, std::size_t b, std::size_t seq)> counted =
        [](CachedLayer& layer, std::size_t b, std::size_t seq) {
            layer.kept[b] += seq;
            layer.seen[b] += seq;
        };
    // In place of `counted`, where the capacity is asked.
    std::function<void(const KeyValueCache&, CachedLayer&, std::size_t b, std::size_t seq)> counted_in =
        nullptr;
};

KeysValues append_by(const RowWays& ways, KeyValueCache& cache, std::size_t number, const KeysValues& own) {
    const Tensor keys = own.keys, values = own.values;
    CachedLayer& layer = layer_for(cache, number, keys, values);
    const std::size_t seq = keys.size(2);
    for (std::size_t b = 0; b < layer.kept.size(); ++b) {
        const std::size_t gone = std::min(ways.forgotten(cache, layer, b, seq), layer.kept[b]);
        if (gone > 0) ways.forget(layer, cache.capacity, b, gone);
        ways.write(layer, cache.capacity, keys, values, b, ways.begin(cache, layer, b, seq));
        if (ways.counted_in)
            ways.counted_in(cache, layer, b, seq);
        else
            ways.counted(layer, b, seq);
    }
    return rows_of(cache, layer);
}

void add(WrongCaches& all, const std::string& message, const RowWays& rows) {
    all.push_back({message, right_ways()});
    all.back().ways.append = [rows](KeyValueCache& cache, std::size_t layer, const KeysValues& own) {
        return append_by(rows, cache, layer, own);
    };
}

void add_wrong_writes(WrongCaches& all) {
    using Cache = const KeyValueCache&;
    using Layer = const CachedLayer&;
    add(all, "the new rows are written at row 0, over the oldest; they belong behind those that are kept",
        {.begin = [](Cache, Layer, std::size_t, std::size_t) { return 0; }});
    add(all, "the length of layer 0 says where to write in every layer; each layer has its own `kept`",
        {.begin = [](Cache cache, Layer, std::size_t b, std::size_t) { return cache.layers[0].kept[b]; }});
    add(all,
        "the length of row 0 of the batch says where to write in every row; each row has its own `kept[b]`",
        {.begin = [](Cache, Layer layer, std::size_t, std::size_t) { return layer.kept[0]; }});
    add(all,
        "the length of row 0 of the batch says where to write in every row; each row has its own `kept[b]`",
        {.begin = [](Cache, Layer layer, std::size_t b, std::size_t seq) {
            return layer.kept[0] - (b > 0 ? seq : 0);  // which is counted already
        }});
    add(all, "`seen` says where to write; with a window a row keeps fewer positions than it has seen",
        {.begin = [](Cache, Layer layer, std::size_t b, std::size_t) { return layer.seen[b]; }});
    add(all, "the new rows are written one row too far behind: a row that was never written is read",
        {.begin = [](Cache, Layer layer, std::size_t b, std::size_t) { return layer.kept[b] + 1; }});
    add(all, "the new rows are written over the newest one that is kept; they belong behind it",
        {.begin = [](Cache, Layer layer, std::size_t b, std::size_t) {
            return layer.kept[b] - std::min<std::size_t>(layer.kept[b], 1);
        }});
    using Write = decltype(RowWays::write);
    const Write right = RowWays().write;
    const auto writes = [&](const std::string& message, const Write& write) {
        add(all, message, {.write = write});
    };
    writes("the values are written into the memory of the keys, too",
           [](CachedLayer& layer, std::size_t capacity, const Tensor& keys, const Tensor& values,
              std::size_t b, std::size_t row) {
               write_rows(layer.keys, capacity, keys, b, row);
               write_rows(layer.keys, capacity, values, b, row);
           });
    writes("keys and values are exchanged",
           [right](CachedLayer& layer, std::size_t capacity, const Tensor& keys, const Tensor& values,
                   std::size_t b, std::size_t row) { right(layer, capacity, values, keys, b, row); });
    writes("the keys are written into the memory of the values, too",
           [](CachedLayer& layer, std::size_t capacity, const Tensor& keys, const Tensor&, std::size_t b,
              std::size_t row) {
               write_rows(layer.keys, capacity, keys, b, row);
               write_rows(layer.values, capacity, keys, b, row);
           });
    writes("only the keys are written",
           [](CachedLayer& layer, std::size_t capacity, const Tensor& keys, const Tensor&, std::size_t b,
              std::size_t row) { write_rows(layer.keys, capacity, keys, b, row); });
    writes("only the values are written",
           [](CachedLayer& layer, std::size_t capacity, const Tensor&, const Tensor& values, std::size_t b,
              std::size_t row) { write_rows(layer.values, capacity, values, b, row); });
    writes("nothing is written, only counted",
           [](CachedLayer&, std::size_t, const Tensor&, const Tensor&, std::size_t, std::size_t) {});
    writes("only row 0 of the batch is written",
           [right](CachedLayer& layer, std::size_t capacity, const Tensor& keys, const Tensor& values,
                   std::size_t b, std::size_t row) {
               if (b == 0) right(layer, capacity, keys, values, b, row);
           });
}

void add_wrong_counts(WrongCaches& all) {
    const auto counts = [&](const std::string& message, const decltype(RowWays::counted)& count) {
        add(all, message, {.counted = count});
    };
    counts("the new rows are not counted: `kept` and `seen` grow by as many as came",
           [](CachedLayer&, std::size_t, std::size_t) {});
    counts("`kept` is not counted: it grows by as many as came",
           [](CachedLayer& layer, std::size_t b, std::size_t seq) { layer.seen[b] += seq; });
    counts("`seen` is not counted: it grows by as many as came",
           [](CachedLayer& layer, std::size_t b, std::size_t seq) { layer.kept[b] += seq; });
    counts("`seen` is set to `kept`; with a window more were seen than are kept",
           [](CachedLayer& layer, std::size_t b, std::size_t seq) { layer.seen[b] = layer.kept[b] += seq; });
    add(all,
        "`kept` is taken from `seen`; a row that dropped some keeps fewer than the newest `window` of what "
        "it saw",
        {.counted_in = [](const KeyValueCache& cache, CachedLayer& layer, std::size_t b, std::size_t seq) {
            layer.seen[b] += seq;
            layer.kept[b] = std::min(layer.seen[b], cache.capacity);
        }});
    counts("1 is counted, whatever came; `append` may be given several positions, as many as seq",
           [](CachedLayer& layer, std::size_t b, std::size_t) { ++layer.kept[b], ++layer.seen[b]; });
    counts("1 is counted as seen, whatever came; `append` may be given several positions, as many as seq",
           [](CachedLayer& layer, std::size_t b, std::size_t seq) { layer.kept[b] += seq, ++layer.seen[b]; });
    counts("the counts are set to what came last; they grow by it",
           [](CachedLayer& layer, std::size_t b, std::size_t seq) { layer.kept[b] = layer.seen[b] = seq; });
    counts("only row 0 of the batch is counted", [](CachedLayer& layer, std::size_t b, std::size_t seq) {
        if (b == 0) layer.kept[b] += seq, layer.seen[b] += seq;
    });
    counts("the new rows are counted twice", [](CachedLayer& layer, std::size_t b, std::size_t seq) {
        layer.kept[b] += 2 * seq, layer.seen[b] += 2 * seq;
    });
}

}  // namespace

void add_wrong_appends(WrongCaches& all) {
    add_wrong_writes(all);
    add_wrong_counts(all);
    all.push_back(
        {"every layer writes into layer 0; `layer` says which one is meant, and each has memory of its own",
         right_ways()});
    all.back().ways.append = [](KeyValueCache& cache, std::size_t, const KeysValues& own) {
        return append_by({}, cache, 0, own);
    };
}

void add_wrong_windows(WrongCaches& all) {
    using Cache = const KeyValueCache&;
    using Layer = const CachedLayer&;
    const auto forgets = [&](const std::string& message, const decltype(RowWays::forgotten)& count) {
        add(all, message, {.forgotten = count});
    };
    forgets("the window keeps one row too few: it is full when there are `capacity` rows, not one less",
            [](Cache cache, Layer layer, std::size_t b, std::size_t seq) {
                return layer.kept[b] + seq >= cache.capacity ? layer.kept[b] + seq + 1 - cache.capacity : 0;
            });
    forgets("a row too many is forgotten where the window is full: only as many as there is no room for go",
            [](Cache cache, Layer layer, std::size_t b, std::size_t seq) {
                return layer.kept[b] + seq > cache.capacity ? layer.kept[b] + seq + 1 - cache.capacity : 0;
            });
    forgets(
        "the window is full, and nothing was forgotten: `forget_oldest` comes before the new ones are "
        "written",
        [](Cache, Layer, std::size_t, std::size_t) { return 0; });
    forgets("rows are forgotten before the window is full: only as many as there is no room for go",
            [](Cache cache, Layer layer, std::size_t b, std::size_t seq) {
                return cache.window && layer.kept[b] >= seq ? seq : 0;
            });
    forgets("a full window is emptied; only the oldest rows for which there is no room go",
            [](Cache cache, Layer layer, std::size_t b, std::size_t seq) {
                return layer.kept[b] + seq > cache.capacity ? layer.kept[b] : 0;
            });
    forgets("the window is asked before the new rows are added: it keeps one row too many",
            [](Cache cache, Layer layer, std::size_t b, std::size_t) {
                return layer.kept[b] - std::min(layer.kept[b], cache.capacity);
            });
    forgets("row 0 of the batch says for every row how many to forget; each row has its own `kept[b]`",
            [](Cache cache, Layer layer, std::size_t, std::size_t seq) {
                return layer.kept[0] + seq - std::min(layer.kept[0] + seq, cache.capacity);
            });
    forgets("the window is compared with `seen`; a row that dropped some keeps fewer than it has seen",
            [](Cache cache, Layer layer, std::size_t b, std::size_t seq) {
                return layer.seen[b] + seq - std::min(layer.seen[b] + seq, cache.capacity);
            });
    const auto forgets_so = [&](const std::string& message, const decltype(RowWays::forget)& forget) {
        add(all, message, {.forget = forget});
    };
    forgets_so(
        "the newest row is forgotten where the window is full; the oldest must go",
        [](CachedLayer& layer, std::size_t, std::size_t b, std::size_t count) { layer.kept[b] -= count; });
    // Both are forgotten, and one of them is put back.
    const auto forgets_one = [&](std::vector<float> CachedLayer::*stays) {
        return [stays](CachedLayer& layer, std::size_t capacity, std::size_t b, std::size_t count) {
            const std::vector<float> before = layer.*stays;
            forget_oldest(layer, capacity, b, count);
            layer.*stays = before;
        };
    };
    forgets_so("the oldest keys are forgotten, their values are not", forgets_one(&CachedLayer::values));
    forgets_so("the oldest values are forgotten, their keys are not", forgets_one(&CachedLayer::keys));
    forgets_so("what is forgotten is subtracted from `seen`, too; `seen` only counts what came",
               [](CachedLayer& layer, std::size_t capacity, std::size_t b, std::size_t count) {
                   forget_oldest(layer, capacity, b, count);
                   layer.seen[b] -= count;
               });
    forgets_so("the rows that were forgotten are subtracted from `kept` twice: forget_oldest does it already",
               [](CachedLayer& layer, std::size_t capacity, std::size_t b, std::size_t count) {
                   forget_oldest(layer, capacity, b, count);
                   layer.kept[b] -= std::min(layer.kept[b], count);
               });
}

}  // namespace tfs::test

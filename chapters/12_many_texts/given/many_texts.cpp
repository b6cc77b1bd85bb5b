// chapters/12_many_texts/given/many_texts.cpp · prompts as batches, rows of a cache
#include "chapters/12_many_texts/given/many_texts.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "common/base/array.hpp"

namespace tfs {

const std::vector<std::string>& lookup_prompts() {
    static const std::vector<std::string> prompts{
        "First Citizen:\n", "KING RICHARD III:\n", "MENENIUS:\nWhat, what, what",
        "First Citizen:\nNo more, no more.\n\nSecond Citizen:\nNo more, ",
        "Second Murderer:\nWhat, shall we stab him as he sleeps?\n\nFirst Murderer:\n"};
    return prompts;
}

std::size_t longest(const std::vector<TokenIds>& prompts) {
    std::size_t most = 0;
    for (const TokenIds& prompt : prompts) most = std::max(most, prompt.size());
    return most;
}

Ids columns(const std::vector<TokenIds>& prompts, std::size_t begin, std::size_t end) {
    Ids ids = Ids::from_shape({prompts.size(), end - begin});
    for (std::size_t row = 0; row < prompts.size(); ++row)
        for (std::size_t t = begin; t < end; ++t)
            ids(row, t - begin) = t < prompts[row].size() ? prompts[row][t] : 0;
    return ids;
}

Ids one_each(const TokenIds& tokens) {
    Ids ids = Ids::from_shape({tokens.size(), 1});
    std::copy(tokens.begin(), tokens.end(), ids.begin());
    return ids;
}

namespace {

// Rows first … first + kept - 1 of each head of row b move to the front.
void move_to_front(std::vector<float>& memory, const CachedLayer& layer, std::size_t capacity,
                   std::size_t width, std::size_t b, std::size_t first) {
    for (std::size_t h = 0; h < layer.heads; ++h) {
        float* const rows = memory.data() + (b * layer.heads + h) * capacity * width;
        std::copy(rows + first * width, rows + layer.kept[b] * width, rows);
    }
}

}  // namespace

CachedLayer& layer_for(KeyValueCache& cache, std::size_t layer, const Tensor& keys, const Tensor& values) {
    require_cached("KeyValueCache", keys, values);
    const std::size_t batch = keys.size(0), heads = keys.size(1), d_k = keys.size(3), d_v = values.size(3);
    constexpr std::size_t most_layers = 1'000'000;
    if (layer >= most_layers)
        throw ValueError(
            fmt::format("KeyValueCache: there is no layer {}; {} are the most", layer, most_layers));
    require_addressable({batch, heads, cache.capacity, std::max(d_k, d_v)});
    if (layer >= cache.layers.size()) cache.layers.resize(layer + 1);
    CachedLayer& cached = cache.layers[layer];
    if (cached.kept.empty()) {
        cached.heads = heads, cached.d_k = d_k, cached.d_v = d_v;
        cached.keys.resize(batch * heads * cache.capacity * d_k);
        cached.values.resize(batch * heads * cache.capacity * d_v);
        cached.kept.assign(batch, 0);
        cached.seen.assign(batch, 0);
    }
    if (cached.kept.size() != batch || cached.heads != heads || cached.d_k != d_k || cached.d_v != d_v)
        throw ShapeError(fmt::format(
            "KeyValueCache: layer {} has {} rows of {} heads of width {}, and is given {} of {} of {}", layer,
            cached.kept.size(), cached.heads, cached.d_k, batch, heads, d_k));
    const std::size_t rows = batch * heads * cache.capacity;
    if (cached.keys.size() != rows * d_k || cached.values.size() != rows * d_v || cached.seen.size() != batch)
        throw ValueError(fmt::format(
            "KeyValueCache: layer {} keeps {} rows, but `keys`, `values` and `seen` are not those of {} rows",
            layer, batch, batch));
    return cached;
}

KeysValues rows_of(const KeyValueCache& cache, const CachedLayer& layer) {
    const std::size_t batch = layer.kept.size(), room = cache.capacity;
    const Offset kept(layer.kept);
    return {HeadRows(layer.keys.data(), batch, layer.heads, layer.d_k, room * layer.d_k, kept),
            HeadRows(layer.values.data(), batch, layer.heads, layer.d_v, room * layer.d_v, kept)};
}

void write_rows(std::vector<float>& memory, std::size_t capacity, const Tensor& x, std::size_t b,
                std::size_t place) {
    const std::size_t heads = x.size(1), seq = x.size(2), width = x.size(3);
    if (place > capacity || seq > capacity - place || memory.size() < (b + 1) * heads * capacity * width)
        throw ValueError(
            fmt::format("write_rows: places {} to {} of text {} of the batch; there is room for {} places",
                        place, place + seq - 1, b, capacity));
    for (std::size_t h = 0; h < heads; ++h)
        std::copy_n(x.values().data() + (b * heads + h) * seq * width, seq * width,
                    memory.data() + ((b * heads + h) * capacity + place) * width);
}

void forget_oldest(CachedLayer& layer, std::size_t capacity, std::size_t b, std::size_t count) {
    if (count > layer.kept[b])
        throw ValueError(fmt::format("forget_oldest: {} places of text {} of the batch, which keeps {}",
                                     count, b, layer.kept[b]));
    move_to_front(layer.keys, layer, capacity, layer.d_k, b, count);
    move_to_front(layer.values, layer, capacity, layer.d_v, b, count);
    layer.kept[b] -= count;
}

}  // namespace tfs

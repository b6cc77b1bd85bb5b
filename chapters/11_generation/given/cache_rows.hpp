// chapters/11_generation/given/cache_rows.hpp · rows of a cache in memory: the pieces that step key_value_cache is made of
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "chapters/11_generation/generation.hpp"

namespace tfs {

// The layer of this number, with memory of its own for as many rows of the batch and heads as `keys` has. ShapeError if the cache
// began with others; ValueError if the parts of the layer are not of one batch.
CachedLayer& layer_for(KeyValueCache& cache, std::size_t layer, const Tensor& keys, const Tensor& values);

// What attention reads: the rows that this layer keeps.
[[nodiscard]] KeysValues rows_of(const KeyValueCache& cache, const CachedLayer& layer);

// Row b of x (batch, heads, seq, width) into `memory` (batch, heads, capacity, width), at the places `place`, place + 1 …
// ValueError if there is no room for them.
void write_rows(std::vector<float>& memory, std::size_t capacity, const Tensor& x, std::size_t b,
                std::size_t place);

// Row b of the batch loses its `count` oldest keys and values: those after them move to the front, and `kept` is
// so much less. ValueError if it keeps fewer.
void forget_oldest(CachedLayer& layer, std::size_t capacity, std::size_t b, std::size_t count);

// Blocks of `size` numbers: block i is a copy of block rows[i] of `values`. ValueError if there is no such block.
template <class Number>
[[nodiscard]] std::vector<Number> picked(const std::vector<Number>& values,
                                         const std::vector<std::size_t>& rows, std::size_t size) {
    std::vector<Number> result(rows.size() * size);
    for (std::size_t i = 0; i < rows.size(); ++i) {
        if (size == 0 || rows[i] >= values.size() / size)
            throw ValueError(fmt::format("picked: block {} of {} numbers; there are {} numbers in all",
                                         rows[i], size, values.size()));
        std::copy_n(values.begin() + static_cast<std::ptrdiff_t>(rows[i] * size), size,
                    result.begin() + static_cast<std::ptrdiff_t>(i * size));
    }
    return result;
}

}  // namespace tfs

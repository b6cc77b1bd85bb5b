// chapters/12_many_texts/given/many_texts.hpp · what the steps of chapter 12 are given: checks, prompts as batches, rows of a cache
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include "chapters/11_generation/given/generation.hpp"
#include "chapters/12_many_texts/many_texts.hpp"

namespace tfs {

// As KeyValueCache says. ValueError.
void require_cached(std::string_view what, const Tensor& keys, const Tensor& values);  // ShapeError
void require_cache_room(const KeyValueCache& cache, const CachedLayer& layer, std::size_t seq);
void require_drop(const KeyValueCache& cache, const std::vector<std::size_t>& newest);
void require_pick(const KeyValueCache& cache, const std::vector<std::size_t>& rows);

// As the functions of their names say. ValueError.
void require_prefill(const std::vector<TokenIds>& prompts, const KeyValueCache& cache);
void require_decode(const std::vector<std::size_t>& rows, const TokenIds& tokens);
// The text is not empty, and its ids are tokens.
void require_lookup(std::span<const std::int64_t> text, std::size_t vocab_size);
void require_window(const std::vector<TokenIds>& prompts);
void require_rngs(std::string_view what, std::size_t prompts, std::size_t rngs);
void require_drafts(std::string_view what, const Draft& draft, std::size_t length);
void require_drafted(std::string_view what, const TokenIds& drafted,
                     const std::vector<std::vector<double>>& q, const std::vector<std::vector<double>>& p);

// What the checklist of step lookup_draft writes: so many of the likeliest characters after each of these prompts, with drafts of this length.
inline constexpr std::size_t lookup_tokens = 180, lookup_length = 8;
[[nodiscard]] const std::vector<std::string>& lookup_prompts();

// The longest one.
[[nodiscard]] std::size_t longest(const std::vector<TokenIds>& prompts);

// Columns begin … end - 1 of all prompts, as one batch (prompts, end - begin). A shorter prompt is filled up at its end with token 0:
// no token before it sees that.
[[nodiscard]] Ids columns(const std::vector<TokenIds>& prompts, std::size_t begin, std::size_t end);

// One token for each row: (rows, 1).
[[nodiscard]] Ids one_each(const TokenIds& tokens);

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

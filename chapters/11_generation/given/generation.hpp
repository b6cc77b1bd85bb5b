// chapters/11_generation/given/generation.hpp · what the steps of chapter 11 are given: checks, prompts as batches, rows of a cache, texts as they come
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "chapters/11_generation/generation.hpp"

namespace tfs {

// As token_probabilities and sample say. ValueError.
void require_sampling(std::string_view what, const Sampling& sampling);
void require_sampling(std::string_view what, std::span<const float> logits, const Sampling& sampling);
void require_probabilities(std::string_view what, std::span<const double> probabilities);

// As KeyValueCache says. ValueError.
void require_cached(std::string_view what, const Tensor& keys, const Tensor& values);  // ShapeError
void require_cache_room(const KeyValueCache& cache, const CachedLayer& layer, std::size_t seq);
void require_drop(const KeyValueCache& cache, const std::vector<std::size_t>& newest);
void require_pick(const KeyValueCache& cache, const std::vector<std::size_t>& rows);

// As generate and generate_speculatively say. ValueError.
// Every id of the text has a logit.
void require_logits_of(std::string_view what, std::span<const std::int64_t> text, std::size_t logits);
void require_prompts(std::string_view what, const LanguageModel& model, const std::vector<TokenIds>& prompts,
                     const GenerationOptions& options);
void require_rngs(std::string_view what, std::size_t prompts, std::size_t rngs);
void require_drafts(std::string_view what, const Draft& draft, std::size_t length,
                    const GenerationOptions& options);
void require_drafted(std::string_view what, const TokenIds& drafted,
                     const std::vector<std::vector<double>>& q, const std::vector<std::vector<double>>& p);

// The indices of all numbers, that of the largest one first; of equal ones the smaller index.
template <class Numbers>
[[nodiscard]] std::vector<std::size_t> largest_first(const Numbers& numbers) {
    std::vector<std::size_t> order(numbers.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::stable_sort(order.begin(), order.end(),
                     [&](std::size_t a, std::size_t b) { return numbers[a] > numbers[b]; });
    return order;
}

// p / sum(p).
void divide_by_sum(std::vector<double>& p);

// The longest one.
[[nodiscard]] std::size_t longest(const std::vector<TokenIds>& prompts);

// Columns begin … end - 1 of all prompts, as one batch (prompts, end - begin). A shorter prompt is filled up at its end with token 0:
// no token before it sees that.
[[nodiscard]] Ids columns(const std::vector<TokenIds>& prompts, std::size_t begin, std::size_t end);

// One token for each row: (rows, 1).
[[nodiscard]] Ids one_each(const TokenIds& tokens);

// Logits (batch, seq, vocab) at a position of a row: (vocab), a copy. ValueError if there is no such one.
[[nodiscard]] std::vector<float> logits_at(const Tensor& logits, std::size_t row, std::size_t position);

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

// A token may end within a character of several bytes, and a text that ends the writing may come in several tokens. So a piece is held
// back as long as it is not known whether it may be shown.
class TextStream {
  public:
    // Without a stop text nothing stops it.
    explicit TextStream(std::string stop = {}) : stop_(std::move(stop)) {}

    // Adds the next piece, and returns what may be shown now: whole characters (UTF-8) that can't belong to the stop text.
    std::string add(std::string_view piece);
    // Whether the stop text has come. Nothing after it is shown.
    [[nodiscard]] bool stopped() const { return stopped_; }
    // What is held back, where the writing ends without the stop text.
    [[nodiscard]] std::string rest();

  private:
    std::string stop_, held_ = {};
    bool stopped_ = false;
};

}  // namespace tfs

// chapters/11_generation/given/generation.hpp · what the steps of chapter 11 are given: checks, texts as they come
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
void require_each(std::string_view what, std::span<const double> probabilities);  // all may be 0

// As TextCache says.
void require_append(const TextCache& cache, std::size_t layer, const KeysValues& own);
void require_drop(const TextCache& cache, std::size_t newest);
void require_cached_attention(const Tensor& q, const Tensor& k, const Tensor& v);

// As write_text says. ValueError.
// Every id of the text has a logit.
void require_logits_of(std::string_view what, std::span<const std::int64_t> text, std::size_t logits);
void require_prompts(std::string_view what, const LanguageModel& model, const std::vector<TokenIds>& prompts,
                     const GenerationOptions& options);

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

// One text as a batch: (1, tokens).
[[nodiscard]] Ids one_row(std::span<const std::int64_t> tokens);

// Logits (batch, seq, vocab) at a position of a row: (vocab), a copy. ValueError if there is no such one.
[[nodiscard]] std::vector<float> logits_at(const Tensor& logits, std::size_t row, std::size_t position);

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

// chapters/11_generation/given/generation_checks.hpp · the checks of chapter 11, given: errors in one sentence; and small helpers
#pragma once

#include <algorithm>
#include <numeric>
#include <string_view>
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

}  // namespace tfs

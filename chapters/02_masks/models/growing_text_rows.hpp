// chapters/02_masks/models/growing_text_rows.hpp · one masked pass over a text, compared with a pass over each of its beginnings
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "chapters/02_masks/masks.hpp"

namespace tfs {

inline constexpr std::size_t tokens_of_growing_text = 10;
// Masked weights are exact zeros, but the last bits of a sum depend on the size of a product. So rows are compared, not bits.
inline constexpr float equal_rows_differ_by = 1e-5f;

// One number of EqualRows, and what is measured for it.
struct GrowingTrial {
    std::string name;  // of the mask
    std::size_t EqualRows::*predicted;
    Mask mask;
    std::size_t layers = 1;
};
// All numbers of EqualRows, in its order.
[[nodiscard]] std::vector<GrowingTrial> growing_trials();

// For each row of one pass over 10 random tokens: the largest difference from the last row of the pass over the beginning that
// ends there. `seed` draws the tokens and the weights of the layers, each an attention of one head.
[[nodiscard]] std::vector<float> growing_differences(const GrowingTrial& trial, std::uint64_t seed);

// How many of these differences are at most equal_rows_differ_by.
[[nodiscard]] std::size_t equal_rows(const std::vector<float>& differences);

// What a causal layer computes for a text of so many tokens, in three ways: counted in the weights of each pass.
struct CausalPasses {
    std::size_t one_pass = 0, all_beginnings = 0, with_cache = 0;  // scores
    double cache_difference = 0.0;     // the largest one between rows of the one pass and rows with a cache
    double gradient_difference = 0.0;  // between the gradients of all weights from one pass and from all
                                       // beginnings together, as a share of the largest gradient
};
[[nodiscard]] CausalPasses causal_passes(std::size_t tokens, std::uint64_t seed);

}  // namespace tfs

// chapters/09_transformer/program/small_models.hpp · small untrained models, and texts of random tokens for them
#pragma once

#include "chapters/09_transformer/transformer.hpp"

namespace tfs {

inline constexpr std::size_t small_vocab = 100;

// A model of this config, but of `small_vocab` tokens.
Transformer small_model(TransformerConfig config, std::uint64_t seed);

// One sequence of random ids: first … end - 1.
[[nodiscard]] Ids random_ids(std::uint64_t seed, std::size_t length, std::size_t first, std::size_t end);

// One sequence of random tokens of a small model; its first three ids are left out.
[[nodiscard]] Ids small_text(std::uint64_t seed, std::size_t length);

}  // namespace tfs

// chapters/01_attention/models/feature_words.hpp · words that come with named features, for the puzzle
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "chapters/01_attention/attention.hpp"

namespace tfs {

// The six features of the puzzle in their order.
[[nodiscard]] const std::vector<std::string>& feature_names();

// Whether a word has the feature of this name.
[[nodiscard]] bool has_feature(const std::string& word, const std::string& feature);

// The words of a sentence as rows of features (1, seq, 6). ValueError, which names it, for a word without features.
[[nodiscard]] Tensor features_of(const std::vector<std::string>& sentence);

// The position of the noun that the last word speaks of: it is animate if the last word is, else a thing. ValueError
// where there is not exactly one.
[[nodiscard]] std::size_t noun_spoken_of(const std::vector<std::string>& sentence);

// The head with these weights, without biases; its w_q is factor * w_q. ShapeError, which says what is wrong, where
// the shapes are not those of the contract.
[[nodiscard]] SelfAttention as_attention(const HandMadeHead& head);

}  // namespace tfs

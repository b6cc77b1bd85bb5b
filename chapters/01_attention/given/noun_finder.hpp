// chapters/01_attention/given/noun_finder.hpp · the smallest model that learns something: one attention, and a guess at each token
//
// Given. It is asked at the last word which noun that word speaks of: "the cat sat on the mat because it was tired". Chapter 10
// trains it; this chapter looks at what its attention learned.
#pragma once

#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "chapters/01_attention/attention.hpp"
#include "common/figures.hpp"

namespace tfs {

struct NounFinder {
    std::vector<std::string> words;  // words[id]: all that it knows
    Embedding embedding;             // (words, d_model)
    MultiHeadAttention attention;
    Linear output;  // d_model -> words

    NounFinder(std::vector<std::string> vocabulary, std::size_t d_model, std::size_t heads, Rng& rng);

    // The ids of these words (1, seq); upper case is read as lower case. Throws ValueError, with the word, for a word
    // that it doesn't know.
    [[nodiscard]] Ids ids_of(const std::vector<std::string>& sentence) const;

    // Attention of all words to all words that the mask shows: ids (batch, seq) -> output (batch, seq, d_model) and weights
    [[nodiscard]] AttentionOutput attend(const Ids& ids,
                                         const std::optional<Mask>& mask = std::nullopt) const;
    // ids (batch, seq) -> logits (batch, seq, words); weights (batch, heads, query, key)
    [[nodiscard]] Tensor logits(const Ids& ids) const;
    [[nodiscard]] Tensor weights(const Ids& ids) const;
    [[nodiscard]] Parameters parameters() const;  // embedding.weight, attention.w_q.weight, …, output.bias
};

// What it guesses for the noun that the last word speaks of, and how much that word attends to each word.
struct NounGuess {
    std::string noun;
    std::vector<float> weights;  // of each word of the sentence, the mean over the heads
    std::size_t most = 0;        // the place of the word with the largest weight
    Tensor map;                  // all weights, (1, heads, query, key)
};
//   mask: broadcastable to (1, heads, query, key)
// ValueError, which names it, for a word that the model doesn't know.
[[nodiscard]] NounGuess guess_noun(const NounFinder& model, const std::vector<std::string>& sentence,
                                   const std::optional<Mask>& mask = std::nullopt);

// The sentence with each of these last words: a map of the first head for each. Only the last row was ever trained; the
// others are pale.
[[nodiscard]] HeatMapFigure noun_maps(const NounFinder& model, std::vector<std::string> sentence,
                                      const std::vector<std::string>& last_words);

// The weights as a safetensors file of 16-bit numbers, with the words, the number of heads and `metadata` beside them; and a
// model from such a file. FileError if it is none.
void save_noun_finder(const NounFinder& model, const std::filesystem::path& file,
                      std::map<std::string, std::string> metadata = {});
[[nodiscard]] NounFinder load_noun_finder(const std::filesystem::path& file);

}  // namespace tfs

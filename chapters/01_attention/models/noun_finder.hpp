// chapters/01_attention/models/noun_finder.hpp · the smallest model that learns something: one attention, and a guess at each token
//
// Given. It is asked at the last word which noun that word speaks of: "the cat sat on the mat because it was tired". Chapter 10
// trains it; this chapter looks at what its attention learned.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "chapters/01_attention/attention.hpp"
#include "common/io/trained_model.hpp"

namespace tfs {

// The files of its weights, such as weights/nouns.safetensors.
[[nodiscard]] const ModelKind& noun_finder_kind();

// The words of its sentences beside "the", "because", "it" and "was": "tired" is said of beings, and "soft" of things.
struct NounWords {
    Tokens beings, things, of_beings, of_things, verbs_of_beings, verbs_of_things, places;
};
[[nodiscard]] const NounWords& noun_words();

struct NounFinder {
    ModelConfig config;
    Tokenizer tokenizer;  // all words that it knows
    Embedding embedding;  // (words, d_model)
    MultiHeadAttention attention;
    Linear output;  // d_model -> words

    NounFinder(const Tokenizer& words, const ModelConfig& sizes, Rng& rng);

    // Attention of all words to all words that the mask shows: ids (batch, seq) -> output (batch, seq, d_model) and weights
    [[nodiscard]] AttentionOutput attend(const Ids& ids,
                                         const std::optional<Mask>& mask = std::nullopt) const;
    // ids (batch, seq) -> logits (batch, seq, words); weights (batch, heads, query, key)
    [[nodiscard]] Tensor logits(const Ids& ids) const;
    [[nodiscard]] Tensor weights(const Ids& ids) const;
    [[nodiscard]] Parameters parameters() const;  // embedding.weight, attention.w_q.weight, …, output.bias
};

// The one of weights/nouns.safetensors. ValueError, which names it, for a word of the sentence that it doesn't know; FileError
// as load_network.
[[nodiscard]] NounFinder trained_noun_finder(const std::vector<std::string>& sentence = {});

// What it guesses for the noun that the last word speaks of, and how much that word attends to each word.
struct NounGuess {
    std::string noun;
    std::vector<float> weights;  // of each word of the sentence, the mean over the heads
    std::size_t most = 0;        // the place of the word with the largest weight
};
//   mask: broadcastable to (1, heads, query, key)
// ValueError, which names it, for a word that the model doesn't know.
[[nodiscard]] NounGuess guess_noun(const NounFinder& model, const std::vector<std::string>& sentence,
                                   const std::optional<Mask>& mask = std::nullopt);

// Of the maps for both last words, in captions.
inline constexpr const char* about_tired_and_soft =
    " Living beings are tired and things are soft, so the same trained head finds another noun.";

}  // namespace tfs

// chapters/10_training/models/noun_sentences.hpp · the task of the first model: which noun does the last word speak of?
#pragma once

#include <string>
#include <vector>

#include "chapters/10_training/training.hpp"
#include "common/text/tokenizer.hpp"

namespace tfs {

// "the cat sat on the mat because it was tired", and the position of the noun that the last word speaks of: a being is
// tired, a thing is soft. In half of the sentences the thing comes first: "the mat lay under the cat because it was tired".
struct NounSentence {
    std::vector<std::string> words;
    std::size_t noun = 0;
};

struct NounSentences {
    Tokenizer vocabulary;
    std::vector<NounSentence> training;
    std::vector<NounSentence> held_out;  // each with a pair of nouns that no sentence of `training` has
};

// As many sentences for training, and as many held out, drawn with this seed.
[[nodiscard]] NounSentences noun_sentences(std::size_t training, std::size_t held_out, std::uint64_t seed);

// The ids of the words; the target is the noun at the last position, and ignored elsewhere.
[[nodiscard]] Example example_of(const NounSentence& sentence, const Tokenizer& vocabulary);

}  // namespace tfs

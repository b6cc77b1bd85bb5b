// chapters/10_training/models/sentences.hpp · the tasks of the models of sentences: which noun does a sentence speak of?
#pragma once

#include <string>
#include <vector>

#include "chapters/01_attention/models/size_finder.hpp"
#include "chapters/10_training/training.hpp"
#include "common/text/tokenizer.hpp"

namespace tfs {

template <class Sentence>
struct Sentences {
    Tokenizer vocabulary;
    std::vector<Sentence> training;
    std::vector<Sentence>
        held_out;  // each with a pair of nouns that no sentence of `training` has, in any order
};

// "the cat sat on the mat because it was tired", and the position of the noun that the last word speaks of: a being is
// tired, a thing is soft. In half of the sentences the thing comes first: "the mat lay under the cat because it was tired".
struct NounSentence {
    std::vector<std::string> words;
    std::size_t noun = 0;
};
using NounSentences = Sentences<NounSentence>;

// As many sentences for training, and as many held out, drawn with this seed.
[[nodiscard]] NounSentences noun_sentences(std::size_t training, std::size_t held_out, std::uint64_t seed);

// The ids of the words; the target is the noun at the last position, and ignored elsewhere.
[[nodiscard]] Example example_of(const NounSentence& sentence, const Tokenizer& vocabulary);

// The same for a sentence of sizes; the target is the animal that it asks for.
[[nodiscard]] Example example_of(const SizeSentence& sentence, const Tokenizer& vocabulary);

// "the dog chased the cat because it was hungry": the dog is. "… because it was weak": the cat is. Both are animals, so the
// last word alone does not tell. The one who acts is strong if the verb is like "chased", and weak if it is like
// "feared"; with "was chased by" the second animal acts. Words in between, of varying number, move the nouns about.
struct ItSentence {
    std::vector<std::string> words;
    std::size_t first = 0, second = 0;  // the positions of the nouns
    std::size_t it = 0;                 // the position of "it"
    bool is_first = true;               // which noun is it

    [[nodiscard]] std::size_t noun() const { return is_first ? first : second; }
    [[nodiscard]] std::size_t other() const { return is_first ? second : first; }
};
using ItSentences = Sentences<ItSentence>;  // word 0 of the vocabulary is the padding

// Which noun is "it" in words that a sentence of this task may have: any text of the form
//   … NOUN … [was] VERB [by] … NOUN … it was WORD
// ValueError if it has not.
[[nodiscard]] ItSentence it_sentence(std::vector<std::string> words);

[[nodiscard]] ItSentences it_sentences(std::size_t training, std::size_t held_out, std::uint64_t seed);

// The same, with the noun as target at the position of "it".
[[nodiscard]] Example example_of(const ItSentence& sentence, const Tokenizer& vocabulary);

}  // namespace tfs

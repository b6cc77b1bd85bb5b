// chapters/01_attention/models/size_finder.hpp · two heads, and a word that must find two words
//
// Given. "the cat the horse the mouse and the wolf differ in size": asked at the last word, the model of noun_finder.hpp names
// the smallest animal and the largest. Chapter 10 trains it.
#pragma once

#include <array>
#include <string>
#include <vector>

#include "chapters/01_attention/models/noun_finder.hpp"

namespace tfs {

// A sentence with four of 16 animals. No position gives an animal away, because the model sees no order.
struct SizeSentence {
    std::vector<std::string> words;
    std::size_t smallest = 0, largest = 0;  // positions
    std::size_t asked = 0;                  // one of the two: what training asks for
};

// A fifth of all sets of four animals is held out. Each sentence is there twice, because both animals are asked for.
struct SizeSentences {
    Tokenizer vocabulary;
    std::vector<SizeSentence> training, held_out;
};
[[nodiscard]] SizeSentences size_sentences();

// The sentence of the lesson, one of those held out.
inline constexpr const char* size_sentence = "the cat the horse the mouse and the wolf differ in size";

// The one of weights/sizes.safetensors. FileError as load_network.
[[nodiscard]] NounFinder trained_size_finder();

// Means over sentences: the share of them in which an animal is one of the two most probable words, and how much each head's last
// word attends to it. Of the smallest animal, and of the largest.
struct SizeScore {
    std::array<double, 2> named{};
    std::vector<std::array<double, 2>> weights;
};
[[nodiscard]] SizeScore score_of(const NounFinder& model, const std::vector<SizeSentence>& sentences);
// The same if this head gives nothing.
[[nodiscard]] SizeScore score_without_head(const NounFinder& model, std::size_t head,
                                           const std::vector<SizeSentence>& sentences);

}  // namespace tfs

// chapters/10_training/program/character_sections.hpp · the fourth model, which writes: what is shared by the files that show it
#pragma once

#include "chapters/10_training/given/character_heads.hpp"
#include "chapters/10_training/given/corpus.hpp"
#include "chapters/10_training/program/sections.hpp"

namespace tfs {

// The text that comes with the repository.
[[nodiscard]] std::filesystem::path shipped_corpus();

// character_training.cpp · the decoder, and its training

struct CharacterTraining {
    Corpus corpus;
    TextTransformer model;
    Trainer trainer;  // of `model`
};
[[nodiscard]] std::unique_ptr<CharacterTraining> make_character_training(const OwnOptions& own,
                                                                         std::uint64_t seed);

// character_text.cpp · texts by chance

// What the model writes after the end of a line, with temperature 0.8, and with random numbers of its own.
void print_sample(std::ostream& out, const TextTransformer& model, std::size_t characters);

// character_scores.cpp · how well the held-out text is predicted, beside simpler models

// At most so many characters of the held-out part are asked.
constexpr std::size_t most_asked = 120'000;
// Prints a line for each model, from a uniform guess to 5-grams, and for this one.
void print_bits(Show& show, const Corpus& corpus, const TextTransformer& model, double bits_of_model);

// character_heads_table.cpp · which head looks how far back, and which one at what came after the same character

[[nodiscard]] CharacterHeads heads_of(const TextTransformer& model, const Corpus& corpus);
void print_heads(Show& show, const CharacterHeads& scores);

}  // namespace tfs

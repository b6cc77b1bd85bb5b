// chapters/10_training/program/character_sections.hpp · the fourth model, which writes: what is shared by the files that show it
#pragma once

#include "chapters/10_training/models/character_task.hpp"
#include "chapters/10_training/program/sections.hpp"

namespace tfs {

// character_text.cpp · texts by chance

// What the model writes after the end of a line, with temperature 0.8, and with random numbers of its own.
void print_sample(std::ostream& out, const TextTransformer& model, std::size_t characters);

// character_scores.cpp · how well the held-out text is predicted, beside simpler models

// Prints a line for each model, from a uniform guess to 5-grams, and for this one.
void print_bits(Show& show, const Corpus& corpus, const TextTransformer& model);

// character_heads_table.cpp · which head looks how far back, and which one at what came after the same character

void print_heads(Show& show, const CharacterHeads& scores);

}  // namespace tfs

// chapters/08_encoder_decoder/given/trained_writer.hpp · a decoder of this chapter that chapter 10 trained to write Shakespeare, given
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "chapters/08_encoder_decoder/encoder_decoder.hpp"
#include "chapters/08_encoder_decoder/given/characters.hpp"

namespace tfs {

// It guesses the next character of a text from the characters so far. Chapter 09 lets it write; here we look at its maps.
struct TrainedWriter {
    std::vector<std::string> characters;  // characters[id]
    Embedding embedding;                  // (characters, d_model)
    LearnedPositionalEmbedding positions;
    Stack decoder;

    TrainedWriter(std::vector<std::string> vocabulary, const CharacterSizes& sizes, Rng& rng);
    [[nodiscard]] Parameters parameters()
        const;  // embedding.weight, positions.…, blocks.0.…, final_norm.beta
};

// The weights of each layer on a text, (1, heads, query, key). ValueError, which names it, for a character that it doesn't
// know, and for a text that is empty or longer than its table of positions.
[[nodiscard]] std::vector<Tensor> writer_maps(const TrainedWriter& writer, const std::string& text);

}  // namespace tfs

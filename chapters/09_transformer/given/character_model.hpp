// chapters/09_transformer/given/character_model.hpp · a decoder that reads and writes text, character by character, given
#pragma once

#include <filesystem>
#include <map>
#include <span>
#include <string>
#include <vector>

#include "chapters/08_encoder_decoder/given/characters.hpp"
#include "chapters/09_transformer/transformer.hpp"

namespace tfs {

// The last `most` ids, all where there are fewer, as one sequence (1, seq).
[[nodiscard]] Ids last_ids(std::span<const std::int64_t> ids, std::size_t most);

// The decoder of this chapter, of GPT-2's kind: pre-norm, learned positions, one table for input and output. Its tokens are
// characters. Chapter 10 trains it; this chapter lets it write.
struct CharacterModel {
    std::vector<std::string> characters;  // characters[id]: all that it knows
    Transformer model;

    CharacterModel(std::vector<std::string> vocabulary, const CharacterSizes& sizes, Rng& rng);

    // The ids of a text (1, seq). ValueError, which names it, for a character that it doesn't know.
    [[nodiscard]] Ids ids_of(const std::string& text) const;
    [[nodiscard]] std::size_t context() const { return model.config.max_len(); }
    [[nodiscard]] Parameters parameters() const { return model.parameters(); }
};

// The weights as a safetensors file of 16-bit numbers, with the characters, the sizes and `metadata` beside them; and a model
// from such a file, which needs nothing else. FileError if it is none.
void save_character_model(const CharacterModel& model, const std::filesystem::path& file,
                          std::map<std::string, std::string> metadata = {});
[[nodiscard]] CharacterModel load_character_model(const std::filesystem::path& file);

}  // namespace tfs
